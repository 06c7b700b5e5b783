"""What a competition tells about itself, as requests and files have it."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from games.engine.names import paragraphs
from games.engine.shapes import Help, Length, Matching
from games.engine.textinput import in_ascii
from league.core.prizes import MOST as MOST_PRIZES
from league.core.prizes import Prize

Day: TypeAlias = Annotated[
    str, Matching(r"\d{4}-\d\d-\d\d", "a day such as 2027-01-31", example="2027-01-31", reads=in_ascii)
]
Paragraphs: TypeAlias = Annotated[
    str,
    Matching(
        r"(?:\n|[^\x00-\x1f\x7f-\x9f]){0,4000}", "plain text of at most 4000 characters", spelt=paragraphs
    ),
]
TimeOfDay: TypeAlias = Annotated[
    str, Matching(r"\d\d:\d\d(?::\d\d)?", "a time of day such as 19:30", example="19:30", reads=in_ascii)
]


@dataclass(frozen=True)
class NewDetails:
    """What a competition tells about itself; these replace all earlier ones but the picture."""

    begins_on: Day | None = None
    begins_at: Annotated[TimeOfDay | None, Help("in the club's time zone")] = None
    ends_on: Annotated[Day | None, Help("left out: it lasts one day")] = None
    place: Annotated[str, Length(0, 200)] = ""
    description: Annotated[Paragraphs, Help("an empty line begins a paragraph")] = ""
    contact: Annotated[str, Length(0, 200)] = ""
    prizes: Annotated[tuple[Prize, ...], Length(0, MOST_PRIZES)] = ()
    picture_text: Annotated[str, Length(0, 200), Help("what the picture shows")] = ""

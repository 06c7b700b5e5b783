"""What a competition tells about itself, as requests and files have it, with its prizes and who wins them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple, TypeAlias

from games.engine.messages import text
from games.engine.names import one_line, paragraphs
from games.engine.refusals import Malformed
from games.engine.shapes import Between, Help, Length, Matching
from games.engine.textinput import in_ascii

MOST_PRIZES: Final = 50
MOST_MINUTES: Final = 24 * 60
MOST_ROUNDS: Final = 1000
TIMING: Final = ("round_minutes", "break_after", "break_minutes")
"""The fields that a timetable is made from."""
_LINE: Final = re.compile(r"(?P<what>[^:]+):(?P<prize>[^=]+)(?:=(?P<winner>.+))?")
_PLACES: Final = re.compile(r"(\d{1,4})\s*(?:[-–]\s*(\d{1,4}))?")


@dataclass(frozen=True)
class Prize:
    """A prize for places ``first`` to ``last``, or for a ``category`` with a ``winner`` whom people name."""

    prize: Annotated[str, Length(1, 200), Help("what the winners get")]
    first: Annotated[
        int, Between(0, 9999), Help("the first of the places that win it; 0: a category does")
    ] = 0
    last: Annotated[int, Between(0, 9999), Help("the last of these places")] = 0
    category: Annotated[str, Length(0, 100), Help("such as best newcomer; empty for places")] = ""
    winner: Annotated[str, Length(0, 200), Help("who won a category; empty until an organiser says it")] = ""


@dataclass(frozen=True)
class Award:
    """A prize with its winners; they are ``level`` if they share places ``first`` to ``last``.

    ``by_lot`` are those of the winners whom only a lot separates from another entry.
    """

    prize: Prize
    winners: tuple[str, ...] = ()
    level: bool = False
    first: int = 0
    last: int = 0
    by_lot: tuple[str, ...] = ()


class FinalRank(NamedTuple):
    """An entry of the final ranking: ``by_lot`` says that only a lot separates it from another."""

    rank: int
    name: str
    by_lot: bool = False
    entry: str = ""


def check(prizes: Sequence[Prize]) -> None:
    """Raise `Malformed` for a prize with neither places nor a category, or both, or places reversed."""
    wrong = [
        number
        for number, each in enumerate(prizes)
        if bool(each.category) == bool(each.first) or each.last < each.first
    ]
    if wrong:
        sentences = [text("A prize is for places, such as 1 to 3, or for a category.")]
        raise Malformed({f"prizes.{number}": sentences for number in wrong})


def from_lines(written: str) -> tuple[Prize, ...]:
    """Return the prizes of a text, one in a line: ``1: a cup``, ``2-3: a medal``, ``Newcomer: wine = Anna``.

    Raises `Malformed` for field ``prizes``, naming the line.
    """
    cleaned = enumerate(map(one_line, written.splitlines()), 1)
    lines = [(number, line) for number, line in cleaned if line]
    if len(lines) > MOST_PRIZES:
        raise Malformed({"prizes": [text("At most %(most)d prizes can be listed.", most=MOST_PRIZES)]})
    return tuple(_from_line(number, line) for number, line in lines)


def _from_line(number: int, line: str) -> Prize:
    found = _LINE.fullmatch(line)
    if found is None:
        raise _wrong(number)
    what, prize, winner = (part.strip() for part in found.groups(default=""))
    if not what or not 0 < len(prize) <= 200 or len(what) > 100 or len(winner) > 200:
        raise _wrong(number)
    places = _PLACES.fullmatch(what)
    if places is None:
        return Prize(prize, category=what, winner=winner)
    first = int(places[1])
    last = int(places[2] or first)
    if not 0 < first <= last or winner:
        raise _wrong(number)
    return Prize(prize, first, last)


def _wrong(number: int) -> Malformed:
    return Malformed(
        {
            "prizes": [
                text(
                    "Line %(number)d is not a prize. Write places or a category, a colon and the prize: "
                    "“1: a cup”, “2-3: a medal”, “Best newcomer: wine”.",
                    number=number,
                )
            ]
        }
    )


def as_lines(prizes: Sequence[Prize]) -> str:
    """Return prizes as the text that `from_lines` reads."""
    return "\n".join(map(_as_line, prizes))


def _as_line(prize: Prize) -> str:
    places = str(prize.first) if prize.first == prize.last else f"{prize.first}-{prize.last}"
    line = f"{prize.category or places}: {prize.prize}"
    return f"{line} = {prize.winner}" if prize.winner else line


def awards(
    prizes: Sequence[Prize], ranking: Sequence[FinalRank], won: Mapping[Prize, tuple[str, ...]] = {}
) -> tuple[Award, ...]:
    """Return prizes with their winners by the final ``ranking``, the best first.

    Equal ranks share the places that they cover: two of rank 1 are level on places 1 and 2. ``won`` are the
    winners of categories of whom no organiser said anything.
    """
    return tuple(_award(prize, ranking, won.get(prize, ())) for prize in prizes)


def _award(prize: Prize, ranking: Sequence[FinalRank], of_category: tuple[str, ...]) -> Award:
    if prize.category:
        return Award(prize, (prize.winner,) if prize.winner else of_category)
    ranks = [each.rank for each in ranking]
    covered = {rank: (rank, rank + ranks.count(rank) - 1) for rank in ranks}
    won = [
        (covered[each.rank], each)
        for each in ranking
        if covered[each.rank][0] <= prize.last and covered[each.rank][1] >= prize.first
    ]
    level = [places for places, _each in won if places[0] != places[1]]
    first, last = (min(each[0] for each in level), max(each[1] for each in level)) if level else (0, 0)
    names = tuple(each.name for _places, each in won)
    by_lot = tuple(each.name for _places, each in won if each.by_lot)
    return Award(prize, names, bool(level), first, last, by_lot)


# ---- Details -------------------------------------------------------------------------------------

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
    round_minutes: Annotated[
        int, Between(0, MOST_MINUTES), Help("how long a round of the evening lasts; 0: no timetable")
    ] = 0
    break_after: Annotated[
        int, Between(0, MOST_ROUNDS), Help("after how many rounds there is a break; 0: none")
    ] = 0
    break_minutes: Annotated[int, Between(0, MOST_MINUTES), Help("how long the break lasts")] = 0

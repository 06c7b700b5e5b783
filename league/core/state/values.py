"""The types of events' fields: ids, names, reasons, numbers, times and choices."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final, Literal, TypeAlias

from games.engine.shapes import Between, Help, IsName, Length, Matching, Reference
from games.engine.textinput import OTHER_EXACT, exact, in_ascii

MAX_ENTRIES: Final = 2000
MAX_TEAM: Final = 10
FIRST_YEAR: Final = 1900
LAST_YEAR: Final = 2199
"""Later days could not be told in every zone, nor in every calendar."""

AN_ID: Final = "5b0d0a2e-8c3b-4a39-9d51-0d2a37f4e0c1"
Id: TypeAlias = Annotated[
    str, Matching(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "an id", example=AN_ID)
]
Name: TypeAlias = Annotated[str, Length(1, 100), IsName()]
OwnName: TypeAlias = Annotated[str, Length(0, 100), IsName()]
"""The name that an entry has of its own; empty where it is named after its players."""
Reason: TypeAlias = Annotated[str, Length(1, 500), Help("why, for everyone to read")]
Note: TypeAlias = Annotated[str, Length(0, 500), Help("why, for everyone to read")]
Points: TypeAlias = Annotated[
    str,
    Matching(
        r"-?\d{1,9}(?:/[1-9]\d{0,8})?",
        "a number or fraction such as 7/2",
        example="7/2",
        reads=exact,
        other=OTHER_EXACT,
    ),
]
Count: TypeAlias = Annotated[int, Between(1, 1000)]
Keyword: TypeAlias = Annotated[
    str, Matching(r"[a-z][a-z0-9_]{0,39}", "a key such as round_robin", example="round_robin")
]


def _point_in_time(written: str) -> None:
    """Raise ValueError for a time that no calendar has, or that not every zone can tell."""
    if not FIRST_YEAR <= datetime.fromisoformat(written).year <= LAST_YEAR:
        raise ValueError


Time: TypeAlias = Annotated[
    str,
    Matching(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z",
        "a time in UTC",
        example="2027-01-31T18:00:00Z",
        reads=in_ascii,
        means=_point_in_time,
    ),
]
Hash: TypeAlias = Annotated[str, Matching(r"[0-9a-f]{64}", "64 hexadecimal digits", example="5d" * 32)]
Signature: TypeAlias = Annotated[str, Matching(r"(?:[0-9a-f]{96})?", "96 hexadecimal digits, or none")]
Entropy: TypeAlias = Literal["texts", "beacon"]
Pace: TypeAlias = Literal["automatic", "manual"]
SeriesAddress: TypeAlias = Annotated[
    str,
    Matching(r"series/[a-zA-Z0-9_-]{1,80}", "series/ and the address of a series", example="series/year"),
]
"""One of several series, where ``series`` is the last opened."""
SeededBy: TypeAlias = Literal["", "hand", "entered", "rating", "series", "evening"]
"""By what entries are seeded; empty for nothing yet."""
Lineup: TypeAlias = Literal["single", "partners", "boards"]
Overdue: TypeAlias = Literal["organiser", "defaults", "forfeit"]
Policy: TypeAlias = Literal["win", "middle", "average", "last", "none"]
LineRule: TypeAlias = Literal["lots", "seed", "all", "play_off"]
"""How a tie on the last place that counts is decided."""
Decider: TypeAlias = Literal["", "lots", "lots_to_come", "tie_breaks", "seed", "all", "play_off"]
"""What decided such a tie; empty where there was none."""
WhyDivision: TypeAlias = Literal["promoted", "next_best", "relegated", "stays", "kept", "surplus", "no_place"]
"""Why an entry of a division goes up, goes down or stays."""
Why: TypeAlias = Literal["qualified", "out", "new", "placed", WhyDivision]
"""Why an entry goes where it goes in the next stage."""
AnyObject: TypeAlias = Mapping[str, Any]
"""JSON whose fields are declared by the ruleset, the format or the scheduler."""
SeatPair: TypeAlias = Annotated[tuple[Id, ...], Length(2, 2)]
"""An entry and the player who sits there for it."""
EntryId: TypeAlias = Annotated[Id, Reference("entry")]
PlayerId: TypeAlias = Annotated[Id, Reference("player")]
TableId: TypeAlias = Annotated[Id, Reference("table")]
GameId: TypeAlias = Annotated[Id, Reference("game")]
FromRound: TypeAlias = Annotated[
    Count | None,
    Help(
        "the first round that it counts for; by default the next one, or an open-ended one while it is played"
    ),
]
WhenAway: TypeAlias = Literal["", "put_off", "absent"]
"""What follows for whoever is away on the day of a round: nothing, tables that are put off, or absence."""
NextRound: TypeAlias = Annotated[
    Count | None, Help("by default the next round, or an open-ended one while it is played")
]
Team: TypeAlias = Annotated[tuple[PlayerId, ...], Length(1, MAX_TEAM)]
Entries: TypeAlias = Annotated[tuple[EntryId, ...], Length(0, MAX_ENTRIES)]
Affiliation: TypeAlias = Annotated[str, Length(0, 100), Help("draws keep entries of one affiliation apart")]
Instant: TypeAlias = Annotated[
    str,
    Matching(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)",
        "a time such as 2027-01-31T18:00:00Z",
        example="2027-01-31T18:00:00Z",
        reads=in_ascii,
    ),
]

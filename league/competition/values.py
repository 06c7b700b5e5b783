"""The values that events are made of: ids, names, reasons, numbers, times and words."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

from games.engine.shapes import Between, Help, Length, Matching

MAX_ENTRIES: Final = 2000
MAX_TEAM: Final = 10

Id: TypeAlias = Annotated[str, Matching(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "an id")]
Name: TypeAlias = Annotated[str, Length(1, 100)]
Reason: TypeAlias = Annotated[str, Length(1, 500), Help("why, for everyone to read")]
Note: TypeAlias = Annotated[str, Length(0, 500), Help("why, for everyone to read")]
Points: TypeAlias = Annotated[
    str, Matching(r"-?\d{1,9}(?:/[1-9]\d{0,8})?", "a number or fraction such as 7/2")
]
Count: TypeAlias = Annotated[int, Between(1, 1000)]
Keyword: TypeAlias = Annotated[str, Matching(r"[a-z][a-z0-9_]{0,39}", "a key such as round_robin")]
Time: TypeAlias = Annotated[str, Matching(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z", "a time in UTC")]
Pace: TypeAlias = Literal["automatic", "manual"]
Lineup: TypeAlias = Literal["single", "partners", "boards"]
Overdue: TypeAlias = Literal["organiser", "defaults", "forfeit"]
Policy: TypeAlias = Literal["win", "middle", "average", "last", "none"]
Elsewhere: TypeAlias = Mapping[str, Any]
"""JSON that the ruleset, the format or the scheduler declares."""
SeatPair: TypeAlias = Annotated[tuple[Id, ...], Length(2, 2)]
"""An entry and the player who sits there for it."""

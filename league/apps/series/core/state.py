"""The state of a series: its rule, its evenings, and what the club says of people."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Final, Literal, TypeAlias

from games.engine.refusals import Illegal
from games.engine.shapes import Between, Help, Length, Matching
from games.engine.textinput import OTHER_EXACT, exact, in_ascii
from games.engine.values import replace
from league.apps.series.core.ranking import Facts, Prize, Span
from league.apps.series.core.rule import Rule
from league.core.state import values as v

Ranked: TypeAlias = Annotated[
    Literal["everybody", "counted"], Help("who is ranked: everybody who played, or who the club counts")
]


def _day(written: str) -> None:
    """Raise ValueError for a day that no calendar has, or of another century than those of competitions."""
    if not v.FIRST_YEAR <= date.fromisoformat(written).year <= v.LAST_YEAR:
        raise ValueError


Day: TypeAlias = Annotated[
    str,
    Matching(
        r"\d{4}-\d\d-\d\d",
        "a day such as 2027-01-31",
        example="2027-01-31",
        reads=in_ascii,
        means=_day,
    ),
]
Total: TypeAlias = Annotated[
    str,
    Matching(
        r"-?\d{1,12}(?:/[1-9]\d{0,8})?",
        "a number or fraction such as 7/2",
        example="7/2",
        reads=exact,
        other=OTHER_EXACT,
    ),
]
Players: TypeAlias = Annotated[tuple[v.PlayerId, ...], Length(1, v.MAX_ENTRIES)]
_MANY: Final = 100_000
MOST_LISTS: Final = 100
"""How many lists somebody plays on an evening at most: each is a part of its own where lists count."""


@dataclass(frozen=True)
class TypedTotal:
    """What a person had of an evening that was played elsewhere, or before the series."""

    player: v.PlayerId
    points: Total
    deals: Annotated[int, Between(0, _MANY), Help("deals played; 0: nobody wrote that down")] = 0
    tables: Annotated[
        int, Between(0, MOST_LISTS), Help("tables, or lists, played; 0: nobody wrote that down")
    ] = 0
    partners: Annotated[tuple[v.PlayerId, ...], Length(0, v.MAX_TEAM), Help("who had the same total")] = ()


@dataclass(frozen=True)
class BroughtShare:
    """What a person had of another club's evening, where the file of that calls them ``theirs``."""

    player: v.PlayerId
    theirs: v.PlayerId
    points: Total
    rank: Annotated[int, Between(1, v.MAX_ENTRIES), Help("the best of those that others share")]
    level: Annotated[int, Between(0, v.MAX_ENTRIES), Help("how many others share it")] = 0
    deals: Annotated[int, Between(0, _MANY)] = 0
    tables: Annotated[int, Between(0, MOST_LISTS)] = 0


@dataclass(frozen=True)
class Brought:
    """The file of another club from which an evening comes: of which competition, as far as this head.

    No hash covers the id of a competition: the first entry of its log, by its hash, tells which it is.
    """

    club: v.Name
    competition: v.Id
    head: v.Hash
    opening: Annotated[v.Hash, Help("of its first entry")] = ""

    def is_of(self, other: "Brought") -> bool:
        """Return whether both are of one competition, perhaps of different states of its log."""
        same = self.competition == other.competition or self.head == other.head
        return same or bool(self.opening and self.opening == other.opening)

    def is_file(self, other: "Brought") -> bool:
        """Return whether both are the very same file."""
        return (self.competition, self.head) == (other.competition, other.head)


@dataclass(frozen=True)
class Evening:
    """An evening of a series; its ``id`` is the number of the entry that added it.

    It is that of a ``competition``, or has ``totals`` that were typed in, or ``shares`` that were ``brought``
    from another club, of ``field`` entries at so many ``tables``. ``deals`` are those of a table in each
    list. ``corrected``: totals were changed, or what it counts after a later evening was added.
    """

    id: int
    on: str
    name: str = ""
    competition: str = ""
    totals: tuple[TypedTotal, ...] = ()
    field: int = 0
    tables: int = 0
    low_wins: bool = False
    deals: int = 0
    weight: int = 1
    final: bool = False
    corrected: bool = False
    brought: Brought | None = None
    shares: tuple[BroughtShare, ...] = ()

    def with_shares_of(self, other: "Evening") -> "Evening":
        """Return an evening that was brought, with what other people had of it; raise `Illegal`."""
        named = {name for each in self.shares for name in (each.player, each.theirs)}
        if any(each.player in named or each.theirs in named for each in other.shares):
            raise Illegal("Somebody of them is in this evening already.")
        of_all = [(each.on, each.field, each.tables, each.low_wins) for each in (self, other)]
        if of_all[0] != of_all[1]:
            raise Illegal("The competition is an evening of the series already, with other figures.")
        both = sorted((*self.shares, *other.shares), key=lambda share: share.player)
        return replace(self, shares=tuple(both))


@dataclass(frozen=True)
class LeftOut:
    """The ``first`` of another ``table`` of the club, who have no rank: of a series, or of a competition."""

    of: str
    table: str
    first: int
    players: tuple[str, ...]


@dataclass(frozen=True)
class Series:
    """A series after ``seq`` entries.

    ``evenings`` are in their order: by date, those of a day as they were added. ``counted`` are the spans in
    which each person is ranked, ``declared`` who declared which evening, ``merged`` who is whom now.
    ``removed`` are evenings that were taken out after a later one was added.
    """

    seq: int
    name: str
    rule: Rule
    ranked: Literal["everybody", "counted"]
    evenings: tuple[Evening, ...] = ()
    counted: tuple[tuple[str, Span], ...] = ()
    declared: tuple[tuple[str, int], ...] = ()
    prizes: tuple[Prize, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    merged: tuple[tuple[str, str], ...] = ()
    removed: tuple[Evening, ...] = ()
    closed: bool = False

    def evening(self, evening: int) -> Evening:
        """Return an evening by its id; raise `Illegal`."""
        found = next((each for each in self.evenings if each.id == evening), None)
        if found is None:
            raise Illegal("The series has no such evening.")
        return found

    def evening_of(self, competition: str) -> Evening | None:
        """Return the evening of a competition, None where it has none in the series."""
        return next((each for each in self.evenings if each.competition == competition), None)

    @property
    def days(self) -> Sequence[str]:
        """Return the days of the evenings, in order."""
        return [each.on for each in self.evenings]

    @property
    def begins_on(self) -> date | None:
        """Return the day of the first evening, None without one."""
        return date.fromisoformat(self.evenings[0].on) if self.evenings else None

    @property
    def numbers(self) -> Mapping[int, int]:
        """Return the number of each evening, counted from 1 by date, by its id."""
        return {each.id: number for number, each in enumerate(self.evenings, 1)}

    def now(self, player: str) -> str:
        """Return who a player is now: another one, where they were merged."""
        known = dict(self.merged)
        while player in known:
            player = known[player]
        return player

    def declares_left(self, player: str) -> int:
        """Return for how many more evenings a person can declare that they shall count."""
        declared = {evening for each, evening in self.declared if self.now(each) == player}
        return max(0, self.rule.count.declared - len(declared))

    def facts(self, played: Iterable[str]) -> Facts:
        """Return what the club says of people; where everybody is ranked, of those who ``played``."""
        spans = dict[str, list[Span]]()
        if self.ranked == "everybody":
            spans = {player: [Span(date.min)] for player in {*played}}
        else:
            for player, span in self.counted:
                spans.setdefault(self.now(player), []).append(span)
        declared, numbers = dict[str, set[int]](), self.numbers
        for player, evening in self.declared:
            declared.setdefault(self.now(player), set()).add(numbers[evening])
        prizes = tuple(Prize(self.now(each.person), each.on, each.name) for each in self.prizes)
        left_out = [(self.now(player), each.table) for each in self.left_out for player in each.players]
        return Facts(spans, declared, prizes, left_out)

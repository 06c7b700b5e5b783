"""What a competition's log says so far: frozen values, and the plain questions that they answer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from games.engine.chance import Chance
from games.engine.jsontypes import JsonObject
from games.engine.refusals import Illegal
from league.competition.events import Opened, Placing, StagePlan

EntryStatus: TypeAlias = Literal["applied", "rejected", "waiting", "entered", "withdrawn"]
Status: TypeAlias = Literal["preparing", "entering", "running", "paused", "finished", "cancelled"]
Outcome: TypeAlias = Literal["no_show", "forfeit", "walkover"]
RoundStatus: TypeAlias = Literal["drawn", "published", "closed"]
TableStatus: TypeAlias = Literal["drawn", "playing", "abandoned", "played", "walkover", "void"]

Point: TypeAlias = tuple[int, int]
"""A stage and a round of it."""
BEGINNING: Point = (0, 0)


@dataclass(frozen=True)
class Entry:
    """A player or a team in the competition.

    ``lineups`` are the players by the first round they play in; ``spells`` are the stretches it takes part
    in: the first round of each, and the first round after it.
    """

    id: str
    name: str
    lineups: tuple[tuple[Point, tuple[str, ...]], ...]
    status: EntryStatus
    affiliation: str = ""
    checked_in: bool = False
    spells: tuple[tuple[Point, Point | None], ...] = ((BEGINNING, None),)
    absences: tuple[Point, ...] = ()

    @property
    def players(self) -> tuple[str, ...]:
        """Return the latest line-up."""
        return self.lineups[-1][1]

    @property
    def live(self) -> bool:
        """Return whether the entry holds or asks for a place."""
        return self.status in ("applied", "waiting", "entered")

    def lineup(self, at: Point) -> tuple[str, ...]:
        """Return who plays for the entry in a round."""
        return next(players for since, players in reversed(self.lineups) if since <= at)

    def takes_part(self, at: Point) -> bool:
        """Return whether the entry belongs to a round, there or absent."""
        if self.status not in ("entered", "withdrawn"):
            return False
        return any(since <= at and (until is None or at < until) for since, until in self.spells)

    def engaged(self, since: Point) -> frozenset[str]:
        """Return everybody who plays or asks to play for the entry in some round from a point on."""
        if self.status == "rejected":
            return frozenset()
        return frozenset(
            player
            for start, end in self.spells
            if end is None or end > since
            for player in self._between(max(start, since), end)
        )

    def _between(self, start: Point, end: Point | None) -> Iterator[str]:
        """Yield the players of every line-up from one point up to another."""
        yield from self.lineup(start)
        for since, players in self.lineups:
            if start < since and (end is None or since < end):
                yield from players

    def plays(self, at: Point) -> bool:
        """Return whether a draw of the round must seat the entry or give it a bye."""
        return self.takes_part(at) and at not in self.absences


@dataclass(frozen=True)
class Seat:
    """A place at a table: the player, and the entry it plays for."""

    entry: str
    player: str


@dataclass(frozen=True)
class Result:
    """How a game ended, or how it was ruled to have ended; ``seq`` is the event that said so."""

    placings: tuple[Placing, ...]
    seq: int


@dataclass(frozen=True)
class TableGame:
    """A game of a table, with its result once it is over."""

    id: str
    abandoned: bool = False
    result: Result | None = None


@dataclass(frozen=True)
class Table:
    """A table of a round and what has become of it."""

    id: str
    seats: tuple[Seat, ...]
    group: int
    board: int = 1
    label: str = ""
    games: tuple[TableGame, ...] = ()
    ruling: Result | None = None
    outcomes: tuple[tuple[str, Outcome], ...] = ()
    walked_over: bool = False
    void: str | None = None

    @property
    def entries(self) -> tuple[str, ...]:
        """Return the entries at the table, each once, in seat order."""
        return tuple(dict.fromkeys(seat.entry for seat in self.seats))

    @property
    def results(self) -> tuple[Result, ...]:
        """Return the results that count: the ruling alone where there is one; none at a void table."""
        if self.void is not None:
            return ()
        if self.ruling:
            return (self.ruling,)
        return tuple(game.result for game in self.games if game.result)

    @property
    def status(self) -> TableStatus:
        """Return where the table stands; ``abandoned`` waits for an organiser."""
        if self.void is not None:
            return "void"
        if self.walked_over:
            return "walkover"
        if self.ruling:
            return "played"
        if not self.games:
            return "drawn"
        if any(game.abandoned for game in self.games):
            return "abandoned"
        return "played" if all(game.result for game in self.games) else "playing"

    @property
    def decided(self) -> bool:
        """Return whether nothing more is awaited from the table."""
        return self.status in ("played", "walkover", "void")

    @property
    def outcome_of(self) -> Mapping[str, Outcome]:
        """Return what is said of entries beside, or in place of, their results."""
        return dict(self.outcomes)


@dataclass(frozen=True)
class Round:
    """A round of a stage; ``proposed`` and ``proposed_byes`` keep what was drawn before seats were moved.

    ``drawn_at`` is the event that first proposed it.
    """

    number: int
    status: RoundStatus
    tables: tuple[Table, ...]
    byes: tuple[str, ...]
    idle: tuple[str, ...]
    proposed: tuple[Table, ...]
    proposed_byes: tuple[str, ...]
    report: JsonObject
    drawn_at: int
    open: bool = False
    moved: tuple[str, ...] = ()
    deadline: str | None = None

    @property
    def decided(self) -> bool:
        """Return whether every table is."""
        return all(table.decided for table in self.tables)


@dataclass(frozen=True)
class Adjustment:
    """Points given or taken by an organiser."""

    entry: str
    points: Fraction
    reason: str
    seq: int


@dataclass(frozen=True)
class Stage:
    """A stage that has begun: its groups (best seed first) and its rounds."""

    number: int
    plan: StagePlan
    groups: tuple[tuple[str, ...], ...]
    carried: tuple[tuple[str, Fraction], ...] = ()
    rounds: tuple[Round, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()

    @property
    def entries(self) -> tuple[str, ...]:
        """Return the entries of all groups."""
        return tuple(entry for group in self.groups for entry in group)

    @property
    def open_round(self) -> Round | None:
        """Return the round that is drawn or played now."""
        return self.rounds[-1] if self.rounds and self.rounds[-1].status != "closed" else None

    @property
    def shown_rounds(self) -> tuple[Round, ...]:
        """Return the rounds that were published."""
        return tuple(each for each in self.rounds if each.status != "drawn")


@dataclass(frozen=True)
class Competition:
    """A competition after ``seq`` events."""

    seq: int
    opening: Opened
    status: Status
    plans: tuple[StagePlan, ...]
    entries: tuple[Entry, ...] = ()
    stages: tuple[Stage, ...] = ()
    started: bool = False
    reason: str = ""

    @property
    def chance(self) -> Chance:
        """Return the competition's chance: every draw and lot, from the seed in its opening."""
        return Chance(bytes.fromhex(self.opening.seed))

    @property
    def stage(self) -> Stage | None:
        """Return the stage that was begun last."""
        return self.stages[-1] if self.stages else None

    @property
    def withheld_from(self) -> int | None:
        """Return the first event that is not public yet: the draw of a round that is to be published."""
        proposal = self.stage.open_round if self.stage and not self.over else None
        return proposal.drawn_at if proposal and proposal.status == "drawn" else None

    @property
    def over(self) -> bool:
        """Return whether the log is closed."""
        return self.status in ("finished", "cancelled")

    def entry(self, entry: str) -> Entry:
        """Return an entry by its id; raise `Illegal`."""
        found = next((each for each in self.entries if each.id == entry), None)
        if found is None:
            raise Illegal("There is no such entry in this competition.")
        return found

    def entry_with(self, player: str) -> Entry | None:
        """Return the entry for which a player plays or asks to, else the last one they were in, if any."""
        theirs = [each for each in self.entries if player in each.players]
        return next((each for each in theirs if each.live), theirs[-1] if theirs else None)

    def stage_numbered(self, number: int) -> Stage:
        """Return a stage that has begun; raise `Illegal`."""
        if not 1 <= number <= len(self.stages):
            raise Illegal(f"Stage {number} has not begun.")
        return self.stages[number - 1]

    def tables(self) -> Iterator[tuple[Stage, Round, Table]]:
        """Yield every table with its stage and round, newest rounds first."""
        for stage in reversed(self.stages):
            for each in reversed(stage.rounds):
                for table in each.tables:
                    yield stage, each, table

    def table(self, table: str) -> tuple[Stage, Round, Table]:
        """Return a table by its id, with its stage and round; raise `Illegal`."""
        found = next((each for each in self.tables() if each[2].id == table), None)
        if found is None:
            raise Illegal("There is no such table in this competition.")
        return found

    def field(self, stage: Stage, number: int) -> tuple[tuple[str, ...], ...]:
        """Return, group by group, the entries that a draw of the round must place."""
        known = {entry.id: entry for entry in self.entries}
        at = (stage.number, number)
        return tuple(tuple(entry for entry in group if known[entry].plays(at)) for group in stage.groups)

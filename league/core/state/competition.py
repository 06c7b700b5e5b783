"""The state of a competition: entries, stages, rounds and tables as frozen values."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from games.engine.jsontypes import JsonObject
from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.state.cut_off import CutOff, GivenText, Origin, Purpose
from league.core.state.entry import BEGINNING as BEGINNING
from league.core.state.entry import Entries as Entries
from league.core.state.entry import Entry as Entry
from league.core.state.entry import EntryStatus as EntryStatus
from league.core.state.entry import Point as Point
from league.core.state.moves import Move
from league.core.state.plan import Opening, StagePlan
from league.core.state.table import Decision as Decision
from league.core.state.table import Outcome as Outcome
from league.core.state.table import Postponement as Postponement
from league.core.state.table import Result as Result
from league.core.state.table import Seat as Seat
from league.core.state.table import Table as Table
from league.core.state.table import TableGame as TableGame
from league.core.state.table import Tables as Tables
from league.core.state.table import TableStatus as TableStatus

Status: TypeAlias = Literal["preparing", "entering", "running", "paused", "finished", "cancelled"]
RoundStatus: TypeAlias = Literal["drawn", "published", "closed"]

PLAY_OFF: Final = "play-off"
"""The label of a table whose result decides a tie on the last place that counts, and nothing else."""
NO_ENTRIES: Final = Entries()


@dataclass(frozen=True)
class Round:
    """A round of a stage.

    ``proposed`` and ``proposed_byes`` are the draw as it was before seats were moved, ``placed`` and
    ``placed_byes`` the same after that. The tables and byes are these without the entries that have left
    since the cut-off. ``origins`` are those of its drafts in order, the last one its own.
    """

    number: int
    status: RoundStatus
    tables: Tables
    byes: tuple[str, ...]
    idle: tuple[str, ...]
    proposed: tuple[Table, ...]
    proposed_byes: tuple[str, ...]
    placed: tuple[Table, ...]
    placed_byes: tuple[str, ...]
    report: JsonObject
    origins: tuple[Origin, ...]
    open: bool = False
    moved: tuple[str, ...] = ()
    deadline: str | None = None

    @property
    def undecided(self) -> tuple[Table, ...]:
        """Return the tables that the round waits for: those neither decided nor put off."""
        return tuple(table for table in self.tables if not (table.decided or table.to_come))

    @property
    def play_off(self) -> bool:
        """Return whether the round has play-offs, which give no points."""
        return any(table.label == PLAY_OFF for table in self.tables)


@dataclass(frozen=True)
class Adjustment:
    """Points that an organiser gave, or took if negative; ``round`` is the last one published then."""

    entry: str
    points: Fraction
    reason: str
    seq: int
    round: int = 0


@dataclass(frozen=True)
class Placement:
    """An organiser's decision that an entry plays in a group of the next stage, whatever its rank."""

    entry: str
    group: int
    reason: str


@dataclass(frozen=True)
class Lots:
    """The lots of a stage's entries, the best one first, and where they come from."""

    order: tuple[str, ...]
    origin: Origin


@dataclass(frozen=True)
class Stage:
    """A stage that has begun: its groups (best seed first) and its rounds.

    ``origin`` is that of groups which were drawn. There are no ``lots`` until the stage closes.
    ``moves`` say how entries came into it, or why not. ``sizes`` are those of the groups at its start.
    ``corrected``: something was changed after its standings had been final. ``placements`` are those that its
    start used up.
    """

    number: int
    plan: StagePlan
    groups: tuple[tuple[str, ...], ...]
    carried: tuple[tuple[str, Fraction], ...] = ()
    rounds: tuple[Round, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    moves: tuple[Move, ...] = ()
    sizes: tuple[int, ...] = ()
    corrected: bool = False
    placements: tuple[Placement, ...] = ()
    origin: Origin | None = None
    lots: Lots | None = None

    @property
    def entries(self) -> tuple[str, ...]:
        """Return the entries of all groups."""
        return tuple(entry for group in self.groups for entry in group)

    def to_come(self, through: int | None = None) -> Counter[str]:
        """Return how many tables of each entry are put off, in all rounds or those up to ``through``."""
        rounds = self.shown_rounds[:through]
        tables = (table for each in rounds for table in each.tables if table.to_come)
        return Counter(entry for table in tables for entry in table.entries)

    @property
    def open_round(self) -> Round | None:
        """Return the round that is not closed yet: drawn, or being played."""
        return self.rounds[-1] if self.rounds and self.rounds[-1].status != "closed" else None

    @property
    def drawn_round(self) -> Round | None:
        """Return the round that is drawn and not published yet."""
        return self.open_round if self.open_round and self.open_round.status == "drawn" else None

    @property
    def current_round(self) -> Round | None:
        """Return the round that is being played."""
        return self.open_round if self.open_round and self.open_round.status == "published" else None

    @property
    def shown_rounds(self) -> tuple[Round, ...]:
        """Return the published rounds, closed ones too."""
        return self.rounds[:-1] if self.drawn_round else self.rounds


@dataclass(frozen=True)
class Pending:
    """A cut-off whose draw is not public yet: its event's number, the root then in force, and the state that
    it froze, from which the draw is made."""

    cut_off: CutOff
    seq: int
    root: str
    frozen: "Competition"


@dataclass(frozen=True)
class Competition:
    """A competition after ``seq`` events; ``placements`` are those in the next stage.

    ``before_start`` and ``before_end`` are the statuses to which it returns when its start, or its end, is
    taken back; the first also says whether entries are open in an open-ended round. ``final_stages``: how
    many stages it had when it was last finished. ``withdrawn`` are the rounds that were published and then
    withdrawn.

    ``next_k`` is the number of the first secret value that no cut-off has used. ``texts`` are those for the
    next draw. ``drafts`` are the draws of the coming round so far, ``drafted_at`` the number of the first
    one's event. ``shown`` is the number of the last event that changed what everybody may read.
    """

    seq: int
    opening: Opening
    status: Status
    plans: tuple[StagePlan, ...]
    entries: Entries = NO_ENTRIES
    stages: tuple[Stage, ...] = ()
    started: bool = False
    reason: str = ""
    placements: tuple[Placement, ...] = ()
    before_start: Status = "preparing"
    before_end: Status = "running"
    final_stages: int = 0
    withdrawn: tuple[Round, ...] = ()
    root: str = ""
    next_k: int = 0
    texts: tuple[GivenText, ...] = ()
    pending: Pending | None = None
    drafts: tuple[Origin, ...] = ()
    drafted_at: int | None = None
    shown: int = 1

    @property
    def stage(self) -> Stage | None:
        """Return the stage that began last."""
        return self.stages[-1] if self.stages else None

    @property
    def next_plan(self) -> StagePlan | None:
        """Return the plan of the stage that begins next, None where no further one is planned."""
        return self.plans[len(self.stages)] if len(self.stages) < len(self.plans) else None

    @property
    def withheld_from(self) -> int | None:
        """Return the number of the first event that is not public yet: the draw of an unpublished round."""
        return self.drafted_at if not self.over else None

    @property
    def without_drafts(self) -> "Competition":
        """Return the state without what only organisers may know while a round is drawn and not published."""
        stages = tuple(replace(stage, rounds=stage.shown_rounds) for stage in self.stages)
        unused = replace(self, seq=0, root="", next_k=0, texts=(), shown=0, stages=stages)
        return replace(unused, pending=None, drafts=(), drafted_at=None)

    @property
    def drawn_round(self) -> Round | None:
        """Return the round that is drawn and not published yet."""
        return self.stage.drawn_round if self.stage else None

    @property
    def current_round(self) -> Round | None:
        """Return the round that is being played."""
        return self.stage.current_round if self.stage else None

    @property
    def next_round(self) -> int:
        """Return the number of the first unpublished round of the current stage, or of the first stage."""
        stage = self.stage
        return len(stage.rounds) + (stage.drawn_round is None) if stage else 1

    @property
    def next_change(self) -> int:
        """Return the first round of the current stage in which it can still change who plays.

        That is an open-ended round while it is played, else the first unpublished one.
        """
        current = self.current_round
        return current.number if current and current.open else self.next_round

    @property
    def open_ended(self) -> bool:
        """Return whether an open-ended round is played: who enters now plays at once."""
        return bool(self.current_round and self.current_round.open)

    @property
    def entries_open(self) -> bool:
        """Return whether players can enter themselves: also in an open-ended round, until entries close."""
        if not self.started:
            return self.status == "entering"
        return self.open_ended and self.status == "running" and self.before_start == "entering"

    def pending_for(self, purpose: Purpose, stage: int, number: int = 0) -> Pending | None:
        """Return the cut-off for a purpose that is not over, None where there is none."""
        pending = self.pending
        if pending is None:
            return None
        cut_off = pending.cut_off
        return (
            pending if (cut_off.purpose, cut_off.stage, cut_off.round) == (purpose, stage, number) else None
        )

    @property
    def awaited_beacon(self) -> int:
        """Return the beacon's round that a draw waits for, 0 where none does."""
        waits = self.pending is not None and self.drawn_round is None and not self.over
        return self.pending.cut_off.beacon if self.pending and waits else 0

    @property
    def frozen_round(self) -> int | None:
        """Return the number of the unpublished round whose entries are fixed already."""
        cut_off = self.pending.cut_off if self.pending else None
        return cut_off.round if cut_off and cut_off.purpose == "round" else None

    def joining_round(self, entry: str = "") -> int:
        """Return the first round of the current stage that an entry can still join.

        After the cut-off of a round only entries that were present then can come back to it.
        """
        present = self.pending.cut_off.present if self.pending else ()
        return self.next_change + (self.frozen_round is not None and entry not in present)

    @property
    def over(self) -> bool:
        """Return whether the log is closed."""
        return self.status in ("finished", "cancelled")

    @property
    def full(self) -> bool:
        """Return whether the limit of entries is reached, if there is one."""
        limit = self.opening.entering.places
        return bool(limit) and sum(entry.status == "entered" for entry in self.entries) >= limit

    @property
    def not_checked_in(self) -> tuple["Entry", ...]:
        """Return the entries that take part and have not checked in, in their order."""
        return tuple(entry for entry in self.entries if entry.status == "entered" and not entry.checked_in)

    def misses(self, entry: Entry, at: Point) -> bool:
        """Return whether an entry that takes part in a round does not play in it.

        Before the start whoever has not checked in can still do so.
        """
        here = entry.here(at) or not self.started
        return entry.takes_part(at) and not (here and at not in entry.absences)

    @property
    def outside(self) -> frozenset[str]:
        """Return the ids of the entries that did not come into the current stage."""
        if self.stage is None:
            return frozenset()
        return frozenset(entry.id for entry in self.entries).difference(self.stage.entries)

    def entry(self, entry: str) -> Entry:
        """Return an entry by its id; raise `Illegal`."""
        known = self.entries.get(entry)
        if known is None:
            raise Illegal("There is no such entry in this competition.")
        return known

    def entry_with(self, player: str) -> Entry | None:
        """Return a player's live entry, else the last that they were in, None for neither."""
        theirs = [each for each in self.entries.found(player) if player in each.players]
        return next((each for each in theirs if each.live), theirs[-1] if theirs else None)

    def round_point(self, number: int) -> Point:
        """Return a round of the current stage, or before the start of the first, with the stage's number."""
        return max(1, len(self.stages)), number

    def upcoming(self, number: int) -> Point:
        """Return the point from which a change counts: the beginning, or a round of the current stage.

        Raises `Illegal` for a published round, unless it is open-ended and still played.
        """
        if not self.started:
            return BEGINNING
        if number < (first := self.next_change):
            raise Illegal(
                text(
                    "Round %(round)d is published; this can count from round %(first)d on.",
                    round=number,
                    first=first,
                )
            )
        return self.round_point(number)

    def refuse_while_grouping(self) -> None:
        """Raise `Illegal` between the cut-off and the draw of a stage's groups."""
        if self.pending and self.pending.cut_off.purpose == "groups":
            raise Illegal("The groups are being drawn: nobody can join until the stage has begun.")

    def joining(self, number: int, entry: str = "") -> Point:
        """Return the point from which an entry takes part: the beginning, or a round that it can join.

        Raises `Illegal` for a round that is published, or drawn without the entry.
        """
        since = self.upcoming(number)
        self.refuse_while_grouping()
        if self.started and number < (first := self.joining_round(entry)):
            raise Illegal(
                text(
                    "Round %(round)d is drawn; who comes now can play from round %(first)d on.",
                    round=number,
                    first=first,
                )
            )
        return since

    def stage_numbered(self, number: int) -> Stage:
        """Return a stage that has begun; raise `Illegal`."""
        if not 1 <= number <= len(self.stages):
            raise Illegal(text("Stage %(stage)d has not begun.", stage=number))
        return self.stages[number - 1]

    def tables(self) -> Iterator[tuple[Stage, Round, Table]]:
        """Yield every table with its stage and round, newest rounds first."""
        for stage in reversed(self.stages):
            for each in reversed(stage.rounds):
                for table in each.tables:
                    yield stage, each, table

    def table(self, table: str) -> tuple[Stage, Round, Table]:
        """Return a table by its id, with its stage and round; raise `Illegal`."""
        for stage in reversed(self.stages):
            for each in reversed(stage.rounds):
                if found := each.tables.get(table):
                    return stage, each, found
        raise Illegal("There is no such table in this competition.")

    @property
    def published_rounds(self) -> tuple[Round, ...]:
        """Return every round that was published, also those that were withdrawn."""
        return *self.withdrawn, *(each for stage in self.stages for each in stage.shown_rounds)

    def withdrawn_tables(self) -> Iterator[Table]:
        """Yield the tables of rounds that were published and withdrawn."""
        for each in self.withdrawn:
            yield from each.tables

    def any_table(self, table: str) -> Table:
        """Return a table by its id, also one of a round that was withdrawn; raise `Illegal`."""
        withdrawn = (each.tables.get(table) for each in self.withdrawn)
        return next(filter(None, withdrawn), None) or self.table(table)[2]

    def field(self, stage: Stage, number: int) -> tuple[tuple[str, ...], ...]:
        """Return, group by group, the entries that play in a round."""
        known = {entry.id: entry for entry in self.entries}
        at = (stage.number, number)
        return tuple(tuple(entry for entry in group if known[entry].plays(at)) for group in stage.groups)

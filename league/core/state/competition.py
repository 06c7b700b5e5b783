"""The state of a competition: entries, stages, rounds and tables as frozen values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core.state.challenges import Challenge
from league.core.state.cut_offs import NO_WISHES, CutOff, GivenText, Origin, Purpose, Sizes, Wishes
from league.core.state.entries import BEGINNING as BEGINNING
from league.core.state.entries import Entries as Entries
from league.core.state.entries import Entry as Entry
from league.core.state.entries import EntryStatus as EntryStatus
from league.core.state.entries import Point as Point
from league.core.state.plan import Opening, StagePlan
from league.core.state.rooms import NO_ROOMS, Rooms
from league.core.state.stages import PLAY_OFF as PLAY_OFF
from league.core.state.stages import Adjustment as Adjustment
from league.core.state.stages import Decision as Decision
from league.core.state.stages import Outcome as Outcome
from league.core.state.stages import Placement as Placement
from league.core.state.stages import Postponement as Postponement
from league.core.state.stages import Result as Result
from league.core.state.stages import Round as Round
from league.core.state.stages import RoundStatus as RoundStatus
from league.core.state.stages import Seat as Seat
from league.core.state.stages import Stage as Stage
from league.core.state.stages import Table as Table
from league.core.state.stages import TableGame as TableGame
from league.core.state.stages import Tables as Tables
from league.core.state.stages import TableStatus as TableStatus
from league.core.state.values import SeededBy, WhenAway

Counted: TypeAlias = tuple[TableStatus, tuple[tuple[str, Outcome], ...], tuple[Result, ...]]
Status: TypeAlias = Literal["preparing", "entering", "running", "paused", "finished", "cancelled"]
NO_ENTRIES: Final = Entries()


@dataclass(frozen=True)
class Pending:
    """A cut-off whose draw is not public yet: its event's number, the root then in force, and the state that
    it froze, from which the draw is made."""

    cut_off: CutOff
    seq: int
    root: str
    frozen: "Competition"


@dataclass(frozen=True)
class Posting:
    """Posted results: those after event ``after`` and up to ``seq``, to which one may object until a time."""

    seq: int
    after: int
    until: str


@dataclass(frozen=True)
class Objection:
    """An objection, numbered by its event; ``decision`` is empty until an organiser decides.

    ``counted`` is what counted at the table then. ``decided`` is the number of the event that decided it
    last, 0 before it; ``earlier`` are the decisions that this one replaced, the last one last.
    """

    number: int
    table: str
    entry: str
    what: str
    counted: Counted
    decision: str = ""
    reason: str = ""
    decided: int = 0
    earlier: "tuple[Objection, ...]" = ()

    @property
    def decisions(self) -> "tuple[Objection, ...]":
        """Return the objection with each decision about it, the last one last."""
        return (*self.earlier, self) if self.decided else ()


@dataclass(frozen=True)
class RoundDay:
    """The day on which a round is played, and what follows for whoever is away then."""

    at: Point
    day: str
    away: WhenAway


@dataclass(frozen=True)
class RoundSizes:
    """Sizes of the tables of a round that were set before it is drawn."""

    at: Point
    sizes: Sizes


@dataclass(frozen=True)
class Seeds:
    """The order in which a stage of all entries takes them in, the best first, by what, and its values.

    ``stage`` is the number of that stage: no other one is seeded by it.
    """

    by: SeededBy = ""
    entries: tuple[str, ...] = ()
    values: tuple[int, ...] = ()
    stage: int = 0


@dataclass(frozen=True)
class Competition:
    """A competition after ``seq`` events; ``placements`` are those in the next stage.

    ``before_start`` and ``before_end`` are the statuses to which it returns when its start, or its end, is
    taken back; the first also says whether entries are open in an open-ended round. ``final_stages``: how
    many stages it had when it was last finished. ``withdrawn`` are the rounds that were published and then
    withdrawn.

    ``next_k`` is the number of the first secret value that no cut-off has used. ``texts`` are those for the
    next draw. ``drafts`` are the draws of the coming round so far, ``drafted_at`` the number of the first
    one's event. ``shown`` is the number of the last event that changed what everybody may read. ``wishes``
    are those of this competition; in a state that a cut-off froze, all that count in its draw. ``sizes`` are
    those of the tables of that draw, where they are not as planned; ``ahead`` are those set for one to come.
    ``rooms`` are those of the rounds that are not published yet. ``days`` are those of rounds that have one.

    With ``checking`` a second person checks results, of which ``checked`` has the numbers, each with the
    entry for which the desk of its club did, empty for a person. ``posting`` are the results posted last,
    ``objections`` all that were made. ``seeds`` are those set for a stage of all. ``challenges`` are all that
    waited for an answer.
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
    wishes: Wishes = NO_WISHES
    sizes: Sizes = ()
    ahead: RoundSizes | None = None
    rooms: Rooms = NO_ROOMS
    days: tuple[RoundDay, ...] = ()
    checking: bool = False
    checked: Mapping[int, str] = field(default_factory=dict)
    posting: Posting | None = None
    objections: tuple[Objection, ...] = ()
    seeds: Seeds = Seeds()
    challenges: tuple[Challenge, ...] = ()

    @property
    def stage(self) -> Stage | None:
        """Return the stage that began last."""
        return self.stages[-1] if self.stages else None

    @property
    def repeated(self) -> Opening:
        """Return how another competition like this one opens: with stages that were added, but no season."""
        added = (each for each in self.plans[len(self.opening.stages) :] if each.intake.source != "promotion")
        return replace(self.opening, stages=(*self.opening.stages, *added))

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

    def day_of(self, at: Point) -> RoundDay | None:
        """Return the day of a round, None where it has none."""
        return next((each for each in self.days if each.at == at), None)

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
                "Round %(round)d is published; this can count from round %(first)d on.",
                round=number,
                first=first,
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
                "Round %(round)d is drawn; who comes now can play from round %(first)d on.",
                round=number,
                first=first,
            )
        return since

    def stage_numbered(self, number: int) -> Stage:
        """Return a stage that has begun; raise `Illegal`."""
        if not 1 <= number <= len(self.stages):
            raise Illegal("Stage %(stage)d has not begun.", stage=number)
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
        its_round = self.withdrawn_round(table)
        return (its_round and its_round.tables.get(table)) or self.table(table)[2]

    def withdrawn_round(self, table: str) -> Round | None:
        """Return the withdrawn round of a table, None where its round was not withdrawn."""
        return next((each for each in self.withdrawn if each.tables.get(table)), None)

    def field(self, stage: Stage, number: int) -> tuple[tuple[str, ...], ...]:
        """Return, group by group, the entries that play in a round."""
        known = {entry.id: entry for entry in self.entries}
        at = (stage.number, number)
        return tuple(tuple(entry for entry in group if known[entry].plays(at)) for group in stage.groups)

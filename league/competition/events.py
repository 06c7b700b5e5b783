"""The events of a competition's log (docs/competitions.md), declared once as shapes like a game's moves.

Stages, rounds and boards count from 1. Entries, players, tables and games are named by their ids.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from games.engine.base import read_typed, write_typed
from games.engine.jsontypes import JsonObject
from games.engine.refusals import Malformed
from games.engine.shapes import Between, Help, Length, Matching
from league.competition import values as v


@dataclass(frozen=True)
class Scoring:
    """How results become a stage's points; each outcome without a result has a policy of its own."""

    by: Annotated[Literal["place", "win", "score"], Help("what earns points")] = "place"
    place_points: Annotated[
        tuple[v.Points, ...],
        Length(0, 10),
        Help("for first, second, … place; empty: one for each one beaten"),
    ] = ()
    fair: Annotated[bool, Help("make tables of different size worth the same")] = True
    best: Annotated[int, Between(0, 1000), Help("how many of the best rounds count; 0: all of them")] = 0
    bye: v.Policy = "average"
    absent: v.Policy = "last"
    no_show: v.Policy = "last"
    forfeit: v.Policy = "last"
    walkover: v.Policy = "win"


@dataclass(frozen=True)
class Intake:
    """Who plays in a stage: every entry, or those that the stage before sends on."""

    source: Literal["entries", "best", "promotion"] = "entries"
    seeding: Annotated[Literal["lots", "order"], Help("by lot, or as entered, the best first")] = "lots"
    divide: Annotated[
        Literal["spread", "stack"], Help("seeds spread over the groups, or division by division")
    ] = "spread"
    best: Annotated[int, Between(0, 1000), Help("how many of each group go on")] = 0
    promoted: Annotated[int, Between(0, 100), Help("how many go up a division")] = 0
    relegated: Annotated[int, Between(0, 100), Help("how many go down a division")] = 0
    carry: Annotated[v.Points, Help("the part of the points that is carried over")] = "0"


@dataclass(frozen=True)
class StagePlan:
    """A stage as it was announced."""

    name: v.Name
    format: v.Keyword
    rounds: Annotated[int, Between(0, 1000), Help("0: as many as the format needs")]
    table_size: Annotated[int, Between(2, 10), Help("entries at a table, where numbers allow")]
    params: Annotated[v.Elsewhere, Help("what only this format asks")]
    scoring: Scoring = Scoring()
    tie_breaks: Annotated[tuple[v.Keyword, ...], Length(0, 20)] = ()
    groups: Annotated[int, Between(1, 100), Help("groups or divisions that play apart")] = 1
    intake: Intake = Intake()
    hours: Annotated[int, Between(0, 8784), Help("to play a round, from its publication; 0: no deadline")] = 0


@dataclass(frozen=True)
class Entering:
    """Who may enter, and how."""

    places: Annotated[int, Between(0, v.MAX_ENTRIES), Help("0: no limit; beyond it a waiting list")] = 0
    approval: Annotated[bool, Help("an organiser approves each player's own entry")] = False
    check_in: Annotated[bool, Help("who has not checked in misses the first round")] = False


@dataclass(frozen=True)
class Opened:
    """The competition exists: everything announced about it, fixed for good. The log's first event."""

    name: v.Name
    ruleset: Annotated[str, Length(1, 60)]
    options: v.Elsewhere
    seats: Annotated[tuple[Annotated[int, Between(1, 10)], ...], Length(1, 10), Help("players a game takes")]
    low_wins: bool
    stages: Annotated[tuple[StagePlan, ...], Length(1, 20)]
    seed: Annotated[str, Matching(r"[0-9a-f]{64}", "64 hexadecimal digits")]
    clock: v.Elsewhere
    pace: v.Pace = "manual"
    lineup: Annotated[v.Lineup, Help("single players, partners at one table, or a team on boards")] = "single"
    team_size: Annotated[int, Between(1, v.MAX_TEAM)] = 1
    entering: Entering = Entering()
    overdue: Annotated[v.Overdue, Help("what happens to games that run past their round's deadline")] = (
        "organiser"
    )


@dataclass(frozen=True)
class EntriesOpened:
    """Players may enter themselves."""


@dataclass(frozen=True)
class EntriesClosed:
    """Only an organiser may enter anybody from here on."""


@dataclass(frozen=True)
class Applied:
    """A player asks for a place; an organiser will approve or refuse."""

    entry: v.Id
    name: v.Name
    players: Annotated[tuple[v.Id, ...], Length(1, v.MAX_TEAM)]
    affiliation: Annotated[str, Length(0, 100)] = ""


@dataclass(frozen=True)
class Entered:
    """An entry takes part, or joins the waiting list; after the start from a round or the next stage on."""

    entry: v.Id
    name: v.Name
    players: Annotated[tuple[v.Id, ...], Length(1, v.MAX_TEAM)]
    affiliation: Annotated[str, Length(0, 100), Help("draws keep entries of one affiliation apart")] = ""
    waiting: bool = False
    from_round: v.Count = 1
    next_stage: bool = False


@dataclass(frozen=True)
class Approved:
    """An applicant takes part, or joins the waiting list."""

    entry: v.Id
    waiting: bool = False


@dataclass(frozen=True)
class Rejected:
    """An applicant does not take part."""

    entry: v.Id
    reason: v.Note = ""


@dataclass(frozen=True)
class Admitted:
    """An entry moves up from the waiting list; after the start from a round or the next stage on."""

    entry: v.Id
    from_round: v.Count = 1
    next_stage: bool = False


@dataclass(frozen=True)
class CheckedIn:
    """An entry is there."""

    entry: v.Id


@dataclass(frozen=True)
class Withdrawn:
    """An entry plays no more from a round of the current stage on."""

    entry: v.Id
    from_round: v.Count = 1
    reason: v.Note = ""


@dataclass(frozen=True)
class Returned:
    """A withdrawn entry plays again from a round of the current stage on."""

    entry: v.Id
    from_round: v.Count


@dataclass(frozen=True)
class Substituted:
    """Another player plays for an entry from a round of the current stage on."""

    entry: v.Id
    out: v.Id
    into: v.Id
    from_round: v.Count = 1
    reason: v.Note = ""


@dataclass(frozen=True)
class Absent:
    """An entry will miss a round that is not drawn yet."""

    entry: v.Id
    round: v.Count
    reason: v.Note = ""


@dataclass(frozen=True)
class Present:
    """An entry will play in a round after all that it was to miss."""

    entry: v.Id
    round: v.Count


@dataclass(frozen=True)
class Started:
    """The field stands; the first stage follows."""


@dataclass(frozen=True)
class StageAdded:
    """One more stage after the last one: a league's next season."""

    stage: StagePlan


@dataclass(frozen=True)
class Carried:
    """Points that an entry takes into a stage."""

    entry: v.Id
    points: v.Points


@dataclass(frozen=True)
class StageStarted:
    """A stage begins: who plays in which group, best seed first, with what points."""

    stage: v.Count
    groups: Annotated[tuple[Annotated[tuple[v.Id, ...], Length(0, v.MAX_ENTRIES)], ...], Length(1, 100)]
    carried: Annotated[tuple[Carried, ...], Length(0, v.MAX_ENTRIES)] = ()


@dataclass(frozen=True)
class Seating:
    """A table of a draw: its seats in order, each an entry and its player."""

    table: v.Id
    seats: Annotated[tuple[v.SeatPair, ...], Length(1, 10)]
    group: v.Count = 1
    board: Annotated[int, Between(1, v.MAX_TEAM)] = 1
    label: Annotated[str, Length(0, 60), Help("what the table is for: final, third place")] = ""


@dataclass(frozen=True)
class Drawn:
    """A round is proposed; drawing again before it is published replaces the proposal."""

    stage: v.Count
    round: v.Count
    tables: Annotated[tuple[Seating, ...], Length(0, v.MAX_ENTRIES)]
    report: Annotated[v.Elsewhere, Help("how good the draw is")]
    byes: Annotated[
        tuple[v.Id, ...], Length(0, v.MAX_ENTRIES), Help("without a table for want of numbers")
    ] = ()
    idle: Annotated[tuple[v.Id, ...], Length(0, v.MAX_ENTRIES), Help("whom the format asks no more")] = ()
    open: Annotated[bool, Help("tables are opened at any time while the round runs")] = False


@dataclass(frozen=True)
class SeatsMoved:
    """Pairs of entries change places in a proposed round; what was drawn is kept beside it."""

    stage: v.Count
    round: v.Count
    swaps: Annotated[tuple[Annotated[tuple[v.Id, ...], Length(2, 2)], ...], Length(1, v.MAX_ENTRIES)]
    reason: v.Reason


@dataclass(frozen=True)
class TableGame:
    """A game that is played at a table."""

    table: v.Id
    game: v.Id


@dataclass(frozen=True)
class Published:
    """A round may be seen and played; each table's games are open."""

    stage: v.Count
    round: v.Count
    games: Annotated[tuple[TableGame, ...], Length(0, v.MAX_ENTRIES * 10)]
    deadline: v.Time | None = None


@dataclass(frozen=True)
class DeadlineSet:
    """Until when the round that is played is to be played; none: as long as it takes."""

    stage: v.Count
    round: v.Count
    deadline: v.Time | None = None
    reason: v.Note = ""


@dataclass(frozen=True)
class TableOpened:
    """A table of open play, made in a round that runs."""

    stage: v.Count
    round: v.Count
    table: v.Id
    seats: Annotated[tuple[v.SeatPair, ...], Length(1, 10)]
    games: Annotated[tuple[v.Id, ...], Length(1, 100)]
    group: v.Count = 1


@dataclass(frozen=True)
class Replayed:
    """A table plays one more game in place of one that was abandoned."""

    table: v.Id
    abandoned: v.Id
    game: v.Id
    reason: v.Note = ""


@dataclass(frozen=True)
class Placing:
    """How a seat did in a game: rank 1 is best, the score is the game's own."""

    seat: Annotated[int, Between(0, 9)]
    rank: Annotated[int, Between(1, 10)]
    score: Annotated[int, Between(-1_000_000_000, 1_000_000_000)]


@dataclass(frozen=True)
class ResultRecorded:
    """A game is over; ``head`` is the hash of its log's last entry, ``seats`` is empty where abandoned."""

    table: v.Id
    game: v.Id
    head: Annotated[str, Matching(r"[0-9a-f]{64}", "64 hexadecimal digits")]
    status: Literal["finished", "abandoned"]
    seats: Annotated[tuple[Placing, ...], Length(0, 10)]


@dataclass(frozen=True)
class Ruled:
    """An organiser's ruling stands in place of whatever the table's games say."""

    table: v.Id
    seats: Annotated[tuple[Placing, ...], Length(1, 10)]
    reason: v.Reason


@dataclass(frozen=True)
class NoShow:
    """An entry did not come to its table; the others keep what they played."""

    table: v.Id
    entry: v.Id
    reason: v.Note = ""


@dataclass(frozen=True)
class Forfeited:
    """An entry left its table, or is put out of it; the others keep what they played."""

    table: v.Id
    entry: v.Id
    reason: v.Reason


@dataclass(frozen=True)
class WalkedOver:
    """A table is not played: these entries were there, the others did not show up."""

    table: v.Id
    entries: Annotated[tuple[v.Id, ...], Length(1, 10)]
    reason: v.Note = ""


@dataclass(frozen=True)
class Voided:
    """A table counts for nobody, as if it had never been drawn."""

    table: v.Id
    reason: v.Reason


@dataclass(frozen=True)
class Adjusted:
    """Points are added to (or taken from) an entry's total in the current stage."""

    entry: v.Id
    points: v.Points
    reason: v.Reason


@dataclass(frozen=True)
class RoundClosed:
    """Every table of a round is decided."""

    stage: v.Count
    round: v.Count


@dataclass(frozen=True)
class Paused:
    """Nothing is drawn, published or closed until it is resumed; results of open games still count."""

    reason: v.Note = ""


@dataclass(frozen=True)
class Resumed:
    """The pause is over."""


@dataclass(frozen=True)
class Cancelled:
    """The competition ends without a winner."""

    reason: v.Reason


@dataclass(frozen=True)
class Finished:
    """The last standings are final."""


Preparing: TypeAlias = EntriesOpened | EntriesClosed | Started
Steering: TypeAlias = Paused | Resumed | Cancelled | Finished
Joining: TypeAlias = Applied | Entered | Approved | Rejected | Admitted
Attending: TypeAlias = CheckedIn | Withdrawn | Returned | Substituted | Absent | Present
OfRound: TypeAlias = (
    StageAdded | StageStarted | Drawn | SeatsMoved | Published | DeadlineSet | TableOpened | RoundClosed
)
OfTable: TypeAlias = ResultRecorded | Replayed | Ruled | NoShow | Forfeited | WalkedOver | Voided | Adjusted
Event: TypeAlias = Opened | Preparing | Steering | Joining | Attending | OfRound | OfTable

EVENTS: Final[Mapping[str, type[Event]]] = {
    "opened": Opened,
    "entries_opened": EntriesOpened,
    "entries_closed": EntriesClosed,
    "applied": Applied,
    "entered": Entered,
    "approved": Approved,
    "rejected": Rejected,
    "admitted": Admitted,
    "checked_in": CheckedIn,
    "withdrawn": Withdrawn,
    "returned": Returned,
    "substituted": Substituted,
    "absent": Absent,
    "present": Present,
    "started": Started,
    "stage_added": StageAdded,
    "stage_started": StageStarted,
    "drawn": Drawn,
    "seats_moved": SeatsMoved,
    "published": Published,
    "deadline_set": DeadlineSet,
    "table_opened": TableOpened,
    "replayed": Replayed,
    "result_recorded": ResultRecorded,
    "ruled": Ruled,
    "no_show": NoShow,
    "forfeited": Forfeited,
    "walked_over": WalkedOver,
    "voided": Voided,
    "adjusted": Adjusted,
    "round_closed": RoundClosed,
    "paused": Paused,
    "resumed": Resumed,
    "cancelled": Cancelled,
    "finished": Finished,
}


def read(data: object) -> Event:
    """Return the event that a log entry's JSON says; raise `Malformed` with the path of each error."""
    if not isinstance(data, Mapping):
        raise Malformed({"": ["An event must be an object with a type."]})
    return read_typed(EVENTS, data)  # type: ignore[return-value]


def write(event: Event) -> JsonObject:
    """Return the one JSON of an event, ``type`` first, fields at their default left out."""
    return write_typed(EVENTS, event)

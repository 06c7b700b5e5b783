"""The bodies of requests, declared like moves: read strictly, published as JSON Schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from api.params import BIGGEST
from games.engine.clocks import NO_CLOCK, Clock
from games.engine.shapes import Between, Help, Length, Matching
from league.competition.events import Entering, Placing
from league.competition.values import (
    MAX_ENTRIES,
    MAX_TEAM,
    Count,
    Lineup,
    Note,
    Overdue,
    Pace,
    Points,
    Reason,
)
from league.formats.presets import PRESETS

Id: TypeAlias = Annotated[str, Matching("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "an id")]
Slug: TypeAlias = Annotated[str, Matching("[-a-zA-Z0-9_]{1,60}", "a slug such as first-club")]
Name: TypeAlias = Annotated[str, Length(1, 100)]
Instant: TypeAlias = Annotated[
    str,
    Matching(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)",
        "a time such as 2027-01-31T18:00:00Z",
    ),
]

# ---- Games ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NewGame:
    """A casual game of a club."""

    club: Annotated[Slug, Help("the club's slug")]
    ruleset: Annotated[str, Length(1, 60), Help("a key such as scoops, or a key with a version")]
    players: Annotated[tuple[Id, ...], Length(1, 20), Help("ids of players in seat order")]
    options: Annotated[
        Mapping[str, Any] | None, Help("as the ruleset's `options` describe; left out: the defaults")
    ] = None
    clock: Clock = NO_CLOCK
    entropy: Annotated[bool, Help("wait in phase joining until every seat is ready")] = False


@dataclass(frozen=True)
class NewMove:
    """A move at the number that the log's next entry will have."""

    seq: Annotated[int, Between(0, BIGGEST), Help("the game's `seq` plus one")]
    move: Annotated[Mapping[str, Any], Help("as the ruleset's `moves` describe")]


# ---- Tokens --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NewToken:
    """A token of one's own."""

    name: Annotated[str, Length(1, 80), Help("what it is for")]
    scopes: Annotated[tuple[Literal["read", "play", "organise"], ...], Length(1, 3)]


# ---- Clubs and competitions ----------------------------------------------------------------------

Seq: TypeAlias = Annotated[
    int,
    Between(1, BIGGEST),
    Help("the number that the log's next entry will have; left out: wherever it stands"),
]


@dataclass(frozen=True)
class NewPlayer:
    """A player of a club."""

    name: Name


@dataclass(frozen=True)
class NewCompetition:
    """A competition of a club, everything about it announced."""

    club: Annotated[Slug, Help("the club's slug")]
    name: Name
    ruleset: Annotated[str, Length(1, 60), Help("a key such as scoops, or a key with a version")]
    stages: Annotated[
        tuple[Mapping[str, Any], ...], Length(0, 20), Help("in order, as in the guide; or name a preset")
    ] = ()
    preset: Annotated[
        Literal[("", *PRESETS)],  # type: ignore[valid-type]
        Help("one line for stages, pace, line-up and entering; what is given beside it replaces its part"),
    ] = ""
    options: Mapping[str, Any] | None = None
    slug: Annotated[str, Length(0, 80), Help("its address; left out: made of the name")] = ""
    pace: Annotated[Pace | None, Help("left out: the preset's, or manual")] = None
    lineup: Annotated[Lineup | None, Help("left out: the preset's, or single")] = None
    team_size: Annotated[int, Between(1, MAX_TEAM)] = 1
    entering: Annotated[Entering | None, Help("left out: the preset's, or for anybody")] = None
    clock: Clock = NO_CLOCK
    overdue: Annotated[Overdue, Help("what happens to games that run past their round's deadline")] = (
        "organiser"
    )


@dataclass(frozen=True)
class Bare:
    """A verb that needs no more words."""

    seq: Seq | None = None


@dataclass(frozen=True)
class Why:
    """A verb with a reason, where there is one."""

    reason: Note = ""
    seq: Seq | None = None


@dataclass(frozen=True)
class Because:
    """A verb that needs a reason."""

    reason: Reason
    seq: Seq | None = None


@dataclass(frozen=True)
class Enter:
    """A player, or a team of players, to take part."""

    players: Annotated[tuple[Id, ...], Length(1, MAX_TEAM)]
    name: Annotated[str, Length(0, 100)] = ""
    affiliation: Annotated[str, Length(0, 100)] = ""
    from_round: Count | None = None
    seq: Seq | None = None


@dataclass(frozen=True)
class Withdraw:
    """An entry that plays no more."""

    entry: Id
    reason: Note = ""
    from_round: Count | None = None
    seq: Seq | None = None


@dataclass(frozen=True)
class Substitute:
    """Another player for an entry."""

    entry: Id
    out: Id
    into: Id
    reason: Note = ""
    from_round: Count | None = None
    seq: Seq | None = None


@dataclass(frozen=True)
class MoveSeat:
    """Pairs of entries that change places in a proposed round."""

    stage: Count
    round: Count
    swaps: Annotated[tuple[Annotated[tuple[Id, ...], Length(2, 2)], ...], Length(1, MAX_ENTRIES)]
    reason: Reason
    seq: Seq | None = None


@dataclass(frozen=True)
class Publish:
    """The drawn round, to be played until a time."""

    deadline: Instant | None = None
    seq: Seq | None = None


@dataclass(frozen=True)
class Rule:
    """A result that stands for a table whatever its games say."""

    table: Id
    seats: Annotated[tuple[Placing, ...], Length(1, 10)]
    reason: Reason
    seq: Seq | None = None


@dataclass(frozen=True)
class Adjust:
    """Points for an entry's total in the current stage."""

    entry: Id
    points: Points
    reason: Reason
    seq: Seq | None = None


@dataclass(frozen=True)
class Void:
    """A table that counts for nobody."""

    table: Id
    reason: Reason
    seq: Seq | None = None


@dataclass(frozen=True)
class CloseRound:
    """The round that is played, closed."""

    void_undecided: Annotated[Note, Help("a reason, for which tables still open are voided")] = ""
    seq: Seq | None = None


@dataclass(frozen=True)
class OfEntry:
    """An entry."""

    entry: Id
    seq: Seq | None = None


@dataclass(frozen=True)
class OfEntryBecause:
    """An entry, with a reason where there is one."""

    entry: Id
    reason: Note = ""
    seq: Seq | None = None


@dataclass(frozen=True)
class OfEntryFrom:
    """An entry, from a round on; left out: from the next round that is published."""

    entry: Id
    from_round: Count | None = None
    seq: Seq | None = None


@dataclass(frozen=True)
class Absent:
    """An entry that will miss a round; left out: the next that is published."""

    entry: Id
    round: Count | None = None
    reason: Note = ""
    seq: Seq | None = None


@dataclass(frozen=True)
class Present:
    """An entry that will play in a round after all; left out: the next that is published."""

    entry: Id
    round: Count | None = None
    seq: Seq | None = None


@dataclass(frozen=True)
class NoShow:
    """An entry that did not come to its table."""

    table: Id
    entry: Id
    reason: Note = ""
    seq: Seq | None = None


@dataclass(frozen=True)
class Forfeit:
    """An entry that left its table or is put out of it."""

    table: Id
    entry: Id
    reason: Reason
    seq: Seq | None = None


@dataclass(frozen=True)
class WalkOver:
    """A table that is not played: these were there, the others were not."""

    table: Id
    entries: Annotated[tuple[Id, ...], Length(1, 10)]
    reason: Note = ""
    seq: Seq | None = None


@dataclass(frozen=True)
class Replay:
    """A table whose game is played again."""

    table: Id
    game: Annotated[Id | None, Help("the game that is to be replaced: again with it opens no second")] = None
    reason: Note = ""
    seq: Seq | None = None


@dataclass(frozen=True)
class AddStage:
    """One more stage after the last."""

    stage: Annotated[Mapping[str, Any], Help("as the stages of an opening; see the guide for clients")]
    seq: Seq | None = None


@dataclass(frozen=True)
class AddSeason:
    """The last stage once more, as a league's next season."""

    name: Name
    promoted: Annotated[int, Between(0, 100), Help("how many of each division go up")] = 1
    relegated: Annotated[int, Between(0, 100), Help("how many of each division go down")] = 1
    carry: Annotated[Points, Help("the part of the points that comes along")] = "0"
    seq: Seq | None = None


@dataclass(frozen=True)
class Deadline:
    """Until when the round that is played is to be played."""

    deadline: Annotated[Instant | None, Help("null: as long as it takes")]
    reason: Note = ""
    seq: Seq | None = None


@dataclass(frozen=True)
class OpenTable:
    """A table of open play."""

    entries: Annotated[tuple[Id, ...], Length(1, 10), Help("in seat order")]
    key: Annotated[
        str, Length(0, 100), Help("any text of yours for this one table: again with it opens no second")
    ] = ""
    seq: Seq | None = None


# ---- For oneself ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class EnterSelf:
    """Oneself, or a team that one plays in."""

    players: Annotated[tuple[Id, ...], Length(0, MAX_TEAM), Help("left out: oneself alone")] = ()
    name: Annotated[str, Length(0, 100)] = ""
    affiliation: Annotated[str, Length(0, 100)] = ""
    seq: Seq | None = None


@dataclass(frozen=True)
class AbsentSelf:
    """A round that one will miss; left out: the next that is published."""

    round: Count | None = None
    reason: Note = ""
    seq: Seq | None = None


@dataclass(frozen=True)
class PresentSelf:
    """A round that one will not miss after all; left out: the next that is published."""

    round: Count | None = None
    seq: Seq | None = None

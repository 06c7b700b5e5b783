"""The bodies of requests, declared like moves: read strictly, published as JSON Schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypeAlias

from api.params import BIGGEST
from games.engine.clocks import NO_CLOCK, Clock
from games.engine.shapes import Between, Help, Length, Matching
from league.competition.events import (
    MAX_ENTRIES,
    MAX_TEAM,
    Count,
    Entering,
    Lineup,
    Note,
    Pace,
    Placing,
    Points,
    Reason,
    Time,
)

Id: TypeAlias = Annotated[str, Matching("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "an id")]
Slug: TypeAlias = Annotated[str, Matching("[-a-zA-Z0-9_]{1,60}", "a slug such as first-club")]
Name: TypeAlias = Annotated[str, Length(1, 100)]

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


ANYBODY: Final = Entering()


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
        tuple[Mapping[str, Any], ...], Length(1, 20), Help("the stages in order; see the guide for clients")
    ]
    options: Mapping[str, Any] | None = None
    slug: Annotated[str, Length(0, 80), Help("its address; left out: made of the name")] = ""
    pace: Pace = "manual"
    lineup: Lineup = "single"
    team_size: Annotated[int, Between(1, MAX_TEAM)] = 1
    entering: Entering = ANYBODY
    clock: Clock = NO_CLOCK


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

    deadline: Time | None = None
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

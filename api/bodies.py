"""The bodies of requests, declared like moves, and published as JSON Schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from api.requests import BIGGEST
from games.engine.clocks import NO_CLOCK, Clock
from games.engine.shapes import Between, Help, Length, Matching, OfRuleset
from league.choices import Audience, NamesShown, TokenScope
from league.core.presets import PRESETS
from league.core.state.plan import AnnouncedPlan, Entering, OpenHands, Waits
from league.core.state.values import MAX_TEAM, Entropy, Id, Lineup, Name, Overdue, Pace

MOST_MOVES: Final = 100
MOST_OF_A_MOVE: Final = 65_536
MOST_OF_MOVES: Final = 524_288
"""What so many of the longest entries on a score card take (`tests/api/test_sizes.py`)."""

Slug: TypeAlias = Annotated[
    str, Matching("[-a-zA-Z0-9_]{1,60}", "a slug such as first-club", example="first-club")
]

Options: TypeAlias = Annotated[Mapping[str, Any], OfRuleset("options")]


# ---- Games ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NewGame:
    """A casual game of a club."""

    most_bytes: ClassVar = MOST_OF_A_MOVE

    club: Annotated[Slug, Help("the club's slug")]
    ruleset: Annotated[str, Length(1, 60), Help("a key that `rulesets/` lists, or a key with a version")]
    players: Annotated[tuple[Id, ...], Length(1, 20), Help("ids of players in seat order")]
    options: Annotated[
        Options | None, Help("as the ruleset's `options` describe; left out: the defaults")
    ] = None
    clock: Clock = NO_CLOCK
    entropy: Annotated[bool, Help("wait in phase joining until every seat is ready")] = False


@dataclass(frozen=True)
class Nothing:
    """An empty object: the address says everything."""

    most_bytes: ClassVar = MOST_OF_A_MOVE


@dataclass(frozen=True)
class MyChoices:
    """A member's own choices in a club."""

    asks: Annotated[bool, Help("whether games that other members open wait for the caller's answer")]


@dataclass(frozen=True)
class Privacy:
    """What the caller's player in a club lets others see."""

    audience: Annotated[
        Literal[(*Audience.values,)],  # type: ignore[valid-type]
        Help("who finds the player in lists and sees results and ratings; `club`: members of the club"),
    ]
    findable: Annotated[bool, Help("whether `players/?search=` finds the player")]
    names: Annotated[
        Literal[("", *NamesShown.values)] | None,  # type: ignore[valid-type]
        Help("what the public reads for the name; empty: what the club says; left out: as it is"),
    ] = None


@dataclass(frozen=True)
class NewMove:
    """A move with the number of the log's next entry."""

    most_bytes: ClassVar = MOST_OF_A_MOVE

    seq: Annotated[int, Between(0, BIGGEST), Help("the game's `seq` plus one")]
    move: Annotated[Mapping[str, Any], OfRuleset("move"), Help("as the ruleset's `moves` describe")]


@dataclass(frozen=True)
class NewMoves:
    """Several moves of one seat, with the number of the log's next entry."""

    most_bytes: ClassVar = MOST_OF_MOVES

    seq: Annotated[int, Between(0, BIGGEST), Help("the game's `seq` plus one, of the first move")]
    moves: Annotated[
        tuple[Annotated[Mapping[str, Any], OfRuleset("move")], ...],
        Length(1, MOST_MOVES),
        Help("in order, each as the ruleset's `moves` describe"),
    ]


# ---- Tokens --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NewToken:
    """A token of the caller's account."""

    name: Annotated[str, Length(1, 80), Help("what it is for")]
    scopes: Annotated[
        tuple[Literal[(*TokenScope.values,)], ...],  # type: ignore[valid-type]
        Length(1, len(TokenScope)),
        Help("what it allows; `read`, `play` and `organise` stand for several, as the guide says"),
    ]
    days: Annotated[int, Between(1, 366), Help("after so many days it expires")] = 365


# ---- Clubs and competitions ----------------------------------------------------------------------

Seq: TypeAlias = Annotated[
    int,
    Between(1, BIGGEST),
    Help("the number of the log's next entry; left out: whatever that number is"),
]


@dataclass(frozen=True)
class NewPlayer:
    """A player of a club."""

    name: Name


@dataclass(frozen=True)
class NewCompetition:
    """A competition of a club, with all its settings."""

    example: ClassVar = {"preset": "monthly_league"}

    club: Annotated[Slug, Help("the club's slug")]
    name: Name
    ruleset: Annotated[str, Length(1, 60), Help("a key that `rulesets/` lists, or a key with a version")]
    stages: Annotated[
        tuple[AnnouncedPlan, ...],
        Length(0, 20),
        Help("in order, as in the guide; or give a preset"),
    ] = ()
    preset: Annotated[
        Literal[("", *PRESETS)],  # type: ignore[valid-type]
        Help("sets stages, pace, line-up, entering and waits; other fields of the body override it"),
    ] = ""
    club_preset: Annotated[
        str,
        Length(0, 60),
        Help("the id of a preset of the club's own, for the same game: it sets all but name and address"),
    ] = ""
    options: Options | None = None
    slug: Annotated[str, Length(0, 80), Help("its address; left out: made from the name")] = ""
    pace: Annotated[Pace | None, Help("left out: the preset's, or manual")] = None
    lineup: Annotated[Lineup | None, Help("left out: the preset's, or single")] = None
    team_size: Annotated[int, Between(1, MAX_TEAM)] = 1
    entering: Annotated[Entering | None, Help("left out: the preset's, or for anybody")] = None
    waits: Annotated[Waits | None, Help("left out: the preset's, or an hour each")] = None
    clock: Clock = NO_CLOCK
    overdue: Annotated[Overdue, Help("what happens to games that run past their round's deadline")] = (
        "organiser"
    )
    entropy: Annotated[
        Entropy, Help("what draws take from outside: entries' texts, or a public beacon's value")
    ] = "texts"
    aided: Annotated[bool, Help("the page of a game offers players what their hands make")] = False
    open_hands: OpenHands = None

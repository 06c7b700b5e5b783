"""The bodies of requests, declared like moves: read strictly, published as JSON Schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from api.params import BIGGEST
from games.engine.clocks import NO_CLOCK, Clock
from games.engine.shapes import Between, Help, Length, Matching

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

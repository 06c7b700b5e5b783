"""The JSON of answers that have the same fields in all games. What a ruleset declares is a mapping here.

The server's OpenAPI document has the types of each ruleset's views and moves.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

Move: TypeAlias = Mapping[str, Any]
"""A move: its ``type`` and the fields that the ruleset declares for it."""


class Player(TypedDict):
    """A player by id and name."""

    id: str
    name: str


class Seat(TypedDict):
    """A seat of a game."""

    seat: int
    player: Player | None
    team: int
    out: NotRequired[bool]


class FieldChoice(TypedDict):
    """What a field of a move may hold; without ``complete`` all legal values are listed."""

    values: Sequence[Any]
    complete: NotRequired[bool]
    optional: NotRequired[bool]
    about: NotRequired[str]
    draft: NotRequired[Any]
    seats: NotRequired[bool]
    left: NotRequired[bool]
    by_seat: NotRequired[Sequence[Mapping[str, "FieldChoice"]]]
    worth: NotRequired[Mapping[str, int]]
    title: NotRequired[str]
    offered: NotRequired[Sequence[Any]]
    needed_with: NotRequired[str]


class Choice(TypedDict):
    """A move that may be made now, with what its fields may hold."""

    type: str
    fields: Mapping[str, FieldChoice]


class Placing(TypedDict):
    """The rank and score of a seat; rank 1 is best."""

    seat: int
    rank: int
    score: int


class Result(TypedDict):
    """The result of a finished game."""

    seats: Sequence[Placing]
    sheet: Sequence[Mapping[str, Any]]


class Game(TypedDict):
    """A game as the caller may see it."""

    id: str
    ruleset: str
    options: Mapping[str, Any]
    status: Literal["invited", "active", "finished", "abandoned"]
    club: str
    competition: str | None
    table: str | None
    seats: Sequence[Seat]
    seq: int
    head: str
    commitment: str
    seed: str | None
    to_act: Sequence[int]
    unanswered: Sequence[int]
    deadline: str | None
    you: int | None
    view: Mapping[str, Any]
    choices: Sequence[Choice]
    result: Result | None


class Entry(TypedDict):
    """An entry of a game's log."""

    ruleset: str
    seq: int
    seat: int | None
    role: str
    move: Move
    at: str
    hash: str
    text: str


class Membership(TypedDict):
    """A club of the caller, and the player that the caller is there."""

    club: str
    name: str
    role: str
    player: Player | None


class Me(TypedDict):
    """Who calls."""

    id: str
    username: str
    scopes: Sequence[str]
    awaited: int
    clubs: Sequence[Membership]


class Ruleset(TypedDict):
    """A game that the server has."""

    key: str
    version: int
    title: str
    options: Mapping[str, Any]
    moves: Mapping[str, Any]

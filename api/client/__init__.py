"""A client of Trefoil's API for bots, apps and scripts; it needs Python and httpx, nothing of the server.

    from trefoil_client import Client, random_move

    with Client("https://cards.example/api/v1", token) as client:
        for game in client.turns(game_id):
            client.move(game, random_move(game))

`Client` and `AsyncClient` have the same methods. docs/clients.md describes them.
"""

from .asynchronous import AsyncClient
from .choosing import moves, random_move
from .errors import (
    Illegal,
    Malformed,
    NotAllowed,
    NotFound,
    NotLoggedIn,
    Problem,
    Stale,
    Throttled,
    Unavailable,
    Unreachable,
)
from .requests import Retries
from .synchronous import Client
from .types import Choice, Entry, FieldChoice, Game, Me, Move, Player, Result, Ruleset, Seat

__all__ = [
    "AsyncClient",
    "Choice",
    "Client",
    "Entry",
    "FieldChoice",
    "Game",
    "Illegal",
    "Malformed",
    "Me",
    "Move",
    "NotAllowed",
    "NotFound",
    "NotLoggedIn",
    "Player",
    "Problem",
    "Result",
    "Retries",
    "Ruleset",
    "Seat",
    "Stale",
    "Throttled",
    "Unavailable",
    "Unreachable",
    "moves",
    "random_move",
]

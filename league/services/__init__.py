"""Every write of the league, as keyword-only verbs; ``by`` is the account that asks.

A verb raises `games.engine.refusals.Refusal` (malformed, illegal, stale), PermissionDenied, or the
DoesNotExist of what is not there. Then nothing has changed.
"""

from league.services.accounts import NewToken, create_account, create_token, revoke_token, use_token
from league.services.clubs import (
    add_member,
    change_club,
    change_player,
    create_club,
    create_player,
    remove_member,
)
from league.services.play import make_move, open_casual_game

__all__ = [
    "NewToken",
    "add_member",
    "change_club",
    "change_player",
    "create_account",
    "create_club",
    "create_player",
    "create_token",
    "make_move",
    "open_casual_game",
    "remove_member",
    "revoke_token",
    "use_token",
]

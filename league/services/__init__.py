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
from league.services.competitions import (
    cancel,
    close_entries,
    enter,
    finish,
    open_competition,
    open_entries,
    pause,
    resume,
    start,
    substitute,
    withdraw,
)
from league.services.play import make_move, open_casual_game, run_out
from league.services.results import adjust, record_result, rule, void
from league.services.rounds import advance, close_round, draw, move_seat, publish

__all__ = [
    "NewToken",
    "add_member",
    "adjust",
    "advance",
    "cancel",
    "change_club",
    "change_player",
    "close_entries",
    "close_round",
    "create_account",
    "create_club",
    "create_player",
    "create_token",
    "draw",
    "enter",
    "finish",
    "make_move",
    "move_seat",
    "open_casual_game",
    "open_competition",
    "open_entries",
    "pause",
    "publish",
    "record_result",
    "remove_member",
    "resume",
    "revoke_token",
    "rule",
    "run_out",
    "start",
    "substitute",
    "use_token",
    "void",
    "withdraw",
]

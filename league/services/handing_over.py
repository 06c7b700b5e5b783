"""Changing the account that plays a seat of a running game, by an entry of its log that everybody sees.

Linking another account to a player changes no game that runs: otherwise an organiser could link their own
account for a moment, and read the player's cards.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.models import Game, Seat
from league.queries.clubs import player_now


def with_account(game_id: UUID, seq: int, move: Mapping[str, Any]) -> tuple[Mapping[str, Any], UUID | None]:
    """Return the move with the account that is linked to the seat's player now, and who plays it until then.

    Raises `Malformed` where the move names an account, and `Illegal` where it would change nothing.
    """
    if "account" in move:
        raise Malformed(
            {"account": [text("Leave this out: it is the account that is linked to the player.")]}
        )
    seat = Seat.objects.filter(game=game_id, number=_number(move)).first()
    if seat is None or seat.player is None:
        raise Illegal(text("No player of the club has this seat."), fields=["seat"])
    linked = player_now(seat.player).account_id
    is_next = Game.objects.filter(pk=game_id, seq=seq - 1).exists()
    if is_next and linked == seat.account:
        raise Illegal(
            text("The account that is linked to this player plays the seat already."), fields=["seat"]
        )
    return ({**move, "account": str(linked)} if linked else move), seat.account


def _number(move: Mapping[str, Any]) -> int:
    number = move.get("seat")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 100:
        raise Malformed({"seat": [text("This must be the number of a seat.")]})
    return number

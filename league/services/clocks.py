"""The clock's moves: what happens when a seat's time is up."""

from typing import Final
from uuid import UUID

from django.utils import timezone

from games import log
from games.engine import clocks
from games.engine.refusals import Illegal, Stale
from games.engine.replay import Actor
from games.models import Game
from league.services import hints

MOST_AT_ONCE: Final = 100


def call_time(*, game_id: UUID) -> int:
    """Make the clock's move for each seat that is late now; return how many were made by this call.

    Safe at any time, by any number of schedulers at once: the log gives its next number out once, and whoever
    does not get it looks again. Raises Game.DoesNotExist.
    """
    made = 0
    for _ in range(MOST_AT_ONCE):
        game = Game.objects.get(pk=game_id)
        late = log.late_seats(game, timezone.now())
        if not late:
            break
        made += _moved(game, late[0])
    return made


def _moved(game: Game, seat: int) -> bool:
    forfeits = clocks.read(game.clock).late == "forfeit"
    move = {"type": "forfeit", "seat": seat, "reason": "out of time"} if forfeits else {"type": "timeout"}
    try:
        made = log.append(
            game_id=game.pk, seq=game.seq + 1, actor=Actor("clock", seat), move=move, account=None
        )
    except (Stale, Illegal):
        # The seat, or another scheduler, was quicker.
        return False
    if made.game.is_over:
        hints.after_commit("record_result", game.pk)
    return made.created

"""What a gesture at the table means, for the page of a game: asked with each card that a player picks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.engine import shapes
from games.engine.gestures import Gesture
from games.engine.refusals import Malformed, Stale
from league.queries.seen import at_entry
from league.requests import spectator_or_account
from league.web import meanings
from league.web.holders import holder_in, table_of

if TYPE_CHECKING:
    from league.models import Account, ClubGame
    from league.web.holders import Holder
    from league.web.meanings import Meaning


@require_POST
def meaning(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Answer with what a gesture of the reader's seat means (`Meaning.as_json`).

    403 without a seat, 400 for what is not a gesture.
    """
    club_game = table_of(request, game_id)
    holder = holder_in(request, club_game)
    account = spectator_or_account(request)
    seen = at_entry(club_game, club_game.game.seq, account, holder.seat if holder else None)
    if seen.you is None:
        return HttpResponse(status=403)
    try:
        gesture = _read(request.body)
    except Malformed:
        return HttpResponse(status=400)
    return answer(meanings.of_gesture(seen, seen.you, gesture))


def answer(meaning: Meaning) -> HttpResponse:
    """Return what a gesture means as an answer that nobody keeps."""
    response = JsonResponse(meaning.as_json())
    patch_cache_control(response, private=True, no_store=True)
    return response


def sent(
    club_game: ClubGame, seq: int, posted: str, *, account: Account | None, holder: Holder | None
) -> Meaning:
    """Return what a gesture means that was sent to become entry ``seq``.

    A gesture that is sent again is read in the game as it was, so that its move is made once. Raises
    `Malformed`, and `Stale` where the log has that entry and the gesture was no move: nothing is told of
    the past. Raises `Http404` without a seat.
    """
    game = club_game.game
    again = 1 < seq <= game.seq
    seen = at_entry(club_game, seq - 1 if again else game.seq, account, holder.seat if holder else None)
    if seen.you is None:
        raise Http404
    meaning = meanings.of_gesture(seen, seen.you, _read(posted))
    if meaning.move is None and seq != game.seq + 1:
        raise Stale(game.seq + 1, sent=seq)
    return meaning


def _read(posted: str | bytes) -> Gesture:
    """Return a gesture from JSON; raise `Malformed`."""
    try:
        return shapes.read(Gesture, json.loads(posted))
    except (ValueError, RecursionError):
        raise Malformed({"": [_("This form is damaged. Reload the page.")]}) from None

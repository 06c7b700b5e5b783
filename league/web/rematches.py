"""The rematch of a finished game, as a player of it sees it on the game's page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from games.engine.refusals import Refusal
from league.queries.games import seated
from league.queries.invited_games import rematch_of
from league.requests import account_in
from league.services.casual_games import open_rematch
from league.words.asking import asked_in_words
from league.words.messages import translated

if TYPE_CHECKING:
    from uuid import UUID

    from games.models import Game
    from league.models import Account


@dataclass(frozen=True)
class Rematch:
    """A rematch that was asked for; ``who`` says by whom.

    ``answers`` is true where the reader's answer is missing, ``invited`` where anybody's is.
    """

    game: UUID
    who: str
    answers: bool
    invited: bool


def rematch_for(game: Game, account: Account | None) -> Rematch | None:
    """Return the rematch of a club's game for one of its players, None for others."""
    if account is None or not game.is_over:
        return None
    found = rematch_of(game)
    seats = seated(found.game) if found else ()
    mine = [seat.seat for seat in seats if seat.account == account.pk]
    if found is None or not mine:
        return None
    return Rematch(
        game=found.pk,
        who=asked_in_words(found, seats).who,
        answers=not set(mine).isdisjoint(found.game.unanswered),
        invited=found.game.status == "invited",
    )


@login_required
@require_POST
def rematch(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Ask for a rematch, or accept it, and show that game."""
    try:
        game, _created_now = open_rematch(by=account_in(request), game_id=game_id)
    except Refusal as refusal:
        messages.error(request, translated(refusal.sentence))
        return redirect("game", game_id)
    except ObjectDoesNotExist:
        raise Http404 from None
    return redirect("game", game.pk)

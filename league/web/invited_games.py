"""The buttons that answer an invitation to a game, and the choice whether to be asked at all."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.engine.refusals import Illegal
from league.requests import account_in
from league.services.casual_games import accept_game, choose_to_be_asked, decline_game
from league.web.addresses import of_club
from league.words.messages import translated

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.models import Game
    from league.models import Club


@login_required
@require_POST
def accept(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Accept the invitation and show the game."""
    game = _answered(request, lambda: accept_game(by=account_in(request), game_id=game_id))
    if game is not None:
        begun = _("You accepted: the game begins.")
        waits = _("You accepted. The game begins when the others have accepted, too.")
        messages.success(request, waits if game.unanswered else begun)
    return redirect("game", game_id)


@login_required
@require_POST
def decline(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Call the game off and show the account's page."""
    if _answered(request, lambda: decline_game(by=account_in(request), game_id=game_id)) is None:
        return redirect("game", game_id)
    messages.success(request, _("The game is called off."))
    return redirect("account")


def _answered(request: HttpRequest, answer: Callable[[], Game]) -> Game | None:
    """Return the game after an answer; None where it is refused, which a message says."""
    try:
        return answer()
    except Illegal as refusal:
        messages.error(request, translated(refusal.sentence))
        return None
    except ObjectDoesNotExist:
        raise Http404 from None


@login_required
@require_POST
@of_club
def choose(request: HttpRequest, club: Club) -> HttpResponse:
    """Save whether casual games of the club wait for the account's answer."""
    choose_to_be_asked(by=account_in(request), club=club, asked=request.POST.get("ask") != "no")
    messages.success(request, _("Saved."))
    return redirect("account")

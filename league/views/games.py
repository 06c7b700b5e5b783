"""The page of a game: live table or replay, and the moves that a seat makes from it."""

from dataclasses import replace
from typing import Final
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games import log
from games.engine.refusals import Malformed, Refusal
from games.log import NotReplayable
from games.models import Game, Move
from league import selectors, services
from league.models import ClubGame
from league.views import gametable
from league.views.callers import caller, spectator_or_account
from league.views.gametable import Asked
from league.views.moveforms import posted_move

NEWS_SECONDS: Final = 60
STATUS: Final = {"malformed": 400, "illegal": 422, "stale": 409}


@require_safe
def page(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Show the table after the entry that ``?at=`` names, or as it stands now; 404 where there is none."""
    return _shown(request, game_id)


@require_safe
def news(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Show the parts of the page that change in a running game, and of its log what came after ``?after=``.

    All who only watch are told the same: it is made once for each entry of the log.
    """
    place, account = _place(game_id), spectator_or_account(request)
    after = request.GET.get("after", "")
    if not _is_number(after):
        raise Http404
    asked = Asked(place.game.seq, form=request.GET.get("form", ""), since=int(after))
    try:
        if account is None:
            key = f"news:{game_id}:{place.game.head}:{int(after)}"
            told = cache.get_or_set(key, lambda: _news(place, asked, None), NEWS_SECONDS)
        else:
            told = _news(place, asked, request)
    except NotReplayable:
        return _untold(request, place)
    return _private(HttpResponse(told))


def _news(place: ClubGame, asked: Asked, request: HttpRequest | None) -> str:
    table = gametable.table(place, asked, account=spectator_or_account(request) if request else None)
    return render_to_string("games/news.html", {"table": table, "zone": place.club.timezone}, request)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def play(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Make the posted move and show the table; a refused one is shown with the reason and what was typed.

    Who only looks is led to the table's forms: the way in from a printed sheet, past the log-in.
    """
    if request.method != "POST":
        return _to_the_forms(game_id)
    place = _place(game_id)
    try:
        move = posted_move(log.ruleset_of(place.game), request.POST.dict())
        services.make_move(by=caller(request), game_id=game_id, seq=_seq(request), move=move)
    except Refusal as refusal:
        return _shown(request, game_id, refusal)
    except NotReplayable:
        return _untold(request, place)
    return _to_the_forms(game_id) if "grid" in request.POST else redirect("game", game_id)


def _to_the_forms(game_id: UUID) -> HttpResponse:
    """Lead to where moves are made: there the next Tab goes on, and a phone shows it without scrolling."""
    return redirect(f"{reverse('game', args=[game_id])}#play")


def _seq(request: HttpRequest) -> int:
    text = request.POST.get("seq", "")
    if not _is_number(text):
        raise Malformed({"": [_("This form is damaged. Reload the page.")]})
    return int(text)


def _place(game_id: UUID) -> ClubGame:
    try:
        return selectors.games().get(pk=game_id)
    except ClubGame.DoesNotExist:
        raise Http404 from None


def _shown(request: HttpRequest, game_id: UUID, refusal: Refusal | None = None) -> HttpResponse:
    place = _place(game_id)
    try:
        asked = _asked(request, place.game, refusal)
        table = gametable.table(place, asked, account=spectator_or_account(request))
    except Move.DoesNotExist:
        raise Http404 from None
    except NotReplayable:
        return _untold(request, place)
    context = {"table": table, "zone": place.club.timezone, "refusal": refusal}
    status = STATUS[refusal.code] if refusal else 200
    return _private(render(request, "games/page.html", context, status=status))


def _private(response: HttpResponse) -> HttpResponse:
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _untold(request: HttpRequest, place: ClubGame) -> HttpResponse:
    """Show what is known of a game that can't be told any more: who sat there, and how it ended."""
    ended = {told["seat"]: told for told in (place.game.result or {}).get("seats", ())}
    seats = [(seat, ended.get(seat.seat)) for seat in selectors.seated(place.game)]
    return render(request, "games/untold.html", {"place": place, "seats": seats}, status=501)


def _asked(request: HttpRequest, game: Game, refusal: Refusal | None) -> Asked:
    sent = Asked(game.seq, typed=request.POST.dict(), errors=refusal.errors) if refusal else Asked(game.seq)
    whole, form = "moves" in request.GET, request.GET.get("form", "")
    return replace(sent, at=_at(request, game), whole=whole, form=form)


def _at(request: HttpRequest, game: Game) -> int:
    """Return the entry after which the table is shown: the last one unless the address names one."""
    text = request.GET.get("at", "")
    if not text:
        return game.seq
    if not _is_number(text) or not 0 < int(text) <= game.seq:
        raise Http404
    return int(text)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10

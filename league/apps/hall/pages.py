"""Kiosks: the link that turns a device into one, its first page, and the choice of a seat there."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.engine.refusals import Illegal
from league.queries.competitions import all_competitions
from league.queries.games import all_games, running_at_open_tables, seated_at, sides_of_seats
from league.queries.hall import COOKIE, checks_in, cookie_of, read_link
from league.queries.seat_codes import ended, open_tables
from league.requests import kiosk_in
from league.services.hall import start_kiosk
from league.web.holders import forget_seats, name_seat
from league.words.messages import translated
from league.words.moves import names_by_side
from league.words.values import on_paper

if TYPE_CHECKING:
    from league.models import ClubGame


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_link(request: HttpRequest, kiosk_id: UUID, token: str) -> HttpResponse:
    """Show what the link does; on POST make this device the kiosk and log its account out.

    A GET changes nothing: programs that show links look at them before people do.
    """
    try:
        if request.method != "POST":
            kiosk = read_link(kiosk_id=kiosk_id, token=token)
            context = {"kiosk": kiosk, "zone": kiosk.competition.club.timezone}
            return render(request, "kiosks/open.html", context)
        kiosk = start_kiosk(kiosk_id=kiosk_id, token=token)
    except Illegal as refusal:
        return render(request, "kiosks/no_link.html", {"why": translated(refusal.sentence)}, status=410)
    # Whoever stands at the device must not act for the organiser who set it up.
    logout(request)
    answer = redirect("kiosk", kiosk.competition.slug)
    answer.set_cookie(
        COOKIE,
        cookie_of(kiosk),
        expires=kiosk.expires_at,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return answer


@never_cache
@require_safe
def home(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tables whose scores can be entered; 403 where the device is no kiosk of the competition."""
    competition = get_object_or_404(all_competitions(), slug=slug)
    kiosk = kiosk_in(request, competition)
    if kiosk is None:
        return _no_kiosk(request)
    forget_seats(request)
    context = {
        "competition": competition,
        "kiosk": kiosk,
        "games": running_at_open_tables(competition) if on_paper(competition.ruleset) else (),
        "checks_in": checks_in(competition),
        "zone": competition.club.timezone,
    }
    return render(request, "kiosks/home.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Ask at a kiosk whose scores are entered; on POST lead to the score card."""
    club_game = get_object_or_404(all_games(), pk=game_id)
    if club_game.competition is None or kiosk_in(request, club_game.competition) is None:
        return _no_kiosk(request)
    if not open_tables().filter(games=club_game).exists():
        messages.error(request, _its_end(club_game))
        return redirect("kiosk", club_game.competition.slug)
    seats = club_game.table.seats.select_related("entry", "player") if club_game.table else ()
    chosen = [seat for seat in seats if str(seat.number) == request.POST.get("seat")]
    if request.method == "POST" and chosen:
        name_seat(request, club_game, chosen[0].number)
        return redirect(f"{reverse('game', args=[game_id])}#play")
    context = {"club_game": club_game, "seats": seats, "zone": club_game.club.timezone}
    return render(request, "kiosks/table.html", context)


def _its_end(club_game: ClubGame) -> str:
    """Return what happened to a table for which no scores are entered any more, with its players' names."""
    seats = seated_at([club_game.game])[club_game.pk]
    players = names_by_side(seats, sides_of_seats(club_game, [(each.seat, each.team) for each in seats]))
    return f"{players}: {translated(ended(club_game.table_id).sentence)}"


def _no_kiosk(request: HttpRequest) -> HttpResponse:
    why = _("This device is no kiosk of this competition, or no longer. Ask the organiser for a link.")
    return render(request, "kiosks/no_link.html", {"why": why}, status=403)

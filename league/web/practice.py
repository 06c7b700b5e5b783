"""Play now: a guest chooses a game and how strong the bots are, and plays without an account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games.engine.refusals import Refusal
from league.choices import BotLevel
from league.queries.practice import games_to_practise, running_of
from league.services.practice import open_practice
from league.web.holders import client_of, guest_in, keep_guest
from league.words.messages import translated

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Show the games that have bots, and the guest's own running ones; a POST begins one and shows it."""
    guest, refusal = guest_in(request), None
    if request.method == "POST":
        ruleset, level = request.POST.get("ruleset", ""), request.POST.get("level", "")
        try:
            game = open_practice(guest=guest, address=client_of(request), ruleset=ruleset, level=level)
            return keep_guest(redirect("game", game.pk), guest)
        except Refusal as refused:
            refusal = refused
    context = {
        "games": games_to_practise(),
        "levels": BotLevel.choices,
        "running": running_of(guest),
        "refusal": translated(refusal.sentence) if refusal else "",
    }
    return render(request, "games/practice.html", context, status=422 if refusal else 200)

"""A club's lists, each with pages, filters, and the ways to take it along.

Filters are named as those of the API's list, so that the files hold what the page shows.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import rules
from games.models import Game
from league import selectors
from league.models import Club, Competition
from league.views.competitions import paged
from league.views.tools import Filter, Tools, choice, text, tools

ROWS_SHOWN = 50


# ---- The pages -----------------------------------------------------------------------------------


@require_safe
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's players, found by name."""
    club = _club(slug)
    name = text(request, "name", _("Name"))
    active = choice(request, "active", _("Status"), [("true", _("active")), ("false", _("not active"))])
    wanted = {"true": True, "false": False}.get(active.value)
    rows = selectors.players_of(club, name=name.value, active=wanted)
    files = reverse("api:players-csv", args=[slug]), reverse("api:players", args=[slug])
    return _shown(request, "clubs/players.html", club, rows, tools([name, active], *files))


@require_safe
def competitions(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's competitions, by status and game."""
    club = _club(slug)
    status = choice(request, "status", _("Status"), Competition.Status.choices)
    ruleset = _by_game(request)
    rows = _narrowed(selectors.competitions_of(club), status=status.value, ruleset=ruleset.value)
    files = reverse("api:competitions-csv", args=[slug]), reverse("api:competitions")
    told = tools([status, ruleset], *files, club=slug)
    return _shown(request, "clubs/competitions.html", club, rows, told)


@require_safe
def games(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's games, in competitions and casual ones, by status and game."""
    club = _club(slug)
    status = choice(request, "status", _("Status"), Game.Status.choices)
    ruleset = _by_game(request)
    rows = _narrowed(
        selectors.games().filter(club=club), game__status=status.value, game__ruleset=ruleset.value
    )
    files = reverse("api:games-csv", args=[slug]), reverse("api:games")
    told = tools([status, ruleset], *files, club=slug)
    return _shown(request, "clubs/games.html", club, rows, told)


def _by_game(request: HttpRequest) -> Filter:
    titles = [(name, ruleset.title) for name, ruleset in sorted(rules.BY_NAME.items())]
    return choice(request, "ruleset", _("Game"), titles)


def _narrowed(rows: Any, **told: str) -> Any:
    return rows.filter(**{name: value for name, value in told.items() if value})


def _club(slug: str) -> Club:
    return get_object_or_404(selectors.clubs(), slug=slug)


def _shown(request: HttpRequest, template: str, club: Club, rows: Any, told: Tools) -> HttpResponse:
    page = paged(request, rows, ROWS_SHOWN)
    return render(
        request, template, {"club": club, "zone": club.timezone, "page": page, "rows": page, "tools": told}
    )

"""Lists: those of a club, with pages and filters, and the search for players of all clubs.

Filters have the names that the API uses, so that the files hold what the page shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.core.paginator import Page
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import rules
from games.choices import GameStatus
from league.choices import CompetitionStatus
from league.queries.clubs import players_shown
from league.queries.competitions import competitions_of
from league.queries.games import all_games, games_known, of_game
from league.queries.keysets import Numbered
from league.queries.names import found
from league.queries.permissions import findable_players
from league.queries.readers import nameless
from league.requests import spectator_or_account
from league.web.site import of_club
from league.words.people import tell_apart
from league.words.values import titles_of_games

if TYPE_CHECKING:
    from league.models import Club


# ---- List tools ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Filter:
    """A filter of a list: one of ``choices`` (value and label each), or any text where there are none."""

    name: str
    label: str
    value: str
    choices: tuple[tuple[str, str | Promise], ...] = ()


@dataclass(frozen=True)
class ListTools:
    """The filters of a list, and what apps need that offer its rows as files.

    ``name`` is the name of the rows, and ``of`` the row whose they are, as the API's addresses have them;
    ``address`` is where they are as JSON, and ``query`` what they are filtered by. ``meant`` says that no row
    has the name that was searched for, and these have names that are near to it.
    """

    filters: tuple[Filter, ...]
    name: str
    of: object
    address: str = ""
    query: Mapping[str, object] = field(default_factory=dict)
    meant: bool = False

    @property
    def json(self) -> str:
        """Return the address of these rows as JSON, empty where there is none."""
        sign = "&" if "?" in self.address else "?"
        return f"{self.address}{sign}{urlencode(self.query)}" if self.address and self.query else self.address


def _tools(
    filters: Sequence[Filter], name: str, club: Club, address: str, *, meant: bool = False
) -> ListTools:
    query = {each.name: each.value for each in filters if each.value}
    return ListTools(tuple(filters), name, club.slug, address, query, meant)


def text(request: HttpRequest, name: str, label: str) -> Filter:
    """Return a filter by part of a text, with its value from the query."""
    return Filter(name, label, request.GET.get(name, "").replace("\0", "")[:100])


def choice(
    request: HttpRequest, name: str, label: str, choices: Sequence[tuple[str, str | Promise]]
) -> Filter:
    """Return a filter by one of some values, with its value from the query; other values are ignored."""
    value = request.GET.get(name, "")
    return Filter(name, label, value if value in dict(choices) else "", tuple(choices))


def get_page(request: HttpRequest, rows: Any, size: int) -> Page[Any]:
    """Return the page of rows in ``?page=``, or the nearest one that exists."""
    return Numbered(rows, size).get_page(request.GET.get("page"))


# ---- Lists ---------------------------------------------------------------------------------------

ROWS_SHOWN = 50
SHORTEST_NAME = 2
"""How many letters a search across clubs needs, so that nobody lists everybody."""


@require_safe
@of_club
def players(request: HttpRequest, club: Club) -> HttpResponse:
    """Show a club's players, filtered by name."""
    name = text(request, "search", _("Name"))
    active = choice(request, "active", _("Status"), [("true", _("active")), ("false", _("not active"))])
    wanted = {"true": True, "false": False}.get(active.value)
    searched = found(players_shown(club, spectator_or_account(request), active=wanted), name.value)
    address = reverse("api:players", args=[club.slug])
    tools = _tools([name, active], "players", club, address, meant=searched.meant)
    return _render(request, "clubs/players.html", club, searched.rows, tools)


@require_safe
def find_players(request: HttpRequest) -> HttpResponse:
    """Show players of all clubs who agreed to be found, by parts of the name."""
    name = text(request, "search", _("Name"))
    typed = name.value.strip()
    rows = get_page(request, findable_players(typed if len(typed) >= SHORTEST_NAME else ""), ROWS_SHOWN)
    tell_apart(rows)
    context = {
        "name": name,
        "page": rows,
        "rows": rows,
        "least": SHORTEST_NAME,
        "too_short": 0 < len(typed) < SHORTEST_NAME,
    }
    return render(request, "clubs/find_players.html", context)


@require_safe
@of_club
def competitions(request: HttpRequest, club: Club) -> HttpResponse:
    """Show a club's competitions, by status and game."""
    status = choice(request, "status", _("Status"), CompetitionStatus.choices)
    ruleset = _by_game(request, club)
    rows = _filtered(competitions_of(club), status=status.value)
    rows = of_game(rows, "ruleset", ruleset.value) if ruleset.value else rows
    tools = _tools([status, ruleset], "competitions", club, f"{reverse('api:competitions')}?club={club.slug}")
    return _render(request, "clubs/competitions.html", club, rows, tools)


@require_safe
@of_club
def games(request: HttpRequest, club: Club) -> HttpResponse:
    """Show a club's games, in competitions and casual ones, by status and game."""
    status = choice(request, "status", _("Status"), GameStatus.choices)
    ruleset = _by_game(request, club)
    rows = _filtered(all_games().filter(club=club), game__status=status.value)
    rows = of_game(rows, "game__ruleset", ruleset.value) if ruleset.value else rows
    tools = _tools([status, ruleset], "games", club, f"{reverse('api:games')}?club={club.slug}")
    return _render(request, "clubs/games.html", club, rows, tools)


def _by_game(request: HttpRequest, club: Club) -> Filter:
    titles = titles_of_games(sorted(games_known(club)))
    value = rules.game_key(request.GET.get("ruleset", ""))
    return Filter("ruleset", _("Game"), value if value in titles else "", tuple(titles.items()))


def _filtered(rows: Any, **values: str) -> Any:
    return rows.filter(**{name: value for name, value in values.items() if value})


def _render(request: HttpRequest, template: str, club: Club, rows: Any, tools: ListTools) -> HttpResponse:
    page = get_page(request, rows, ROWS_SHOWN)
    tell_apart(page if template == "clubs/players.html" else ())
    context = {"club": club, "zone": club.timezone, "page": page, "rows": page, "tools": tools}
    context["hidden"] = not page and bool(nameless(club.pk))
    return render(request, template, context)

"""What belongs to the whole site: pages that have moved, those for errors, and those for search engines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from django.contrib.sitemaps import Sitemap
from django.core.exceptions import DisallowedHost
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.views.defaults import server_error

from games import rules
from league import hooks
from league.ops.logs import has_collided, is_away
from league.queries.clubs import all_clubs, find_club
from league.queries.competitions import all_competitions
from league.queries.permissions import players_told
from league.queries.seasons import all_seasons

if TYPE_CHECKING:
    from league.models import Club

# ---- Pages at a club’s address -------------------------------------------------------------------

Page: TypeAlias = "Callable[[HttpRequest, Club], HttpResponse]"


def of_club(page: Page) -> Callable[[HttpRequest, str], HttpResponse]:
    """Return the view of a club's page: with the club at its address, or a redirect from an earlier one."""

    @wraps(page)
    def view(request: HttpRequest, slug: str) -> HttpResponse:
        club = find_club(slug)
        if club is None:
            raise Http404
        return page(request, club) if club.slug == slug else _moved(request, club)

    return view


def _moved(request: HttpRequest, club: Club) -> HttpResponse:
    assert request.resolver_match
    query = request.META.get("QUERY_STRING", "")
    address = reverse(request.resolver_match.view_name, args=[club.slug])
    answer = HttpResponsePermanentRedirect(f"{address}?{query}" if query else address)
    # A club can take its earlier name again; a browser that kept this redirect would then go in circles.
    answer["Cache-Control"] = "no-cache"
    return answer


# ---- Errors --------------------------------------------------------------------------------------

_RETRY_SECONDS: Final = 5


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 400, in the language of the browser; of an unknown host with its name (`handler400`)."""
    host = request.META.get("HTTP_HOST", "") if isinstance(exception, DisallowedHost) else ""
    # A host is refused before anything has activated the language.
    with translation.override(translation.get_language_from_request(request)):
        return HttpResponse(render_to_string("400.html", {"unknown_host": host}), status=400)


def failed(request: HttpRequest) -> HttpResponse:
    """Return 503 where the database does not answer or a disk is full, otherwise 500 (`handler500`).

    Where two changes have only met, the database can be asked who reads.
    """
    if not is_away(error := sys.exception()):
        return server_error(request)
    collided = has_collided(error)
    told = render_to_string("unavailable.html", {"collided": collided}, request if collided else None)
    answer = HttpResponse(told, status=503)
    answer["Retry-After"] = str(_RETRY_SECONDS)
    return answer


# ---- Search engines ------------------------------------------------------------------------------


class _Pages(Sitemap):  # type: ignore[type-arg]  # not generic when the code runs
    """Pages of what ``found`` returns: ``named`` returns the name of one's page and the arguments of it."""

    limit = 10_000

    def __init__(
        self,
        found: Callable[[], Iterable[Any]],
        named: Callable[[Any], tuple[object, ...]],
        changed: Callable[[Any], datetime] | None = None,
    ) -> None:
        self.items = found  # type: ignore[method-assign]
        self.named = named
        if changed:
            self.lastmod = changed

    def location(self, item: Any) -> str:
        """Return the address of a page."""
        name, *arguments = self.named(item)
        return reverse(str(name), args=arguments)


def _start() -> list[tuple[str, ...]]:
    """Return the home page, and those of apps, of the games and their rules."""
    plain = [(name,) for name in ("home", *hooks.SITE_PAGES, "rules_index")]
    return [*plain, *(("rules", key) for key in sorted({each.key for each in rules.BY_NAME.values()}))]


SITEMAPS: Final[Mapping[str, Callable[[], Sitemap]]] = {  # type: ignore[type-arg]
    "start": partial(_Pages, _start, lambda page: page),
    "clubs": partial(_Pages, all_clubs, lambda club: ("club", club.slug)),
    "seasons": partial(_Pages, all_seasons, lambda season: ("season", *season)),
    "competitions": partial(
        _Pages,
        lambda: all_competitions().order_by("-opened_at", "pk"),
        lambda competition: ("competition", competition.slug),
        lambda competition: competition.shown_at,
    ),
    "players": partial(_Pages, players_told, lambda player: ("player", player.pk)),
}
"""Never the pages of players who did not agree to be found."""

"""Pages at a club's address: earlier addresses of the club lead to the one that it has now."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, TypeAlias

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse

from league.queries.clubs import find_club

if TYPE_CHECKING:
    from league.models import Club

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

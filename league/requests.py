"""What web and admin both read from a request: the caller, a form sent twice, and a sheet to print."""

import hashlib
from collections.abc import Callable
from typing import cast

from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse

from games.engine import chain
from league.files import sheets
from league.files.sheets.answers import as_pdf
from league.models import Account, Competition, Kiosk
from league.queries.kiosks import COOKIE, kiosk_of
from league.services.kiosks import note_seen
from league.services.once import Made, once
from league.site_address import site_address, urls_below


def caller(request: HttpRequest) -> Account:
    """Return the account that is logged in, on a page that needs a log-in."""
    return cast(Account, request.user)


def spectator_or_account(request: HttpRequest) -> Account | None:
    """Return the account that is logged in, None where nobody is."""
    return request.user if isinstance(request.user, Account) else None


def kiosk_in(request: HttpRequest, competition: Competition) -> Kiosk | None:
    """Return the kiosk that the device is, None for other devices and for kiosks of other competitions."""
    kiosk = kiosk_of(request.COOKIES.get(COOKIE, ""))
    if kiosk is None or kiosk.competition_id != competition.pk:
        return None
    note_seen(kiosk)
    return kiosk


def made_once(request: HttpRequest, make: Callable[[], Model]) -> Made:
    """Create a row from a posted form; for the same form sent again, return the row that it created before.

    A form is recognised by its CSRF token, which is masked differently each time a page is loaded: the same
    values sent from two loaded pages create two rows.
    """
    if not request.POST.get("csrfmiddlewaretoken"):
        return Made(make().pk, created=True)
    fields = {name: request.POST.getlist(name) for name in request.POST}
    content = chain.canonical({"path": request.get_full_path(), "fields": dict(fields)})
    sent = hashlib.sha256(content).hexdigest()
    # Keys sent to the API have no spaces, so this can't be one of them.
    return once(by=caller(request), key=f"form {sent}", request=sent, make=make)


def number_in(request: HttpRequest, name: str) -> int | None:
    """Return a number of the query, None where it is left out; raise Http404 where it isn't a number."""
    text = request.GET.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise Http404
    return int(text)


def print_request(request: HttpRequest, competition: Competition, *, drawn: bool) -> sheets.PrintRequest:
    """Return what to print by the query; ``drawn`` includes unpublished rounds. Raises Http404."""
    stage, round_ = number_in(request, "stage"), number_in(request, "round")
    address = urls_below(site_address(request))
    entries = tuple(request.GET.getlist("entry"))
    return sheets.PrintRequest(competition, stage or 0, round_ or 0, drawn, address, entries=entries)


def printed(request: HttpRequest, competition: Competition, kind: str, *, drawn: bool) -> HttpResponse:
    """Return a printed sheet as a PDF; ``drawn`` includes unpublished rounds, for organisers.

    Raises `league.files.sheets.NothingToPrint`, `NoForm`, and Http404 for a bad query.
    """
    wanted = print_request(request, competition, drawn=drawn)
    return as_pdf(sheets.printed(kind, wanted), f"{competition.slug}-{kind}.pdf")

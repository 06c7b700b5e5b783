"""From where people log in: the address of the network, and a cookie by which a device is known again."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.core.signing import BadSignature, Signer

from league.requests import DEVICE, device_cookie, place_of
from league.services.log_ins import note_device

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from league.models import Account

_REMEMBERED: Final = timedelta(days=365)
_ACCOUNTS: Final = "trefoil_accounts"
"""The name of the cookie with the accounts that logged in last, the last one first."""
_accounts: Final = Signer(salt=_ACCOUNTS)

_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
"""What the header User-Agent has in it, and which browser that is; the first counts."""
_SYSTEMS: Final = (
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def _named(agent: str, names: Sequence[tuple[str, str]]) -> str:
    return next((name for part, name in names if part in agent), "")


def accounts_here(request: HttpRequest) -> list[str]:
    """Return the ids of the last two accounts that logged in with this browser, the last one first."""
    try:
        return _accounts.unsign(request.COOKIES.get(_ACCOUNTS, "")).split()
    except BadSignature:
        return []


def remember_place(request: HttpRequest, response: HttpResponse, account: Account) -> HttpResponse:
    """Return the response to a log-in, with a cookie for a new device, and note the place and the session.

    Without a log-in (a new password was chosen by a link) only the place is noted.
    """
    place = place_of(request)
    if not place.device:
        place = replace(place, device=secrets.token_urlsafe(24))
        _set_cookie(response, DEVICE, device_cookie(place.device))
    logged_in = request.user == account
    if logged_in:
        last = list(dict.fromkeys((str(account.pk), *accounts_here(request))))[:2]
        _set_cookie(response, _ACCOUNTS, _accounts.sign(" ".join(last)))
    if logged_in and request.session.session_key is None:
        request.session.save()
    agent = request.headers.get("User-Agent", "")
    note_device(
        by=account,
        place=place,
        browser=_named(agent, _BROWSERS),
        system=_named(agent, _SYSTEMS),
        session_key=request.session.session_key if logged_in else None,
    )
    return response


def _set_cookie(response: HttpResponse, name: str, value: str) -> None:
    secure = settings.SESSION_COOKIE_SECURE
    response.set_cookie(name, value, max_age=_REMEMBERED, httponly=True, samesite="Lax", secure=secure)

"""From where people log in: the address of the network, and a cookie by which a device is known again."""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.conf import settings

from league.services.log_ins import Place, note_log_in

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from league.models import Account

DEVICE: Final = "trefoil_device"
_LONGEST: Final = 100
_REMEMBERED: Final = timedelta(days=365)


def place_of(request: HttpRequest) -> Place:
    """Return from where a request comes."""
    return Place(request.META.get("REMOTE_ADDR", ""), request.COOKIES.get(DEVICE, "")[:_LONGEST])


def remember_place(request: HttpRequest, response: HttpResponse, account: Account) -> HttpResponse:
    """Return the response to a log-in, with a cookie for a new device, and note the place."""
    place = place_of(request)
    if not place.device:
        place = replace(place, device=secrets.token_urlsafe(24))
        response.set_cookie(
            DEVICE,
            place.device,
            max_age=_REMEMBERED,
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )
    note_log_in(by=account, place=place)
    return response

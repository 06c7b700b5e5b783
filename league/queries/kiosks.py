"""Kiosks: their links, and which kiosk a device is by its cookie."""

from typing import Final
from uuid import UUID

from django.core import signing
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from games.engine.messages import text
from games.engine.refusals import Illegal
from league.models import Kiosk
from league.queries.links import derived

COOKIE: Final = "kiosk"
"""The name of the cookie that makes a device a kiosk."""

_SALT: Final = "league.kiosk"


def link_to(kiosk: Kiosk) -> str:
    """Return the path of the link that makes a device this kiosk; it works until a device opens it."""
    return reverse("open_kiosk", args=[kiosk.pk, derived("kiosk", kiosk.pk, kiosk.salt)])


def read_link(*, kiosk_id: UUID, token: str) -> Kiosk:
    """Return the kiosk of a link that still works; raises `Illegal`."""
    kiosk = _kiosks().filter(pk=kiosk_id).first()
    if kiosk is None or not constant_time_compare(derived("kiosk", kiosk.pk, kiosk.salt), token):
        raise Illegal(text("This link was opened on a device already, or is wrong. Ask the organiser."))
    if not kiosk.is_open:
        raise Illegal(text("This link has expired or was revoked. Ask the organiser."))
    return kiosk


def cookie_of(kiosk: Kiosk) -> str:
    """Return the signed value of the cookie of the device that opened the kiosk's link."""
    return signing.dumps([str(kiosk.pk), kiosk.salt], salt=_SALT)


def kiosk_of(cookie: str) -> Kiosk | None:
    """Return the kiosk that a device is by its cookie; None once it is revoked, replaced or too old."""
    try:
        pk, salt = signing.loads(cookie, salt=_SALT)
    except signing.BadSignature:
        return None
    kiosk = _kiosks().filter(pk=pk, salt=salt).first()
    return kiosk if kiosk and kiosk.is_open else None


def _kiosks() -> QuerySet[Kiosk]:
    return Kiosk.objects.select_related("competition__club")

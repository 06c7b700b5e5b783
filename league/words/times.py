"""Times as text, in the reader's language and in the active time zone."""

from datetime import datetime
from typing import Final

from django.utils import timezone
from django.utils.formats import date_format, get_format
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

_ZONES: Final[dict[str, Promise | str]] = {
    "WET": pgettext_lazy("time zone", "WET"),
    "WEST": pgettext_lazy("time zone", "WEST"),
    "CET": pgettext_lazy("time zone", "CET"),
    "CEST": pgettext_lazy("time zone", "CEST"),
    "EET": pgettext_lazy("time zone", "EET"),
    "EEST": pgettext_lazy("time zone", "EEST"),
}
"""Short names for which other languages have their own (Unicode CLDR); the rest are the same everywhere."""


def point_in_time(at: datetime) -> str:
    """Return a date and time with the zone's short name: "22 Nov 2026, 18:00 CET"."""
    local = timezone.localtime(at)
    return f"{date_format(local, get_format('DATETIME_FORMAT'))} {zone_name(at)}"


def zone_name(at: datetime) -> str:
    """Return the active time zone's short name at this time, in the reader's language: "CET" or "MEZ"."""
    name = date_format(timezone.localtime(at), "T")
    return str(_ZONES.get(name, name))

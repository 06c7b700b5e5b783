"""Times as text, in the reader's language and in the active time zone."""

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format, get_format


def point_in_time(at: datetime) -> str:
    """Return a date and time with the zone's short name: "22 Nov 2026, 18:00 CET"."""
    return date_format(timezone.localtime(at), f"{get_format('DATETIME_FORMAT')} T")

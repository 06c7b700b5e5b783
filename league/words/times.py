"""Times, lengths of time and time zones as text, in the reader's language and in the active time zone."""

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format, get_format
from django.utils.functional import Promise
from django.utils.translation import get_language, ngettext, pgettext_lazy

from league.models.names import known_zones

# ---- Times ---------------------------------------------------------------------------------------

_ZONES: Final[dict[str, Promise | str]] = {
    "WET": pgettext_lazy("time zone", "WET"),
    "WEST": pgettext_lazy("time zone", "WEST"),
    "CET": pgettext_lazy("time zone", "CET"),
    "CEST": pgettext_lazy("time zone", "CEST"),
    "EET": pgettext_lazy("time zone", "EET"),
    "EEST": pgettext_lazy("time zone", "EEST"),
}
"""Short names for which other languages have their own (Unicode CLDR); the rest are the same everywhere."""

LENGTHS: Final = (24 * 60 * 60, 60 * 60, 60, 1)
"""The seconds of a day, an hour, a minute and a second."""


def day_in_words(day: date) -> str:
    """Return a day in the reader's language: "22 Nov 2026"."""
    return _day(get_language(), day)


# To write a day costs as much as ten names, and a year's pages say the same days to everybody.
@lru_cache(maxsize=2000)
def _day(_language: str | None, day: date) -> str:
    return date_format(day, "DATE_FORMAT")


def point_in_time(at: datetime) -> str:
    """Return a date and time with the zone's short name: "22 Nov 2026, 18:00 CET"."""
    local = timezone.localtime(at)
    return f"{date_format(local, get_format('DATETIME_FORMAT'))} {zone_name(at)}"


def zone_name(at: datetime) -> str:
    """Return the active time zone's short name at this time, in the reader's language: "CET" or "MEZ"."""
    name = str(timezone.localtime(at).tzname())  # the format "T" is empty where clocks go back
    return str(_ZONES.get(name, name))


def duration_text(seconds: int) -> str:
    """Return a length of time in words: 129600 as "1 day 12 hours", 0 as an empty text."""
    counts = []
    for length in LENGTHS:
        count, seconds = divmod(seconds, length)
        counts.append(count)
    return " ".join(text for count, text in zip(counts, counted(*counts), strict=True) if count)


def counted(days: int, hours: int, minutes: int, seconds: int) -> tuple[str, ...]:
    """Return numbers of days, hours, minutes and seconds with their words."""
    return (
        ngettext("%(count)d day", "%(count)d days", days) % {"count": days},
        ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours},
        ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes},
        ngettext("%(count)d second", "%(count)d seconds", seconds) % {"count": seconds},
    )


# ---- Zones ---------------------------------------------------------------------------------------

COMMON: Final = (
    *("UTC", "Europe/London", "Europe/Dublin", "Europe/Lisbon", "Europe/Paris", "Europe/Berlin"),
    *("Europe/Vienna", "Europe/Zurich", "Europe/Madrid", "Europe/Rome", "Europe/Warsaw", "Europe/Athens"),
    *("Europe/Helsinki", "Europe/Istanbul", "America/New_York", "America/Chicago", "America/Denver"),
    *("America/Los_Angeles", "America/Toronto", "America/Sao_Paulo", "Africa/Johannesburg", "Asia/Kolkata"),
    *("Asia/Singapore", "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney", "Pacific/Auckland"),
)
_REGIONS: Final = (
    *("Africa/", "America/", "Antarctica/", "Arctic/", "Asia/", "Atlantic/", "Australia/"),
    *("Europe/", "Indian/", "Pacific/"),
)


def zone_choices() -> list[tuple[str, str]]:
    """Return all zones with their titles, such as "Europe/Dublin (UTC+1)"; common ones come first."""
    now = timezone.now()  # noqa: TID251 - for titles, whose offsets change twice a year
    return list(_choices(now.astimezone(UTC).replace(minute=0, second=0, microsecond=0)))


@lru_cache(maxsize=2)
def _choices(at: datetime) -> tuple[tuple[str, str], ...]:
    names = sorted(name for name in known_zones() if name.startswith(_REGIONS))
    ordered = (*COMMON, *(name for name in names if name not in COMMON))
    # Names such as GMT or Etc/GMT+3, which nobody should pick, but a club may have.
    odd = sorted(known_zones() - {*ordered})
    return tuple((name, _title(name, at)) for name in (*ordered, *odd))


def _title(name: str, at: datetime) -> str:
    if name == "UTC":
        return name
    offset = at.astimezone(ZoneInfo(name)).utcoffset() or timedelta()
    return f"{name.replace('_', ' ')} (UTC{_difference(offset)})"


def _difference(offset: timedelta) -> str:
    minutes = round(offset.total_seconds() / 60)
    hours, rest = divmod(abs(minutes), 60)
    sign = "−" if minutes < 0 else "+"
    return f"{sign}{hours}:{rest:02}" if rest else f"{sign}{hours}"

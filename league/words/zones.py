"""Time zones as people pick them: common ones first, with their difference from UTC."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from django.utils import timezone

from league.models.names import known_zones

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

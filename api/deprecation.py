"""The end of what the API offers, announced beforehand (docs/api.md, "What may change").

What has ended stays declared: an operation answers 410, a parameter is unknown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from django.utils import timezone
from django.utils.http import http_date

NOTICE: Final = timedelta(days=365)
"""How long something goes on at least after it was deprecated."""


@dataclass(frozen=True)
class Deprecation:
    """Since when an operation or a parameter should not be used, and on which day it ends (UTC).

    ``link`` is the address of a text for people: what to use instead.
    """

    since: date
    until: date
    link: str

    def __post_init__(self) -> None:
        if self.until - self.since < NOTICE:
            raise ValueError(f"What is deprecated goes on for {NOTICE.days} days.")

    @property
    def is_over(self) -> bool:
        """Return whether it has ended."""
        return timezone.now().astimezone(UTC).date() >= self.until  # noqa: TID251 - a day, told long before

    def headers(self) -> Mapping[str, str]:
        """Return the headers of RFC 9745 and RFC 8594."""
        return {
            "Deprecation": f"@{_seconds(self.since)}",
            "Sunset": http_date(_seconds(self.until)),
            "Link": f'<{self.link}>; rel="deprecation"; type="text/html"',
        }


def _seconds(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp())

"""The names of time zones, as clubs and accounts choose them."""

from functools import cache
from typing import Final
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

NO_PLACE: Final = frozenset({"Factory", "localtime"})
"""Names of the database of zones that mean another zone on each machine, or none."""


@cache
def known_zones() -> frozenset[str]:
    """Return the names of all time zones."""
    return frozenset(available_timezones()) - NO_PLACE


def known_zone(name: str) -> None:
    """Raise ValidationError for a name that is no time zone's."""
    if name not in known_zones():
        raise ValidationError(_("There is no such time zone."), code="unknown")

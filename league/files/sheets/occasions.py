"""When and where a competition takes place, as printed sheets say it."""

from django.utils import timezone
from django.utils.formats import date_format

from league.models import Competition


def occasion(competition: Competition) -> str:
    """Return the date of printing in the club's time zone."""
    with timezone.override(competition.club.zone):
        return date_format(timezone.localdate(), "DATE_FORMAT")

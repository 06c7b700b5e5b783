"""When and where a competition takes place, as printed sheets say it."""

from django.utils import timezone
from django.utils.formats import date_format

from games import database_time
from league.models import Competition
from league.queries.details import details_of
from league.words.competitions import when_and_where


def occasion(competition: Competition) -> str:
    """Return days and place of the competition; the date of printing where an organiser gave neither."""
    told = when_and_where(details_of(competition))
    if told:
        return told
    with timezone.override(competition.club.zone):
        return date_format(timezone.localtime(database_time.now()), "DATE_FORMAT")

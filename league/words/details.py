"""When a competition is, and who wins its prizes, in words."""

from datetime import date, datetime, time

from django.template.defaultfilters import date as written
from django.template.defaultfilters import time as clock
from django.utils.timezone import override
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.engine.messages import both, text
from league.core.course import instants
from league.core.details import Award
from league.models import Details
from league.words.messages import translated
from league.words.times import zone_name


def when(details: Details) -> str:
    """Return the days and the time of day, such as "Sun 3 May 2026, 19:00"; empty where they are not told."""
    if details.begins_on is None:
        return ""
    days = _days(details.begins_on, details.ends_on)
    if not details.begins_at:
        return days
    begins = datetime.combine(details.begins_on, details.begins_at)
    shown = instants(begins, details.competition.club.zone)
    with override(details.competition.club.zone):
        # Where clocks go back, a time alone does not say which of two it is.
        zone = f" {zone_name(shown[0])}" if len(shown) > 1 else ""
    return _("%(days)s, %(time)s") % {"days": days, "time": _time(details.begins_at) + zone}


def _days(first: date, last: date | None) -> str:
    if last is None or last == first:
        return _day(first)
    return _("%(first)s – %(last)s") % {"first": _day(first), "last": _day(last)}


def _day(day: date) -> str:
    given = {"weekday": written(day, "D"), "date": written(day, "DATE_FORMAT")}
    return pgettext("a day: Sun 3 May 2026", "%(weekday)s %(date)s") % given


def _time(at: time) -> str:
    return str(clock(at, "H:i"))


def when_and_where(details: Details) -> str:
    """Return days, time and place in one line; empty where nothing is told."""
    return " · ".join(part for part in (when(details), details.place) if part)


def prize_for(award: Award) -> str:
    """Return what a prize is for: places such as "1–3", or its category."""
    prize = award.prize
    if prize.category:
        return prize.category
    if prize.first == prize.last:
        return _("Place %(place)d") % {"place": prize.first}
    return _("Places %(first)d–%(last)d") % {"first": prize.first, "last": prize.last}


def winners(award: Award) -> str:
    """Return the names of the winners, and whether they are level; empty while there are none."""
    if not award.winners:
        return ""
    names = translated(both([_told(name, award) for name in award.winners]))
    if not award.level:
        return names
    places = {"names": names, "first": award.first, "last": award.last}
    return _("%(names)s (level on places %(first)d–%(last)d)") % places


def _told(name: str, award: Award) -> str:
    return text("%(name)s (by lot)", name=name) if name in award.by_lot else name

"""What a browser that follows an evening is told: what happened there that concerns its person."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Max
from django.template.defaultfilters import date
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from league.apps.hall.queries import announcements_of, played_round, timer_ends
from league.apps.my_evening.models import Pass
from league.apps.my_evening.queries import Evening, evening_of
from league.models import Competition, Table
from league.words.values import in_room

WARNED: Final = timedelta(minutes=5)
"""How long before its time is over a table is told so."""
TOLD: Final = ("published", "table_opened", "time_given", "results_posted")
"""The types of the events that somebody may be told of."""


@dataclass(frozen=True)
class News:
    """What happened, since when it could be known, in the reader's language."""

    at: datetime
    words: str


def last_moment(competition: Competition, now: datetime) -> datetime | None:
    """Return when the last thing happened that somebody of a competition may be told of."""
    events = competition.events.filter(event__type__in=TOLD).aggregate(at=Max("at"))["at"]
    said = announcements_of(competition).aggregate(at=Max("made_at"))["at"]
    warned = [at for at in _warnings(competition) if at <= now]
    return max((at for at in (events, said, *warned) if at), default=None)


def _warnings(competition: Competition) -> Sequence[datetime]:
    ends, played = timer_ends(competition), played_round(competition)
    if ends is None or played is None:
        return ()
    playing = played.tables.filter(status=Table.Status.PLAYING)
    more = {*playing.order_by().values_list("more_minutes", flat=True)}
    return [ends + timedelta(minutes=each) - WARNED for each in more]


def news_of(held: Pass, since: datetime, now: datetime) -> Sequence[News]:
    """Return what happened to the person of a pass after a time, the newest first."""
    competition, evening = held.competition, evening_of(held.player, held.competition)
    events = competition.events.filter(event__type__in=TOLD, at__gt=since).order_by("seq")
    rows = events.values_list("at", "event")
    found = [News(at, words) for at, event in rows if (words := _words(event, evening, competition))]
    found += [News(each.made_at, str(each)) for each in evening.announcements if each.made_at > since]
    found += _warning(evening, competition, now)
    return sorted((each for each in found if since < each.at <= now), key=lambda each: each.at, reverse=True)


def _words(event: Mapping[str, Any], evening: Evening, competition: Competition) -> str:
    """Return what an event tells the person, empty for nothing."""
    own = evening.seat and event.get("table") == str(evening.seat.table_id)
    match event["type"]:
        case "published":
            return _seat(event, evening)
        case "table_opened" if own:
            return _seat(event, evening)
        case "time_given" if own:
            return _until(evening, competition, _("The time of your table has changed: until %(at)s"))
        case "results_posted" if competition.takes_objections:
            until = _clock(competition, competition.objections_until)
            return _("The results are posted. Look at yours: objections until %(at)s") % {"at": until}
    return ""


def _seat(event: Mapping[str, Any], evening: Evening) -> str:
    its_round = evening.latest
    here = its_round and (its_round.stage.number, its_round.number) == (event["stage"], event["round"])
    if not here or not evening.playing:
        return ""
    numbers = {"round": event["round"]}
    if evening.seat:
        table, seat = evening.seat.table.number, evening.seat.number + 1
        named = _("Round %(round)d: table %(table)d, seat %(seat)d")
        return in_room(named % {**numbers, "table": table, "seat": seat}, evening.seat.table.room)
    return _("No table in round %(round)d") % numbers if evening.bye else ""


def _warning(evening: Evening, competition: Competition, now: datetime) -> Iterator[News]:
    if evening.open and evening.until and now < evening.until:
        words = _until(evening, competition, _("The time of your table is running out: until %(at)s"))
        yield News(evening.until - WARNED, words)


def _until(evening: Evening, competition: Competition, words: str) -> str:
    return words % {"at": _clock(competition, evening.until)} if evening.open and evening.until else ""


def _clock(competition: Competition, at: datetime | None) -> str:
    return date(localtime(at, competition.club.zone), "H:i")

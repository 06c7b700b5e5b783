"""What a browser that follows an evening is told: what happened there that concerns its person."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any, Final
from uuid import UUID

from django.db.models import Max
from django.template.defaultfilters import date
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from league import log
from league.apps.hall.models import Announcement
from league.apps.hall.queries import timers
from league.apps.my_evening.models import Pass
from league.apps.my_evening.queries import Evening, evening_of
from league.models import Competition, Table
from league.words.competitions import objections_end
from league.words.values import in_room

WARNED: Final = timedelta(minutes=5)
"""How long before its time is over a table is told so."""
TOLD: Final = (
    "published",
    "table_opened",
    "waiting_seated",
    "time_given",
    "results_posted",
    "challenged",
    "challenge_reopened",
)
"""The types of the events that somebody may be told of."""


@dataclass(frozen=True)
class News:
    """What happened, since when it could be known, in the reader's language."""

    at: datetime
    words: str


def last_moments(competitions: Collection[UUID], now: datetime) -> Mapping[UUID, datetime]:
    """Return when the last thing happened in competitions that somebody of them may be told of.

    The number of queries does not depend on how many there are. An announcement that is shown no more counts.
    """
    events = log.rows_of(competitions).filter(event__type__in=TOLD).order_by().values("competition")
    said = Announcement.objects.filter(competition__in=competitions).order_by().values("competition")
    moments = [
        *events.annotate(last=Max("at")).values_list("competition", "last"),
        *said.annotate(last=Max("made_at")).values_list("competition", "last"),
        *((competition, at) for competition, at in _warnings(competitions) if at <= now),
    ]
    return dict(sorted(moments, key=itemgetter(1)))


def _warnings(competitions: Collection[UUID]) -> Iterator[tuple[UUID, datetime]]:
    """Yield when the tables of each competition are told that their time runs out."""
    timed = {played.pk: (played.stage.competition_id, ends) for played, ends in timers(competitions).items()}
    playing = Table.objects.filter(round__in=timed, status=Table.Status.PLAYING).order_by()
    for played, more in playing.values_list("round", "more_minutes").distinct():
        competition, ends = timed[played]
        yield competition, ends + timedelta(minutes=more) - WARNED


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
        case "table_opened" | "waiting_seated" if own:
            return _seat(event, evening)
        case "challenged" | "challenge_reopened" if evening.entry and event["entry"] == str(evening.entry.pk):
            return _("You are challenged")
        case "time_given" if own:
            return _until(evening, competition, _("The time of your table has changed: until %(at)s"))
        case "results_posted" if competition.takes_objections and competition.objections_until:
            until = objections_end(competition, competition.objections_until)
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

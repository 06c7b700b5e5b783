"""Calendars of competitions and players (iCalendar, RFC 5545): tables and deadlines, for any calendar app.

The competition itself is an event on its days, with its place and description, if an organiser gave them.
What apps know of matches that have a day is on that day. A table is an event from its publication to its end,
or to its deadline while it is being played; it does not mark its players as busy. The deadline of the current
round is a further event.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from icalendar import STATUS, TRANSP, Calendar, Event

from league import hooks
from league.models import Club, Competition, Details, Player, Round, Table
from league.queries.competitions import competitions_of, details_of
from league.queries.rounds import rounds_due, tables_of_competition, tables_of_player
from league.words.values import names_at_table

PRODUCT: Final = "-//Trefoil//Club calendar//EN"
SHORTEST: Final = timedelta(minutes=1)
"""An event's end is later than its start: RFC 5545, section 3.8.2.2."""
REFRESH: Final = timedelta(hours=1)
EVENING: Final = timedelta(hours=4)
"""How long a competition of one day is in calendars: a calendar's event must end."""
MOST_COMPETITIONS: Final = 200
"""The latest competitions that a club's calendar holds."""
MOST_TABLES: Final = 1000
"""The latest tables that a calendar holds."""

_EPOCH: Final = datetime(2020, 1, 1, tzinfo=UTC)
_LAST_NUMBER: Final = 2**31 - 1
_STATUS: Final = {True: STATUS.CANCELLED, False: STATUS.CONFIRMED}

Address = Callable[[str], str]
"""Turns a path into an address."""


@dataclass(frozen=True)
class Fixture:
    """What is played in a competition on a day, in a few words."""

    competition: Competition
    uid: str
    day: date
    what: str


FIXTURES: Final[list[Callable[[Competition | Club | Player], Iterable[Fixture]]]] = []
"""Those of all apps, which are in the calendar of a competition, a club or a player."""


def of_competition(competition: Competition, address: Address) -> bytes:
    """Return the calendar of a competition: published tables, and deadlines of current rounds."""
    tables = tables_of_competition(competition)
    own = [*_days(competition, address), *_fixtures(competition, address)]
    return _written(competition.name, str(competition.pk), tables[:MOST_TABLES], address, own)


def of_player(player: Player, address: Address) -> bytes:
    """Return the calendar of a player: their tables, the deadlines of these, and what is to come."""
    tables = tables_of_player(player)[:MOST_TABLES]
    return _written(player.called, str(player.pk), tables, address, [*_fixtures(player, address)])


def of_club(club: Club, address: Address) -> bytes:
    """Return the calendar of a club: days of its latest competitions, deadlines of rounds, and days off."""
    competitions = competitions_of(club)[:MOST_COMPETITIONS]
    days = [event for each in competitions for event in _days(each, address)]
    due = [_deadline(each, address) for each in rounds_due(club)]
    off = [_day_off(each) for of_app in hooks.DAYS_OFF for each in of_app(club)]
    return _as_file(club.name, str(club.pk), [*days, *_fixtures(club, address), *due, *off])


def _fixtures(of: Competition | Club | Player, address: Address) -> Iterator[Event]:
    for each in (each for app in FIXTURES for each in app(of)):
        yield Event.new(
            uid=each.uid,
            **_version(each.competition),
            start=each.day,
            end=each.day + timedelta(days=1),
            summary=f"{each.competition.name}: {each.what}",
            url=address(reverse("competition", args=[each.competition.slug])),
            transparency=TRANSP.TRANSPARENT,
        )


def _day_off(each: hooks.DayOff) -> Event:
    return Event.new(
        uid=each.uid,
        stamp=each.at,
        last_modified=each.at,
        start=each.day,
        end=each.day + timedelta(days=1),
        summary=_("Not on this day: %(name)s (%(why)s)") % {"name": each.what, "why": each.why},
        transparency=TRANSP.TRANSPARENT,
    )


def _days(competition: Competition, address: Address) -> Iterator[Event]:
    """Yield the competition's own event, if its first day is known."""
    details = details_of(competition)
    if details.begins_on is None:
        return
    first, last = details.begins_on, details.ends_on or details.begins_on
    one_day = first == last and details.begins_at is not None
    yield Event.new(
        uid=f"{competition.pk}-days",
        **_version(competition, details.changed_at),
        start=_starts_at(competition, details) if one_day else first,
        # An event of whole days ends before this day.
        end=_starts_at(competition, details) + EVENING if one_day else last + timedelta(days=1),
        summary=competition.name,
        location=details.place or None,
        description=details.description or None,
        contacts=[details.contact] if details.contact else None,
        url=address(reverse("competition", args=[competition.slug])),
        status=_STATUS[competition.status == Competition.Status.CANCELLED],
    )


def _starts_at(competition: Competition, details: Details) -> datetime:
    assert details.begins_on
    begins = datetime.combine(details.begins_on, details.begins_at or time(), competition.club.zone)
    return begins.astimezone(UTC)


def _version(competition: Competition, later: datetime | None = None) -> Mapping[str, Any]:
    """Return when an event was changed, and the number that grows with each change."""
    changed = max(competition.shown_at, later or competition.shown_at)
    number = min(max(int((changed - _EPOCH).total_seconds()), 0), _LAST_NUMBER)
    return {"stamp": changed, "last_modified": changed, "sequence": number}


def _written(
    name: str, key: str, tables: Iterable[Table], address: Address, own: Sequence[Event] = ()
) -> bytes:
    listed = list(tables)
    rounds = {table.round_id: table.round for table in listed}
    events: list[Event] = [
        *own,
        *(_deadline(each, address) for each in rounds.values() if _is_due(each)),
        *(event for table in listed for event in _table(table, address)),
    ]
    return _as_file(name, key, events)


def _as_file(name: str, key: str, events: list[Event]) -> bytes:
    events.sort(key=_order)
    calendar = Calendar.new(
        name=name,
        prodid=PRODUCT,
        uid=key,
        refresh_interval=REFRESH,
        subcomponents=events,
    )
    # The property has no type of its own: RFC 7986, section 5.7.
    calendar["REFRESH-INTERVAL"].params["VALUE"] = "DURATION"
    written: bytes = calendar.to_ical()
    return written


def _order(event: Event) -> tuple[date, str, str]:
    start = event.start
    return (start.date() if isinstance(start, datetime) else start), str(start), str(event.uid)


def _is_due(each: Round) -> bool:
    return each.deadline is not None and each.status == Round.Status.PUBLISHED


def _deadline(each: Round, address: Address) -> Event:
    assert each.deadline
    competition = each.stage.competition
    names = {"competition": competition.name, "round": each.number}
    return Event.new(
        uid=str(each.pk),
        **_version(competition),
        start=each.deadline,
        end=each.deadline + SHORTEST,
        summary=_("%(competition)s: round %(round)d must be finished") % names,
        url=address(reverse("competition_rounds", args=[competition.slug])),
        transparency=TRANSP.TRANSPARENT,
    )


def _table(table: Table, address: Address) -> Iterator[Event]:
    """Yield a table's event, once it has a game."""
    games = [club_game.game for club_game in table.games.all()]
    if not games:
        return
    competition = table.round.stage.competition
    names = {"competition": competition.name, "round": table.round.number, "table": table.number}
    due = (
        table.postponed_until if table.put_off else table.round.deadline and table.round.deadline + table.more
    )
    ended = games[-1].moved_at if games[-1].is_over else due
    yield Event.new(
        uid=str(table.pk),
        **_version(competition, games[-1].moved_at if games[-1].is_over else None),
        start=games[0].opened_at,
        end=max(ended or games[0].opened_at, games[0].opened_at + SHORTEST),
        summary=_("%(competition)s: round %(round)d, table %(table)d") % names,
        location=table.room or None,
        description=names_at_table(table.seats.all(), competition.ruleset),
        url=address(reverse("game", args=[games[-1].pk])),
        status=STATUS.CANCELLED if table.status == Table.Status.VOID else STATUS.CONFIRMED,
        transparency=TRANSP.TRANSPARENT,
    )

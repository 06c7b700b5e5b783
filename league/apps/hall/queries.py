"""The hall of a competition: its screens, its kiosks, and calls for the organiser."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.core import signing
from django.db.models import Count, Prefetch, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal
from league import log
from league.core import formats
from league.core.course import has_next_round
from league.core.seat_names import seats_told_apart
from league.models import Announcement, Bye, Call, Club, Competition, Entry, Hall, Kiosk, Round, Table
from league.models.names import search_key, spellings
from league.queries.competitions import entries_of, entries_of_bots, state_of
from league.queries.events import with_names_then
from league.queries.links import derived
from league.queries.rounds import rounds_of, with_seats

# ---- Hall ----------------------------------------------------------------------------------------

USUAL_MINUTES: Final = 60
LONGEST_ROUND: Final = 8 * 60
"""Minutes. A stage whose rounds last longer is not played in a hall."""


@dataclass(frozen=True)
class Seated:
    """Who sits in a round, by name, whether that is a bot, and at which seat, None without a table."""

    name: str
    bot: bool
    seat: int | None = None


@dataclass(frozen=True)
class Timer:
    """The timer of the round that is played: when it ends, or while it is paused how long it has left.

    ``left`` is in seconds, less than zero once the time is up.
    """

    seconds: int
    left: int
    ends_at: datetime | None

    @property
    def paused(self) -> bool:
        return self.ends_at is None

    @property
    def over(self) -> bool:
        return self.left <= 0

    @property
    def digits(self) -> str:
        """Return minutes and seconds: ``12:05``."""
        return f"{self.left // 60}:{self.left % 60:02}"


@dataclass(frozen=True)
class Present:
    """An entry that takes part, and the key by which it is found: its name and its players' names."""

    entry: Entry
    key: str

    def is_named(self, wanted: str) -> bool:
        """Return whether every word that is looked for is in the names, without accents and apostrophes."""
        key = self.key.replace("'", "")
        return all(word in key for word in search_key(wanted).replace("'", "").split())

    @property
    def players_key(self) -> Sequence[str]:
        """Return the keys of its players' names: the same for people of one name."""
        return sorted(search_key(member.player.name) for member in self.entry.members.all())

    @property
    def players(self) -> Sequence[str]:
        """Return the names of its players where they say more than its own."""
        own = self.entry.after_players is None
        return [member.player.name for member in self.entry.members.all()] if own else []


@dataclass(frozen=True)
class CheckIn:
    """The entries that take part, by name, and who of them has checked in."""

    people: Sequence[Present]

    @property
    def missing(self) -> Sequence[Entry]:
        return [each.entry for each in self.people if not each.entry.checked_in]

    @property
    def here(self) -> int:
        return len(self.people) - len(self.missing)


def hall_of(competition: Competition) -> Hall:
    """Return the hall of a competition; an unsaved one where nothing was set yet."""
    return Hall.objects.filter(competition=competition).first() or Hall(competition=competition)


def timer_of(hall: Hall, played: Round | None) -> Timer | None:
    """Return the timer of the round that is played, None where it has none."""
    if played is None or not hall.round or (hall.stage, hall.round) != (played.stage.number, played.number):
        return None
    left = hall.remaining(database_time.now())
    return Timer(hall.seconds, -(-left // timedelta(seconds=1)), hall.ends_at)


def usual_minutes(hall: Hall, played: Round) -> int:
    """Return the minutes that a new timer is offered with: the last one's, else those of the stage's plan."""
    if hall.seconds:
        return hall.seconds // 60
    planned = 60 * int(played.stage.plan.get("hours", 0))
    return planned if 0 < planned <= LONGEST_ROUND else USUAL_MINUTES


def announcements_of(competition: Competition) -> QuerySet[Announcement]:
    """Return the announcements that are shown, the first one first: none once the competition is over."""
    closed = _closed(competition).order_by().values("stage__competition").annotate(count=Count("pk"))
    since = Coalesce(Subquery(closed.values("count")), 0)
    made = Announcement.objects.filter(competition=competition, rounds__gte=since)
    over = (Competition.Status.FINISHED, Competition.Status.CANCELLED)
    return made.exclude(competition__status__in=over).order_by("made_at", "pk")


def closed_rounds(competition: Competition) -> int:
    """Return how many rounds of a competition are closed."""
    return _closed(competition).count()


def _closed(competition: Competition) -> QuerySet[Round]:
    return Round.objects.filter(stage__competition=competition, status=Round.Status.CLOSED)


def played_round(competition: Competition) -> Round | None:
    """Return the round that is being played, without its tables, None where none is."""
    rounds = rounds_of(competition).prefetch_related(None)
    return rounds.filter(status=Round.Status.PUBLISHED).first()


def last_round(competition: Competition) -> Round | None:
    """Return the round that was published last, with its seats and byes; never an unpublished one."""
    tables, byes = with_seats(Table.objects.order_by("number")), Bye.objects.select_related("entry")
    rounds = rounds_of(competition).prefetch_related(None)
    found = rounds.prefetch_related(Prefetch("tables", tables), Prefetch("byes", byes)).first()
    return with_names_then(competition, [found])[0] if found else None


def taken_tables(shown: Round) -> Sequence[Table]:
    """Return the tables at which people sit; of those that are opened one by one the undecided ones."""
    tables = list(shown.tables.all())
    if not formats.find(shown.stage.format).open_tables:
        return tables
    return [table for table in tables if table.status in (Table.Status.PLAYING, Table.Status.ABANDONED)]


def by_name(shown: Round) -> Sequence[tuple[Seated, str, Table | None]]:
    """Return who sits where in a round: player, the entry's name where it is needed, and table, by name.

    Entries without a table come with None.
    """
    seats = [(seat, table) for table in taken_tables(shown) for seat in table.seats.all()]
    names = seats_told_apart([(seat.player.name, seat.entry.name) for seat, _table in seats])
    seated: list[tuple[Seated, str, Table | None]] = [
        (Seated(name, seat.player.bot, seat.number), team, table)
        for (seat, table), (name, team) in zip(seats, names, strict=True)
    ]
    byes = shown.byes.all()
    bots = entries_of_bots(shown.stage.competition) if byes else ()
    resting = [(Seated(bye.entry.name, str(bye.entry_id) in bots), "", None) for bye in byes]
    return sorted([*seated, *resting], key=lambda each: (search_key(each[0].name), each[0].name, each[1]))


def checks_in(competition: Competition) -> bool:
    """Return whether entries can check in now: the competition has a check-in and is not over."""
    state = state_of(competition)
    return state.opening.entering.check_in and not state.over


def counts_from(competition: Competition, entry: str) -> int | None:
    """Return from which round on a latecomer is here, None before the start and after the last round."""
    state = state_of(competition)
    here_from = state.entry(entry).here_from
    return here_from[1] if here_from and state.started and has_next_round(state) else None


def checked_in_at(competition: Competition, entry: str) -> datetime:
    """Return when an entry that is checked in was checked in last."""
    rows = log.rows(competition, withheld=True).filter(event__type="checked_in", event__entry=entry)
    return rows.latest("seq").at


def check_in_of(competition: Competition) -> CheckIn:
    """Return the entries that take part, by name, and who of them has checked in."""
    taking_part = entries_of(competition).filter(status=Entry.Status.ENTERED)
    people = [Present(entry, _key(entry)) for entry in taking_part]
    return CheckIn(sorted(people, key=lambda each: (search_key(each.entry.name), each.entry.number)))


def _key(entry: Entry) -> str:
    names = dict.fromkeys([entry.name, *(member.player.name for member in entry.members.all())])
    return " ".join(map(spellings, names))


# ---- Calls ---------------------------------------------------------------------------------------


def open_calls(clubs: Iterable[Club]) -> QuerySet[Call]:
    """Return the clubs' calls that nobody has seen, the oldest first."""
    return calls_of(clubs).filter(seen_at=None).order_by("made_at", "pk")


def calls_of(clubs: Iterable[Club]) -> QuerySet[Call]:
    """Return all calls in the clubs' competitions, seen or not."""
    return Call.objects.filter(competition__club__in=clubs).select_related("competition")


def last_call(table: UUID) -> Call | None:
    """Return the last call of a table, seen or not."""
    return Call.objects.filter(table=table).order_by("-made_at", "pk").first()


# ---- Kiosks --------------------------------------------------------------------------------------

COOKIE: Final = "kiosk"
"""The name of the cookie that makes a device a kiosk."""

_SALT: Final = "league.kiosk"


def link_to(kiosk: Kiosk) -> str:
    """Return the path of the link that makes a device this kiosk; it works until a device opens it."""
    return reverse("open_kiosk", args=[kiosk.pk, derived("kiosk", kiosk.pk, kiosk.salt)])


def read_link(*, kiosk_id: UUID, token: str) -> Kiosk:
    """Return the kiosk of a link that still works; raises `Illegal`."""
    kiosk = _kiosks().filter(pk=kiosk_id).first()
    if kiosk is None or not constant_time_compare(derived("kiosk", kiosk.pk, kiosk.salt), token):
        raise Illegal(text("This link was opened on a device already, or is wrong. Ask the organiser."))
    if not kiosk.is_open:
        raise Illegal(text("This link has expired or was revoked. Ask the organiser."))
    return kiosk


def cookie_of(kiosk: Kiosk) -> str:
    """Return the signed value of the cookie of the device that opened the kiosk's link."""
    return signing.dumps([str(kiosk.pk), kiosk.salt], salt=_SALT)


def kiosk_of(cookie: str) -> Kiosk | None:
    """Return the kiosk that a device is by its cookie; None once it is revoked, replaced or too old."""
    try:
        pk, salt = signing.loads(cookie, salt=_SALT)
    except signing.BadSignature:
        return None
    kiosk = _kiosks().filter(pk=pk, salt=salt).first()
    return kiosk if kiosk and kiosk.is_open else None


def _kiosks() -> QuerySet[Kiosk]:
    return Kiosk.objects.select_related("competition__club")

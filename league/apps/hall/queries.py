"""Reads of the hall: its timer and screens, check-in, calls, kiosks, and which codes of seats are good."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.core import signing
from django.db.models import BooleanField, Count, ExpressionWrapper, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.models import Game
from league import log
from league.apps.hall.models import Announcement, Call, Hall, Kiosk, SeatCode
from league.core.course import has_next_round
from league.core.state.entries import seats_told_apart
from league.core.verb import UNDECIDED_TABLE, UNDER_WAY
from league.models import Bye, Club, ClubGame, Competition, Entry, Player, Round, Table, TableSeat
from league.models.names import search_key, sort_key, spellings
from league.queries.competitions import details_of, entries_of, entries_of_bots, state_of
from league.queries.events import with_names_then
from league.queries.games import all_games
from league.queries.links import derived
from league.queries.rounds import rounds_of, taken_tables, with_seats
from league.queries.verbs import not_expected

USUAL_MINUTES: Final = 60
LONGEST_ROUND: Final = 8 * 60
"""Minutes. A stage whose rounds last longer is not played in a hall."""


@dataclass(frozen=True)
class Seated:
    """Who sits in a round: the player, the name of the entry where it is needed, the seat and its table.

    Entries without a table have neither, but a ``bye``.
    """

    name: str
    bot: bool
    team: str = ""
    seat: int | None = None
    table: Table | None = None
    bye: Bye | None = None


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
    expected: bool = True

    def is_named(self, wanted: str) -> bool:
        """Return whether every word that is looked for is in the names, without accents and apostrophes."""
        key = self.key.replace("'", "")
        return all(word in key for word in search_key(wanted).replace("'", "").split())

    @property
    def players_key(self) -> Sequence[str]:
        """Return the keys of its players' names: the same for people of one name."""
        return sorted(search_key(member.player.called) for member in self.entry.members.all())

    @property
    def players(self) -> Sequence[str]:
        """Return the names of its players where they say more than its own."""
        own = self.entry.after_players is None
        return [member.player.called for member in self.entry.members.all()] if own else []


@dataclass(frozen=True)
class CheckIn:
    """The entries that take part, by name, and who of them has checked in."""

    people: Sequence[Present]

    @property
    def missing(self) -> Sequence[Entry]:
        return [each.entry for each in self.people if each.expected and not each.entry.checked_in]

    @property
    def here(self) -> int:
        return sum(each.entry.checked_in for each in self.people)

    @property
    def said(self) -> str:
        """Return how many have checked in, as a sentence."""
        return checked_in_in_words(self.here, len(self.people))


def checked_in_in_words(here: int, entries: int) -> str:
    """Return how many of so many entries have checked in."""
    if not here:
        return _("Nobody has checked in yet")
    return _("%(here)d of %(all)d checked in") % {"here": here, "all": entries}


def hall_of(competition: Competition) -> Hall:
    """Return the hall of a competition; an unsaved one where nothing was set yet."""
    return Hall.objects.filter(competition=competition).first() or Hall(competition=competition)


def timer_of(hall: Hall, played: Round | None) -> Timer | None:
    """Return the timer of the round that is played, None where it has none."""
    if played is None or not hall.round or (hall.stage, hall.round) != (played.stage.number, played.number):
        return None
    left = hall.remaining(database_time.now())
    return Timer(hall.seconds, -(-left // timedelta(seconds=1)), hall.ends_at)


def timer_ends(competition: Competition) -> datetime | None:
    """Return when the timer of the round that is played ends, None where none runs."""
    return next(iter(timers([competition.pk]).values()), None)


def timers(competitions: Iterable[UUID]) -> Mapping[Round, datetime]:
    """Return the rounds of competitions that are played while a timer runs, each with when it ends."""
    rounds = Round.objects.filter(stage__competition__in=competitions, status=Round.Status.PUBLISHED)
    latest_last = rounds.select_related("stage").order_by("stage__number", "number")
    played = {each.stage.competition_id: each for each in latest_last}
    halls = Hall.objects.filter(competition__in=played).order_by("pk")
    found = ((played[each.competition_id], timer_of(each, played[each.competition_id])) for each in halls)
    return {each: timer.ends_at for each, timer in found if timer and timer.ends_at}


def table_ends(table: Table) -> datetime | None:
    """Return when the timer ends for a table, which may have more time than others; None without one."""
    ends = timer_ends(table.round.stage.competition)
    return ends + table.more if ends and table.round.status == Round.Status.PUBLISHED else None


def usual_minutes(hall: Hall, played: Round) -> int:
    """Return the minutes that a new timer is offered with: the last one's, else those of details or plan."""
    if hall.seconds:
        return hall.seconds // 60
    if told := details_of(played.stage.competition).round_minutes:
        return told
    planned = 60 * int(played.stage.plan.get("hours", 0))
    return planned if 0 < planned <= LONGEST_ROUND else USUAL_MINUTES


def announcements_of(competition: Competition) -> QuerySet[Announcement]:
    """Return the announcements that are shown, the first one first: none once the competition is over."""
    made = Announcement.objects.filter(_are_shown(competition), competition=competition)
    return made.order_by("made_at", "pk")


def all_announcements(competition: Competition) -> QuerySet[Announcement]:
    """Return all announcements that were ever made, those that are ``shown`` first, then the last one."""
    made = Announcement.objects.filter(competition=competition).select_related("made_by")
    shown = ExpressionWrapper(_are_shown(competition), BooleanField())
    return made.annotate(shown=shown).order_by("-shown", "-made_at", "pk")


def _are_shown(competition: Competition) -> Q:
    closed = _closed(competition).order_by().values("stage__competition").annotate(count=Count("pk"))
    since = Coalesce(Subquery(closed.values("count")), 0)
    over = (Competition.Status.FINISHED, Competition.Status.CANCELLED)
    return Q(rounds__gte=since, removed_at=None) & ~Q(competition__status__in=over)


def addressed(competition: Competition, to: str, table: UUID | None = None) -> QuerySet[Player]:
    """Return the people whom an announcement is for; raises `Illegal` for a round or table not played now."""
    people = Player.objects.filter(bot=False)
    if to in (Announcement.To.ROUND, Announcement.To.TABLE):
        if (played := played_round(competition)) is None:
            raise Illegal("No round is being played.")
        seats = TableSeat.objects.filter(table__round=played)
        return people.filter(seats__in=seats.filter(table=table) if table else seats).distinct()
    entries = Entry.objects.filter(competition=competition, status=Entry.Status.ENTERED)
    if to == Announcement.To.MISSING:
        if not checks_in(competition):
            raise Illegal("Nobody checks in here now, so nobody is known to be missing.")
        away = not_expected(competition.pk, state_of(competition))
        entries = entries.filter(checked_in=False).exclude(pk__in=away)
    return people.filter(entered__entry__in=entries).distinct()


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
    tables, byes = with_seats(Table.objects.order_by("number", "pk")), Bye.objects.select_related("entry")
    rounds = rounds_of(competition).prefetch_related(None)
    found = rounds.prefetch_related(Prefetch("tables", tables), Prefetch("byes", byes)).first()
    return with_names_then(competition, [found])[0] if found else None


def by_name(shown: Round) -> Sequence[Seated]:
    """Return who sits where in a round, by name."""
    seats = [(seat, table) for table in taken_tables(shown) for seat in table.seats.all()]
    names = seats_told_apart([(seat.player.called, seat.entry.called) for seat, _table in seats])
    seated = [
        Seated(name, seat.player.bot, team, seat.number, table)
        for (seat, table), (name, team) in zip(seats, names, strict=True)
    ]
    byes = shown.byes.all()
    bots = entries_of_bots(shown.stage.competition) if byes else ()
    resting = [Seated(bye.entry.called, str(bye.entry_id) in bots, bye=bye) for bye in byes]
    return sorted([*seated, *resting], key=lambda each: (sort_key(each.name), each.team))


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


def check_in_of(competition: Competition, unexpected: Collection[str] = ()) -> CheckIn:
    """Return the entries that take part, by name, and who of them has checked in.

    ``unexpected`` are those that nobody waits for.
    """
    taking_part = entries_of(competition).filter(status=Entry.Status.ENTERED)
    people = [Present(entry, _key(entry), str(entry.pk) not in unexpected) for entry in taking_part]
    return CheckIn(sorted(people, key=lambda each: (sort_key(each.entry.called), each.entry.number)))


def _key(entry: Entry) -> str:
    names = dict.fromkeys([entry.called, *(member.player.called for member in entry.members.all())])
    return " ".join(map(spellings, names))


def open_calls(clubs: Iterable[Club]) -> QuerySet[Call]:
    """Return the clubs' calls that nobody has seen, of tables that are still played, the oldest first."""
    waiting = calls_of(clubs).filter(seen_at=None, table__in=open_tables().values("pk"))
    return waiting.order_by("made_at", "pk")


def calls_of(clubs: Iterable[Club]) -> QuerySet[Call]:
    """Return all calls in the clubs' competitions, seen or not."""
    return Call.objects.filter(competition__club__in=clubs).select_related("competition")


def last_call(table: UUID) -> Call | None:
    """Return the last call of a table, seen or not."""
    return Call.objects.filter(table=table).order_by("-made_at", "pk").first()


# ---- Kiosks --------------------------------------------------------------------------------------

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


def kiosk_of(cookie: str, competition: Competition) -> Kiosk | None:
    """Return the competition's kiosk that a device is by its cookie; None once it does not work any more."""
    try:
        pk, salt = signing.loads(cookie, salt=_SALT)
    except signing.BadSignature:
        return None
    kiosk = _kiosks().filter(pk=pk, salt=salt, competition=competition).first()
    return kiosk if kiosk and kiosk.is_open else None


def is_kiosk_of(cookie: str, club: UUID) -> bool:
    """Return whether a device is, by its cookie, a kiosk of one of a club's competitions that works now."""
    try:
        pk, salt = signing.loads(cookie, salt=_SALT)
    except signing.BadSignature:
        return False
    kiosk = _kiosks().filter(pk=pk, salt=salt, competition__club=club).first()
    return kiosk is not None and kiosk.is_open


def _kiosks() -> QuerySet[Kiosk]:
    return Kiosk.objects.select_related("competition__club")


def running_at_open_tables(competition: Competition) -> list[ClubGame]:
    """Return the running games of a competition's open tables, by round and table, with their seats."""
    tables = open_tables().filter(round__stage__competition=competition)
    seats = Prefetch("table__seats", TableSeat.objects.select_related("entry", "player"))
    games = all_games().filter(table__in=tables, game__status=Game.Status.ACTIVE).prefetch_related(seats)
    return list(games.order_by("table__round__stage__number", "table__round__number", "table__number", "pk"))


# ---- Codes of seats ------------------------------------------------------------------------------

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no letter looks like a digit, so that each of eight characters holds five bits."""
LENGTH: Final = 8
HALF: Final = LENGTH // 2

_READ_AS: Final = str.maketrans("OIL", "011")


def read_code(typed: str, *lengths: int) -> str:
    """Return a code as it was made from what a person typed; raises `Malformed` where it can't be one.

    ``lengths`` are those of codes beside a seat's.
    """
    code = "".join(typed.split()).replace("-", "").upper().translate(_READ_AS)
    if len(code) not in (LENGTH, *lengths) or not {*code} <= {*ALPHABET}:
        raise Malformed({"code": [text("A code has letters and digits in fours, for example K7QD-2M9X.")]})
    return code


def shown(code: str) -> str:
    """Return a code in two halves, as it is printed."""
    return f"{code[:HALF]}-{code[HALF:]}"


def digest(code: str) -> str:
    """Return the keyed hash by which a code is stored; without the site's secret it says nothing."""
    return salted_hmac("league.seat_code", code, algorithm="sha256").hexdigest()


def start_digest(code: str) -> str:
    """Return the keyed hash of a code's first half."""
    return salted_hmac("league.seat_code.start", code[:HALF], algorithm="sha256").hexdigest()


def code_again(held: SeatCode) -> str:
    """Return the code of a row that has `made_from`: who was let in by that sees it again."""
    made = salted_hmac("league.seat_code.again", str(held.pk), algorithm="sha256").digest()
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in made[:LENGTH])


STILL_GOOD: Final[list[Callable[[SeatCode], bool]]] = []
"""Whether a code is good that was made from something: apps that let people in say so."""


def open_tables() -> QuerySet[Table]:
    """Return the tables whose scores are still to be entered: undecided, in a round that is being played.

    A table that is put off stays open when its round closes.
    """
    return Table.objects.filter(
        Q(round__status=Round.Status.PUBLISHED) | ~Q(postponed_reason=""),
        status__in=UNDECIDED_TABLE,
        round__stage__competition__status__in=UNDER_WAY,
    )


def good_code(pk: UUID | str, table: UUID | None = None) -> SeatCode | None:
    """Return a code by its id, None once its table is decided or its round has ended; two queries.

    With ``table`` only a code of that table.
    """
    code = SeatCode.objects.filter(pk=pk).first()
    if code is None or table not in (None, code.table):
        return None
    if code.made_from and not any(good(code) for good in STILL_GOOD):
        return None
    return code if open_tables().filter(pk=code.table).exists() else None


def ended(table: UUID | None) -> Illegal:
    """Return the refusal of what comes for a table for which no scores are entered any more.

    It says what happened, and whom to ask.
    """
    tables = Table.objects.select_related("round__stage__competition")
    found = tables.filter(pk=table).first() if table else None
    if found is None:
        return Illegal(text("The round of this table was withdrawn. Ask an organiser where you sit now."))
    contact = details_of(found.round.stage.competition).contact
    told: dict[str, Any] = {
        "table": found.number,
        "round": found.round.number,
        "whom": contact or text("an organiser or a scorekeeper"),
    }
    if found.status == Table.Status.VOID:
        return Illegal(
            text("Table %(table)s of round %(round)s is void: it does not count. Ask: %(whom)s.", **told)
        )
    if found.status not in UNDECIDED_TABLE:
        return Illegal(
            text(
                "Table %(table)s of round %(round)s is decided. Is its result wrong? Ask: %(whom)s.",
                **told,
            )
        )
    if found.round.status == Round.Status.CLOSED:
        return Illegal(
            text(
                "Round %(round)s is closed: no scores are entered for table %(table)s any more. "
                "Ask: %(whom)s.",
                **told,
            )
        )
    return Illegal(text("No scores can be entered for table %(table)s now. Ask: %(whom)s.", **told))

"""Writes of the hall: the round's timer, announcements, check-in, calls, kiosks, codes of seats.

None of it belongs to the log: it says nothing about who plays, or what came of it.
"""

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import Final, TypeAlias
from uuid import UUID

from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models import Case, F, Sum, Value, When
from django.urls import reverse

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from league.apps.hall import queries
from league.apps.hall.models import Announcement, Call, Hall, Kiosk, SeatCode, expiry
from league.choices import AccountEventKind
from league.hooks import TELLERS, Notice
from league.hooks.papers import PrintedCode
from league.log import Appended
from league.models import Account, ClubChange, Competition, Member, Round, Table, TableSeat
from league.ops.secret import new_salt
from league.queries import permissions
from league.services import account_events, emails
from league.services.audit import note_change
from league.services.checking import check
from league.words.values import on_paper

MOST_MINUTES: Final = 24 * 60
MOST_ANNOUNCEMENTS: Final = 20
MOST_SENT: Final = 10


def start_timer(*, by: Account, competition: Competition, minutes: int) -> None:
    """Start the timer of the round that is played; a timer that it has already starts again.

    Raises `Malformed` for less than a minute or more than a day, `Illegal` where no round is played, and
    PermissionDenied.
    """
    if not 1 <= minutes <= MOST_MINUTES:
        limits = text("This must be between %(least)d and %(most)d minutes.", least=1, most=MOST_MINUTES)
        raise Malformed({"minutes": [limits]})
    with _changing(by, competition) as hall:
        played = _played(competition)
        hall.stage, hall.round, hall.seconds = played.stage.number, played.number, minutes * 60
        hall.ends_at, hall.left = database_time.now() + timedelta(minutes=minutes), None


def add_minutes(*, by: Account, competition: Competition, minutes: int) -> None:
    """Give the timer more minutes, or fewer if negative; from now on where the time is up."""
    with _changing(by, competition) as hall:
        timer = queries.timer_of(hall, _played(competition))
        if timer is None:
            raise Illegal("This round has no timer.")
        left = min(max(0, timer.left) + minutes * 60, MOST_MINUTES * 60)
        if left <= 0:
            raise Illegal("The timer has less time left than that.")
        hall.seconds = max(hall.seconds, left)
        ends_at = database_time.now() + timedelta(seconds=left)
        hall.left, hall.ends_at = (left, None) if timer.paused else (None, ends_at)


def pause_timer(*, by: Account, competition: Competition, paused: bool = True) -> None:
    """Stop the timer for a time, or let it go on; a timer whose time is up is not stopped."""
    with _changing(by, competition) as hall:
        timer = queries.timer_of(hall, _played(competition))
        if timer and paused and not timer.paused and not timer.over:
            hall.ends_at, hall.left = None, timer.left
        elif timer and timer.paused and not paused:
            hall.ends_at, hall.left = database_time.now() + timedelta(seconds=timer.left), None


def remove_timer(*, by: Account, competition: Competition) -> None:
    """Remove the timer from all screens."""
    with _changing(by, competition) as hall:
        hall.stage, hall.round, hall.ends_at, hall.left = 0, 0, None, None


def set_self_check_in(*, by: Account, competition: Competition, on: bool) -> None:
    """Let everybody check entries in from any device, without an account, or no longer."""
    with _changing(by, competition) as hall:
        hall.self_check_in = on


def check_in_again(competition: Competition, like: Competition) -> None:
    """Let everybody check in from any device where they could at the evening that is run again."""
    if Hall.objects.filter(competition=like, self_check_in=True).exists():
        Hall.objects.create(competition=competition, self_check_in=True)


@contextmanager
def _changing(by: Account, competition: Competition) -> Iterator[Hall]:
    """Save what is changed of a hall, for an organiser."""
    permissions.require_organiser(competition.club_id, by)
    with transaction.atomic():
        hall = _locked(competition)
        yield hall
        hall.save()


def _locked(competition: Competition) -> Hall:
    """Return the hall's row, locked; a new one where there was none."""
    Hall.objects.get_or_create(competition=competition)
    return Hall.objects.select_for_update().get(competition=competition)


def _played(competition: Competition) -> Round:
    if played := queries.played_round(competition):
        return played
    raise Illegal("No round is being played.")


# ---- Announcements -------------------------------------------------------------------------------


def announce(
    *,
    by: Account,
    competition: Competition,
    words: str,
    to: str = Announcement.To.ALL,
    table: UUID | None = None,
    send: bool = False,
    wakes: bool = False,
) -> Announcement:
    """Show an announcement in the hall and on the competition's page until its round ends, or it is removed.

    With ``send`` the people whom it is ``to`` are told by email and in their browsers, too: if it ``wakes``
    the club at once also in quiet hours. The same words to the same people that are shown already are neither
    shown nor sent twice. Raises `Malformed`, `Illegal` for too many, and PermissionDenied.
    """
    permissions.require_organiser(competition.club_id, by)
    with transaction.atomic():
        _locked(competition)
        made = _announcement(by, competition, words.strip(), to, table)
        if made._state.adding:
            made.save(force_insert=True)
        if send and made.sent_at is None:
            _send(made, wakes=wakes)
    return made


def _announcement(
    by: Account, competition: Competition, words: str, to: str, table: UUID | None
) -> Announcement:
    """Return the announcement that is shown already, or else a new one, checked and not stored yet."""
    made = Announcement(competition=competition, text=words, made_by=by, to=to)
    if to == made.To.TABLE:
        made.table, made.number = _table_of(competition, table)
    made.rounds = queries.closed_rounds(competition)
    shown = list(queries.announcements_of(competition))
    meant = (made.text, made.to, made.table)
    if same := next((each for each in shown if (each.text, each.to, each.table) == meant), None):
        return same
    if len(shown) >= MOST_ANNOUNCEMENTS:
        raise Illegal(text("At most %(most)d announcements can be shown.", most=MOST_ANNOUNCEMENTS))
    check(made)
    return made


def _table_of(competition: Competition, table: UUID | None) -> tuple[UUID, int]:
    played = queries.played_round(competition)
    found = Table.objects.filter(round=played, pk=table).first() if played and table else None
    if found is None:
        raise Malformed({"table": [text("This round has no such table.")]})
    return found.pk, found.number


def _send(made: Announcement, *, wakes: bool) -> None:
    """Tell those whom an announcement is for; raise `Illegal` where too many were sent within an hour."""
    now = database_time.now()
    lately = queries.all_announcements(made.competition).filter(sent_at__gt=now - timedelta(hours=1))
    if lately.count() >= MOST_SENT:
        raise Illegal(text("At most %(most)d messages can be sent in an hour.", most=MOST_SENT))
    people = queries.addressed(made.competition, made.to, made.table).values_list("pk", flat=True)
    notice = Notice(made.pk, made.competition, str(made), [*people], wakes)
    told = {player for tell in TELLERS for player in tell(notice)}
    made.sent_at, made.people, made.told = now, len(notice.players), len(told)
    made.save()


@transaction.atomic
def remove_announcement(*, by: Account, competition: Competition, announcement: UUID) -> None:
    """Remove an announcement by its id; nothing changes where it was removed before.

    What was not sent yet is not sent any more.
    """
    permissions.require_organiser(competition.club_id, by)
    shown = queries.announcements_of(competition).filter(pk=announcement)
    shown.update(removed_at=database_time.now())
    emails.drop(str(announcement))


# ---- Calls ---------------------------------------------------------------------------------------


def call_organiser(*, table: Table, seat: int | None, account: Account | None) -> Call:
    """Return the table's open call, made now unless there is one already.

    ``seat`` is the caller's, None at a kiosk; who calls must have been checked before. Raises `Illegal` for a
    table that is not open.
    """
    found = queries.open_tables().select_related("round__stage__competition").filter(pk=table.pk).first()
    if found is None:
        raise Illegal(text("The table is decided, or its round is over: speak to an organiser."))
    caller = found.seats.select_related("player").filter(number=seat).first() if seat is not None else None
    call = Call(
        competition=found.round.stage.competition,
        table=found.pk,
        round=found.round.number,
        number=found.number,
        caller=caller.player.name if caller else "",
        account=account,
    )
    club = call.competition.club_id
    keepers = Member.objects.filter(club=club, role__in=permissions.SCOREKEEPERS).order_by("account")
    about = {
        "call": str(call.pk),
        "competition": str(call.competition_id),
        "round": call.round,
        "table": str(call.table),
        "number": call.number,
    }
    try:
        with transaction.atomic():
            call.save(force_insert=True)
            account_events.write(keepers.values_list("account", flat=True), AccountEventKind.CALL, about)
    except IntegrityError:
        return Call.objects.get(table=found.pk, seen_at=None)
    return call


@transaction.atomic
def see_call(*, by: Account, call: Call) -> Call:
    """Close a call for an organiser or scorekeeper; a second time changes nothing."""
    permissions.require_scorekeeper(call.competition.club_id, by)
    stored = Call.objects.select_for_update(of=("self",)).get(pk=call.pk)
    if stored.seen_at is None:
        stored.seen_at, stored.seen_by = database_time.now(), by
        stored.save(update_fields=["seen_at", "seen_by"])
    return stored


# ---- Kiosks --------------------------------------------------------------------------------------

LONGEST: Final = timedelta(days=3)
_MOST_OPEN: Final = 50
_SEEN_EVERY: Final = timedelta(minutes=1)
_Change: Final = ClubChange.Kind


@transaction.atomic
def make_kiosk(
    *, by: Account, competition: Competition, name: str, expires_at: datetime | None = None
) -> Kiosk:
    """Return a kiosk of the competition, whose link (`queries.link_to`) no device has opened.

    It works for twelve hours unless ``expires_at`` says otherwise, and for `LONGEST` at most. Raises
    `Malformed`, `Illegal` where the competition has too many, and PermissionDenied.
    """
    permissions.require_organiser(competition.club_id, by)
    made = Kiosk(competition=competition, name=name, made_by=by, expires_at=expires_at or expiry())
    check(made)
    now = database_time.now()
    if not now < made.expires_at <= now + LONGEST:
        raise Malformed({"expires_at": [text("This must be within the next three days.")]})
    if competition.kiosks.filter(revoked_at=None, expires_at__gt=now).count() >= _MOST_OPEN:
        raise Illegal(text("At most %(most)s kiosks can be open at a time.", most=_MOST_OPEN))
    made.save(force_insert=True)
    note_change(by, competition.club, _Change.KIOSK_MADE, _named(made), after={"kiosk": name})
    return made


@transaction.atomic
def renew_kiosk(*, by: Account, kiosk: Kiosk) -> Kiosk:
    """Give a kiosk a new link, for another device; the old link and the old device stop working."""
    permissions.require_organiser(kiosk.competition.club_id, by)
    stored = Kiosk.objects.select_for_update(of=("self",)).get(pk=kiosk.pk)
    if not stored.is_open:
        raise Illegal(text("This kiosk has expired or was revoked: make a new one."))
    stored.salt, stored.opened_at = new_salt(), None
    stored.save(update_fields=["salt", "opened_at"])
    return stored


@transaction.atomic
def revoke_kiosk(*, by: Account, kiosk: Kiosk) -> Kiosk:
    """Revoke a kiosk: its link and its device stop working; a second time changes nothing."""
    permissions.require_organiser(kiosk.competition.club_id, by)
    stored = Kiosk.objects.select_for_update(of=("self",)).get(pk=kiosk.pk)
    if stored.revoked_at is None:
        stored.revoked_at = database_time.now()
        stored.save(update_fields=["revoked_at"])
        club = stored.competition.club
        note_change(by, club, _Change.KIOSK_REVOKED, _named(stored), before={"kiosk": stored.name})
    return stored


def _named(kiosk: Kiosk) -> str:
    return f"{kiosk.competition.name}: {kiosk.name}"


@transaction.atomic
def start_kiosk(*, kiosk_id: UUID, token: str) -> Kiosk:
    """Return the kiosk that the device with its link becomes; the link stops working. Raises `Illegal`."""
    Kiosk.objects.select_for_update().filter(pk=kiosk_id).first()
    kiosk = queries.read_link(kiosk_id=kiosk_id, token=token)
    kiosk.salt, kiosk.opened_at = new_salt(), database_time.now()
    kiosk.save(update_fields=["salt", "opened_at"])
    return kiosk


def note_seen(kiosk: Kiosk) -> None:
    """Keep when a kiosk was last used, to the minute."""
    now = database_time.now()
    if kiosk.seen_at is None or kiosk.seen_at < now - _SEEN_EVERY:
        Kiosk.objects.filter(pk=kiosk.pk).update(seen_at=now)


# ---- Codes of seats ------------------------------------------------------------------------------

Codes: TypeAlias = Mapping[tuple[UUID, int], str]
"""Codes by table and seat."""

KEPT: Final = 5
"""How many codes of a seat are good at a time: the last ones made."""
WINDOW: Final = timedelta(minutes=10)
"""For how long wrong tries count."""
MOST_AT_TABLE: Final = 10
"""Wrong second halves at a table after which its tried codes are refused."""
MOST_OF_CLIENT: Final = 30
"""Wrong codes from an address after which it is told to stop."""


class TooManyTries(Illegal):
    """Too many wrong codes were tried; ``seconds`` says when the next try makes sense."""

    seconds: Final = int(WINDOW.total_seconds())

    def __init__(self) -> None:
        super().__init__(
            text(
                "Too many wrong codes were tried. Wait ten minutes, or ask a scorekeeper to enter the scores."
            )
        )


@transaction.atomic
def make_codes(*, by: Account, competition: Competition, tables: Iterable[Table]) -> Codes:
    """Return a new code for each seat of those tables that are open, to be printed or shown once.

    ``tables`` are the competition's, with their seats. The last `KEPT` codes of a seat are good, so that
    sheets printed before still work. Raises PermissionDenied.
    """
    permissions.require_scorekeeper(competition.club_id, by)
    wanted = {table.pk: table for table in tables} if on_paper(competition.ruleset) else {}
    of_competition = queries.open_tables().filter(round__stage__competition=competition)
    playing = of_competition.filter(pk__in=wanted).values_list("pk", flat=True)
    seats = [(table, seat.number) for table in playing for seat in wanted[table].seats.all()]
    codes = {seat: "".join(secrets.choice(queries.ALPHABET) for _ in range(queries.LENGTH)) for seat in seats}
    _forget_oldest(codes)
    rows = [SeatCode(competition=competition, table=table, seat=seat, made_by=by) for table, seat in codes]
    SeatCode.objects.bulk_create(_with(code, row) for code, row in zip(codes.values(), rows, strict=True))
    return codes


def make_own_code(*, seat: TableSeat, competition: Competition, made_from: UUID) -> None:
    """Make the code of a seat for who was let in to it, unless there is one; raises `Illegal`.

    The caller has seen that the seat is theirs, and holds a lock on ``made_from``.
    """
    if not (on_paper(competition.ruleset) and queries.open_tables().filter(pk=seat.table_id).exists()):
        raise queries.ended(seat.table_id)
    mine = {"table": seat.table_id, "seat": seat.number, "made_from": made_from}
    if not SeatCode.objects.filter(**mine).exists():
        row = SeatCode(competition=competition, **mine)
        _with(queries.code_again(row), row).save()


def _with(code: str, row: SeatCode) -> SeatCode:
    row.start_digest, row.digest = queries.start_digest(code), queries.digest(code)
    return row


def print_codes(
    *, by: Account, competition: Competition, tables: Iterable[Table]
) -> Mapping[tuple[UUID, int], PrintedCode]:
    """Make codes as `make_codes` does; return them as they are printed, with the path of each QR code."""
    made = make_codes(by=by, competition=competition, tables=tables)
    page = reverse("enter")
    return {seat: PrintedCode(queries.shown(code), f"{page}#{code}") for seat, code in made.items()}


def _forget_oldest(codes: Codes) -> None:
    """Delete those codes of the seats for which there is no room beside a new one."""
    made: dict[tuple[UUID, int], list[UUID]] = {seat: [] for seat in codes}
    stored = SeatCode.objects.filter(table__in={table for table, _ in codes}, made_from=None)
    for table, seat, pk in stored.order_by("-made_at", "pk").values_list("table", "seat", "pk"):
        made.setdefault((table, seat), []).append(pk)
    gone = [pk for pks in made.values() for pk in pks[KEPT - 1 :]]
    SeatCode.objects.filter(pk__in=gone).delete()


@transaction.atomic
def withdraw_codes(*, by: Account, competition: Competition) -> int:
    """End all codes of a competition, for example because a sheet was lost; return how many there were."""
    permissions.require_scorekeeper(competition.club_id, by)
    count, _ = SeatCode.objects.filter(competition=competition).delete()
    return count


def end_codes(appended: Appended) -> None:
    """Delete the codes of tables whose round was withdrawn.

    Those of tables that are decided, or whose round is closed, stay, so that whoever types one is told why it
    isn't good; where the table is reopened, the printed sheets are good again.
    """
    competition = appended.competition
    published = Table.objects.filter(round__stage__competition=competition).exclude(
        round__status=Round.Status.DRAWN
    )
    SeatCode.objects.filter(competition=competition).exclude(table__in=published.values("pk")).delete()


def try_code(*, typed: str, client: str) -> SeatCode:
    """Return the code that somebody typed; raises `Malformed`, `Illegal` and `TooManyTries`.

    ``client`` is an address: after `MOST_OF_CLIENT` wrong codes from it, further ones are told to stop.

    A wrong second half counts at the table of the first half's code. From `MOST_AT_TABLE` on, codes at that
    table whose second half was tried wrongly are refused for the rest of `WINDOW`, right or not; others are
    good. So nobody can guess a second half, and to have a code refused one must know half of it.
    """
    code = queries.read_code(typed)
    held = SeatCode.objects.filter(digest=queries.digest(code)).first()
    if held is None:
        _count_miss(code, client)
        raise _wrong(code, client)
    if _refused([held]):
        raise TooManyTries
    found = queries.good_code(held.pk)
    if found is None:
        if held.made_from and queries.open_tables().filter(pk=held.table).exists():
            raise Illegal(text("This code is not good any more. Ask an organiser for a new one."))
        raise queries.ended(held.table)
    return found


def _count_miss(code: str, client: str) -> None:
    now = database_time.now()
    SeatCode.objects.filter(start_digest=queries.start_digest(code)).update(
        misses=Case(When(missed_at__gt=now - WINDOW, then=F("misses") + 1), default=Value(1)), missed_at=now
    )
    count_wrong(client)


def count_wrong(client: str) -> None:
    """Count a wrong code that came from an address."""
    cache.add(_key(client), 0, WINDOW.total_seconds())
    with suppress(ValueError):  # the window has ended just now
        cache.incr(_key(client))


def refuse_guesses(client: str) -> None:
    """Raise `TooManyTries` where more than `MOST_OF_CLIENT` wrong codes came from an address."""
    if cache.get(_key(client), 0) > MOST_OF_CLIENT:
        raise TooManyTries


def _key(client: str) -> str:
    return f"wrong-codes:{client}"


def _wrong(code: str, client: str) -> Illegal:
    """Return the refusal of a wrong code that has been counted."""
    refuse_guesses(client)
    tried = list(SeatCode.objects.filter(start_digest=queries.start_digest(code)))
    if _refused(tried):
        return TooManyTries()
    return Illegal(
        text(
            "Nobody’s seat or evening has this code now. Check each character; a seat’s code ends "
            "with its round."
        )
    )


def _refused(codes: Sequence[SeatCode]) -> bool:
    """Return whether one of the codes was tried with a wrong second half, and its table too often."""
    since = database_time.now() - WINDOW
    tables = [code.table for code in codes if code.missed_at and code.missed_at > since]
    lately = SeatCode.objects.filter(table__in=tables, missed_at__gt=since)
    counted = lately.values("table").annotate(total=Sum("misses")) if tables else ()
    return any(each["total"] >= MOST_AT_TABLE for each in counted)

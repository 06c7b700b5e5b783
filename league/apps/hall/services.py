"""The hall of a competition: the round's timer, announcements, check-in, kiosks, calls for the organiser.

None of it belongs to the log: it says nothing about who plays, or what came of it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.engine.replay import Actor
from league.callers import Caller
from league.core.verb import Given, Verb
from league.core.verbs.presence import CheckInEntry
from league.models import Account, Announcement, Call, ClubChange, Competition, Hall, Kiosk, Round, Table
from league.models.hall import expiry
from league.ops.secret import new_salt
from league.queries import permissions
from league.queries.games import club_game_of
from league.queries.hall import announcements_of, closed_rounds, hall_of, played_round, read_link, timer_of
from league.queries.seat_codes import ended, open_tables
from league.services import account_events
from league.services.audit import note_change
from league.services.checking import check

# ---- Hall ----------------------------------------------------------------------------------------

MOST_MINUTES: Final = 24 * 60
MOST_ANNOUNCEMENTS: Final = 20


# ---- The round's timer ---------------------------------------------------------------------------


def start_timer(*, by: Account, competition: Competition, minutes: int) -> Hall:
    """Start the timer of the round that is played; a timer that it has already starts again.

    Raises `Malformed` for less than a minute or more than a day, `Illegal` where no round is played, and
    PermissionDenied.
    """
    if not 1 <= minutes <= MOST_MINUTES:
        limits = text("This must be between %(least)d and %(most)d minutes.", least=1, most=MOST_MINUTES)
        raise Malformed({"minutes": [limits]})

    def start(hall: Hall, played: Round) -> None:
        hall.stage, hall.round, hall.seconds = played.stage.number, played.number, minutes * 60
        hall.ends_at, hall.left = database_time.now() + timedelta(minutes=minutes), None

    return _changed(by, competition, start)


def add_minutes(*, by: Account, competition: Competition, minutes: int) -> Hall:
    """Give the timer more minutes, or fewer if negative; from now on where the time is up."""

    def add(hall: Hall, played: Round) -> None:
        timer = timer_of(hall, played)
        if timer is None:
            raise Illegal("This round has no timer.")
        left = min(max(0, timer.left) + minutes * 60, MOST_MINUTES * 60)
        if left <= 0:
            raise Illegal("The timer has less time left than that.")
        hall.seconds = max(hall.seconds, left)
        if timer.paused:
            hall.left = left
        else:
            hall.ends_at = database_time.now() + timedelta(seconds=left)

    return _changed(by, competition, add)


def pause_timer(*, by: Account, competition: Competition) -> Hall:
    """Stop the timer for a time; nothing changes where it is paused already, or the time is up."""

    def pause(hall: Hall, played: Round) -> None:
        timer = timer_of(hall, played)
        if timer and not timer.paused and not timer.over:
            hall.ends_at, hall.left = None, timer.left

    return _changed(by, competition, pause)


def resume_timer(*, by: Account, competition: Competition) -> Hall:
    """Let a paused timer go on; nothing changes where it runs."""

    def resume(hall: Hall, played: Round) -> None:
        timer = timer_of(hall, played)
        if timer and timer.paused:
            hall.ends_at, hall.left = database_time.now() + timedelta(seconds=timer.left), None

    return _changed(by, competition, resume)


def remove_timer(*, by: Account, competition: Competition) -> Hall:
    """Remove the timer from all screens."""
    permissions.require_organiser(competition.club_id, by)
    with transaction.atomic():
        hall = _locked(competition)
        hall.stage = hall.round = 0
        hall.ends_at = hall.left = None
        hall.save()
    return hall


def _changed(by: Account, competition: Competition, change: Callable[[Hall, Round], None]) -> Hall:
    permissions.require_organiser(competition.club_id, by)
    with transaction.atomic():
        hall, played = _locked(competition), played_round(competition)
        if played is None:
            raise Illegal("No round is being played.")
        change(hall, played)
        hall.save()
    return hall


def _locked(competition: Competition) -> Hall:
    """Return the hall's row, locked; a new one where there was none."""
    Hall.objects.get_or_create(competition=competition)
    return Hall.objects.select_for_update().get(competition=competition)


# ---- Announcements -------------------------------------------------------------------------------


def announce(*, by: Account, competition: Competition, words: str) -> Announcement:
    """Show an announcement in the hall and on the competition's page until its round ends, or it is removed.

    The same words that are shown already are not shown twice. Raises `Malformed`, `Illegal` for too many,
    and PermissionDenied.
    """
    permissions.require_organiser(competition.club_id, by)
    made = Announcement(competition=competition, text=words.strip(), made_by=by)
    with transaction.atomic():
        _locked(competition)
        made.rounds = closed_rounds(competition)
        shown = list(announcements_of(competition))
        if same := next((each for each in shown if each.text == made.text), None):
            return same
        if len(shown) >= MOST_ANNOUNCEMENTS:
            raise Illegal(text("At most %(most)d announcements can be shown.", most=MOST_ANNOUNCEMENTS))
        check(made)
        made.save(force_insert=True)
    return made


def remove_announcement(*, by: Account, competition: Competition, announcement: UUID) -> None:
    """Remove an announcement by its id; nothing changes where it was removed before."""
    permissions.require_organiser(competition.club_id, by)
    announcements_of(competition).filter(pk=announcement).delete()


# ---- Check-in from phones ------------------------------------------------------------------------


def set_self_check_in(*, by: Account, competition: Competition, on: bool) -> Hall:
    """Let everybody check entries in from any device, without an account, or no longer."""
    permissions.require_organiser(competition.club_id, by)
    with transaction.atomic():
        hall = _locked(competition)
        hall.self_check_in = on
        hall.save()
    return hall


class OnOwnPhone(Caller):
    """Somebody without an account who checks an entry in; the log says that a player did it."""

    def given(self, competition: Competition, verbs: Sequence[Verb]) -> Given:
        """Return what the check-in may know; raise PermissionDenied unless an organiser switched it on."""
        if not all(isinstance(verb, CheckInEntry) for verb in verbs):
            raise PermissionDenied
        if not hall_of(competition).self_check_in:
            raise PermissionDenied(
                text("Check-in from your own phone is off. Tell an organiser that you are here.")
            )
        return Given(str(competition.pk), database_time.now(), "player")


# ---- Calls ---------------------------------------------------------------------------------------


def call_organiser(*, table: Table, seat: int | None, account: Account | None) -> Call:
    """Return the table's open call, made now unless there is one already.

    ``seat`` is the caller's, None at a kiosk; who calls must have been checked before. Raises `Illegal` for a
    table that is not open.
    """
    found = open_tables().select_related("round__stage__competition").filter(pk=table.pk).first()
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
    try:
        with transaction.atomic():
            call.save(force_insert=True)
            account_events.write_call(call.competition.club_id, _told(call))
    except IntegrityError:
        return Call.objects.get(table=found.pk, seen_at=None)
    return call


def _told(call: Call) -> Mapping[str, Any]:
    return {
        "call": str(call.pk),
        "competition": str(call.competition_id),
        "round": call.round,
        "table": str(call.table),
        "number": call.number,
    }


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


# ---- An organiser's verbs ------------------------------------------------------------------------


@transaction.atomic
def make_kiosk(
    *, by: Account, competition: Competition, name: str, expires_at: datetime | None = None
) -> Kiosk:
    """Return a kiosk of the competition, whose link (`league.queries.hall.link_to`) no device has opened.

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


# ---- At the kiosk --------------------------------------------------------------------------------


@dataclass(frozen=True)
class AtKiosk(Caller):
    """Somebody at a kiosk, for the seat that they named, or with the verbs that anybody may use there.

    The log shows no account.
    """

    kiosk: Kiosk
    seat: int | None = None

    def actor(self, game_id: UUID, kind: object) -> Actor:
        """Return the seat; raise PermissionDenied for a kiosk that is not open, `Illegal` for such a table.

        Rounds are confirmed with a code, not at a kiosk: there nobody knows who confirms.
        """
        club_game = club_game_of(game_id)
        here = self.kiosk.is_open and self.kiosk.competition_id == club_game.competition_id
        if self.seat is None or not here:
            raise PermissionDenied(text("This table’s scores can’t be entered at this kiosk."))
        if not open_tables().filter(games=club_game).exists():
            raise ended(club_game.table_id)
        if kind == "confirm":
            raise PermissionDenied(text("To confirm scores at a kiosk, type the code of your seat."))
        return Actor("kiosk", self.seat)

    def given(self, competition: Competition, verbs: Sequence[Verb]) -> Given:
        """Return what the verbs may know.

        Raises PermissionDenied for other verbs, another competition, and a kiosk that is not open any more.
        """
        here = self.kiosk.is_open and self.kiosk.competition_id == competition.pk
        if not (here and all(verb.at_kiosk for verb in verbs)):
            raise PermissionDenied(text("This can’t be done at a kiosk."))
        return Given(str(competition.pk), database_time.now(), "kiosk")


# ---- The device ----------------------------------------------------------------------------------


@transaction.atomic
def start_kiosk(*, kiosk_id: UUID, token: str) -> Kiosk:
    """Return the kiosk that the device with its link becomes; the link stops working. Raises `Illegal`."""
    Kiosk.objects.select_for_update().filter(pk=kiosk_id).first()
    kiosk = read_link(kiosk_id=kiosk_id, token=token)
    kiosk.salt, kiosk.opened_at = new_salt(), database_time.now()
    kiosk.save(update_fields=["salt", "opened_at"])
    return kiosk


def note_seen(kiosk: Kiosk) -> None:
    """Keep when a kiosk was last used, to the minute."""
    now = database_time.now()
    if kiosk.seen_at is None or kiosk.seen_at < now - _SEEN_EVERY:
        Kiosk.objects.filter(pk=kiosk.pk).update(seen_at=now)

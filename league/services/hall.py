"""The hall of a competition: the round's timer, announcements, and check-in from players' own phones.

None of it belongs to the log: it says nothing about who plays, or what came of it.
"""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from league.callers import Caller
from league.core.verb import Given, Verb
from league.core.verbs.presence import CheckInEntry
from league.models import Account, Announcement, Competition, Hall, Round
from league.queries import permissions
from league.queries.hall import announcements_of, closed_rounds, hall_of, played_round, timer_of
from league.services.checking import check

MOST_MINUTES: Final = 24 * 60
MOST_ANNOUNCEMENTS: Final = 20


# ---- The round's timer ---------------------------------------------------------------------------


def start_timer(*, by: Account, competition: Competition, minutes: int) -> Hall:
    """Start the timer of the round that is played; a timer that it has already starts anew.

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

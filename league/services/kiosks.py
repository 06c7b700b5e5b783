"""Kiosks: an organiser makes a link, a device opens it, an organiser revokes it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.engine.replay import Actor
from league.callers import Caller
from league.core.verb import Given, Verb
from league.models import Account, ClubChange, Competition, Kiosk
from league.models.hall import expiry
from league.ops.secret import new_salt
from league.queries import permissions
from league.queries.games import club_game_of
from league.queries.hall import read_link
from league.queries.seat_codes import ended, open_tables
from league.services.audit import note_change
from league.services.checking import check

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

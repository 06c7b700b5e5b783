"""Tokens in the links of emails and calendars: made for one reader, and checked when the link is opened.

No token is stored: each is signed with the site's secret, or derived from it and a row's salt.
"""

from base64 import urlsafe_b64encode
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core import signing
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.timezone import make_naive

from games import database_time
from games.engine.refusals import Illegal
from league.models import Account, Club, Contact, Invitation, Player, StoppedInvitations

_ADDRESS: Final = "league.notifications.address"
_STOP_INVITATIONS: Final = "league.stop_invitations"
ADDRESS_GOOD_FOR: Final = timedelta(days=30)


def derived(purpose: str, *of: object) -> str:
    """Return 43 characters derived from the arguments and the site's secret, which nobody can guess."""
    digest = salted_hmac(f"league.{purpose}", "\0".join(map(str, of)), algorithm="sha256").digest()
    return urlsafe_b64encode(digest).decode().rstrip("=")


def reader_of(player: Player) -> str:
    """Return who reads a player's emails: the account at its address, else the address that the club keeps.

    Links of emails are derived from it, so that they end when the player has another account, or none, and
    when either has another address: whoever still reads the former one could use them.
    """
    address = address_of(player)
    return f"{player.account.pk} {address}" if player.account else address


def address_of(player: Player) -> str:
    """Return the address to which a player's emails go, empty for none."""
    if player.account:
        return player.account.email
    contact: Contact | None = getattr(player, "contact", None)
    return contact.email if contact else ""


def reader_once_one(kept: Player, merged: Player) -> str:
    """Return who will read a player's emails once another player has become the same one."""
    has_more = merged.account or (not kept.account and not reader_of(kept))
    return reader_of(merged if has_more else kept)


def token_to_stop(player: Player, kind: str) -> str:
    """Return the token that stops a kind of the club's emails to a player for good, and does nothing else."""
    return _to_stop(player.pk, kind, player)


def _to_stop(player_id: UUID, kind: str, read_by: Player) -> str:
    return derived("stop", player_id, kind, reader_of(read_by))


def read_token_to_stop(*, player_id: UUID, kind: str, token: str) -> Player:
    """Return the player of a link that stops emails; raises `Illegal` for a wrong one.

    A link to a player who is the same person as another one leads to that one.
    """
    rows = Player.objects.select_related("club", "contact", "account").filter(merged_into=None)
    player = rows.filter(Q(pk=player_id) | Q(merged=player_id)).first()
    if player is None or not constant_time_compare(_to_stop(player_id, kind, player), token):
        raise Illegal("This link is wrong, or belongs to a former address.")
    return player


def token_to_stop_invitations(club: Club, email: str) -> str:
    """Return the token that stops a club's invitations to an address for good, and does not say which."""
    return signing.dumps([str(club.pk), hash_of(email)], salt=_STOP_INVITATIONS)


def read_token_to_stop_invitations(token: str) -> tuple[Club, str]:
    """Return the club and the hash of the address of a link; raises `Illegal` for a wrong one."""
    try:
        club, address = signing.loads(token, salt=_STOP_INVITATIONS)
        return Club.objects.get(pk=club), address
    except (signing.BadSignature, Club.DoesNotExist):
        raise Illegal("This link is wrong, or its club no longer exists.") from None


def stopped_invitations(club: Club, *emails: str) -> Collection[str]:
    """Return those of the addresses to which a club sends no more invitations, as they were given."""
    hashes = {each: hash_of(each) for each in emails if each}
    found = StoppedInvitations.objects.filter(club=club, address__in=hashes.values())
    stopped = {*found.values_list("address", flat=True)}
    return {each for each, address in hashes.items() if address in stopped}


def is_stopped(club: Club, address: str) -> bool:
    """Return whether a club sends no more invitations to the address of a hash."""
    return StoppedInvitations.objects.filter(club=club, address=address).exists()


def hash_of(email: str) -> str:
    """Return the keyed hash of an address, the same for every way to write it."""
    return derived("invited", email.strip().casefold())


# ---- Invitations ---------------------------------------------------------------------------------


def token_of(invitation: Invitation) -> str:
    """Return the token of the invitation's link, which is only in the email."""
    return derived("invitation", invitation.pk, invitation.salt)


def open_invitations(club: Club) -> QuerySet[Invitation]:
    """Return the club's invitations that can be accepted now, by player."""
    still_open = Invitation.objects.filter(
        club=club, accepted_at=None, revoked_at=None, expires_at__gt=database_time.now()
    )
    return still_open.select_related("player").order_by("player__sort_name", "email", "pk")


def waiting_invitations(account: Account) -> QuerySet[Invitation]:
    """Return the invitations that an account has opened, and that wait for a confirmation."""
    waiting = Invitation.objects.filter(accepted_by=account, accepted_at=None, revoked_at=None)
    return waiting.select_related("club", "player").order_by("made_at", "pk")


def read_invitation(*, invitation_id: UUID, token: str, account: Account | None = None) -> Invitation:
    """Return the invitation of a link that an account opens, or somebody without one.

    Raises `Illegal` for a wrong link, an invitation no longer open, and one for which another account waits.
    """
    found = Invitation.objects.select_related("club", "player", "accepted_by")
    invitation = found.filter(pk=invitation_id).first()
    if invitation is None or not constant_time_compare(token_of(invitation), token):
        raise Illegal("This link doesn’t belong to an invitation. If you have a newer email, use its link.")
    if not invitation.is_open:
        raise Illegal("This invitation was used or revoked, or has expired. Ask the club for a new one.")
    if invitation.accepted_by not in (None, account) and not (account and invitation.is_for(account)):
        raise Illegal(
            "Somebody has opened this invitation already, and waits for a confirmation. "
            "If that was you, log in and open it again. If not, tell the club."
        )
    return invitation


# ---- A player's calendar -------------------------------------------------------------------------


def calendar_of(player: Player) -> str:
    """Return the path of the player's secret calendar, which ends with the link to the account."""
    return reverse("secret_calendar", args=[player.pk, _token_of_calendar(player)])


def read_calendar(*, player_id: UUID, token: str) -> Player:
    """Return the player of a secret calendar; raises Player.DoesNotExist for a wrong or a former address."""
    player = Player.objects.get(pk=player_id, merged_into=None, account__is_active=True)
    if not constant_time_compare(_token_of_calendar(player), token):
        raise Player.DoesNotExist
    return player


def _token_of_calendar(player: Player) -> str:
    return derived("calendar", player.pk, player.account_id, player.calendar_salt)


# ---- Emails to an account ------------------------------------------------------------------------


def masked(email: str) -> str:
    """Return enough of an address to recognise it: ``a…@cards.example``; nothing for none."""
    if not email:
        return ""
    name, _at, host = email.rpartition("@")
    return f"{name[:1]}…@{host}"


def token_for_address(account: Account, email: str) -> str:
    """Return the token that confirms an address of the account; it expires after 30 days."""
    until = (database_time.now() + ADDRESS_GOOD_FOR).isoformat()
    return signing.dumps([str(account.pk), account.email, email, until], salt=_ADDRESS)


def read_token_for_address(token: str) -> tuple[str, str, str]:
    """Return the account's id, its address when the link was made, and the new one; raises `Illegal`."""
    with suppress(signing.BadSignature, ValueError):
        pk, before, email, until = signing.loads(token, salt=_ADDRESS)
        if database_time.now() < datetime.fromisoformat(until):
            return pk, before, email
    raise Illegal("This link has expired, or belongs to another account.")


class _PasswordTokens(PasswordResetTokenGenerator):
    """Django's, with the time of the database's clock."""

    def _now(self) -> datetime:
        return make_naive(database_time.now())


password_tokens: Final = _PasswordTokens()
"""Makes and checks the tokens of links to a new password."""


def folder_of_emails() -> str:
    """Return the folder in which emails become files, "" where they leave the server."""
    into_files = settings.EMAIL_BACKEND.endswith("filebased.EmailBackend")
    return str(getattr(settings, "EMAIL_FILE_PATH", "")) if into_files else ""

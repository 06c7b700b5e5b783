"""Emails: what an account needs is written here, the rest by apps; and how the outbox sends them."""

import smtplib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID, uuid4

import structlog
from django.core.exceptions import ValidationError
from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.core.validators import validate_email
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Count, Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from games import database_time
from games.engine import clocks
from games.engine.clocks import NOTHING, Clock
from games.engine.refusals import Illegal, Malformed
from games.log import Appended
from league import hooks
from league.models import (
    Account,
    Club,
    ClubGame,
    Email,
    Player,
    StoppedEmails,
    StoppedInvitations,
)
from league.queries.links import ADDRESS_GOOD_FOR, address_of, hash_of
from league.services import outbox, queue
from league.words.emails import STOPPABLE, message_for

_AWAY: Final = (smtplib.SMTPException, OSError)
_FINAL: Final = 500
"""From here on a mail server will not change its answer (RFC 5321, section 4.2.1)."""
_Kind: Final = Email.Kind
_Status: Final = Email.Status
_MOST_ADDRESSES: Final = 5
_MOST_LINKS: Final = 10

_log = structlog.get_logger(__name__)


# ---- Writing -------------------------------------------------------------------------------------


def write_for(
    accounts: Iterable[Account], *, kind: str, key: str, about: Mapping[str, Any], club: Club | None = None
) -> None:
    """Write an email for each account, once for each ``key``."""
    write(new_email(kind, key, about, account=account.pk, club=club) for account in accounts)


def new_email(
    kind: str,
    key: str,
    about: Mapping[str, Any],
    *,
    account: UUID | None = None,
    club: Club | None = None,
    due: datetime | None = None,
) -> Email:
    """Return an email that is not written yet, ``due`` now or later; nobody gets two of a kind and key."""
    whole = f"{kind}:{key}:{account}" if account else f"{kind}:{key}"
    due = due or database_time.now()
    return Email(key=whole, kind=kind, account_id=account, club=club, about=about, next_at=due)


def awake(club: Club, at: datetime) -> datetime:
    """Return the first moment from ``at`` on outside the club's quiet hours."""
    return clocks.after(Clock(quiet=club.quiet, zone=club.timezone), at, NOTHING)


def write(written: Iterable[Email]) -> None:
    """Write those emails whose keys are not written yet, and queue their sending."""
    rows = list(written)
    if rows:
        Email.objects.bulk_create(rows, ignore_conflicts=True)
        queue.after_commit("send_emails")


def stop_emails(*, player: Player, kind: str, stop: bool = True) -> None:
    """Send a player no more of the club's emails of a kind, or some again; a second time changes nothing."""
    if stop:
        StoppedEmails.objects.get_or_create(player=player, kind=kind)
    else:
        StoppedEmails.objects.filter(player=player, kind=kind).delete()


@transaction.atomic
def stop_all_emails(*, player: Player) -> None:
    """Send a player without an account no more emails of the club of any kind, nor invitations."""
    for kind in STOPPABLE:
        stop_emails(player=player, kind=kind)
    if at := address_of(player):
        stop_invitations(club=player.club, address=hash_of(at))


@transaction.atomic
def start_all_emails(*, player: Player) -> None:
    """Send a player all emails of the club again, and invitations."""
    StoppedEmails.objects.filter(player=player).delete()
    stop_invitations(club=player.club, address=hash_of(address_of(player)), stop=False)


@transaction.atomic
def start_emails_of(*, by: Account, club_id: UUID) -> Club:
    """Send an account all emails of a club again, and invitations; raises Club.DoesNotExist."""
    club = Club.objects.get(pk=club_id)
    for player in Player.objects.filter(club=club, account=by):
        start_all_emails(player=player)
    stop_invitations(club=club, address=hash_of(by.email), stop=False)
    return club


def stop_invitations(*, club: Club, address: str, stop: bool = True) -> None:
    """Send no more invitations of a club to the address of a hash, or some again."""
    if stop:
        StoppedInvitations.objects.get_or_create(club=club, address=address)
    else:
        StoppedInvitations.objects.filter(club=club, address=address).delete()


def drop(notice: str) -> None:
    """Drop the emails of an organiser's message that wait to be sent."""
    waiting = Email.objects.filter(about__notice=notice, status=_Status.WAITING)
    waiting.update(status=_Status.DROPPED)


def write_handed_over(made: Appended, former: UUID) -> None:
    """Write an email to the account that played a seat until an entry that changed that."""
    club_game = ClubGame.objects.select_related("club").get(pk=made.game.pk)
    about = {"game": str(made.game.pk), "reason": made.entry.move["reason"]}
    accounts = Account.objects.filter(pk=former, is_active=True).exclude(email="")
    key = f"{made.game.pk}:{made.entry.seq}"
    write_for(accounts, kind=_Kind.HANDED_OVER, club=club_game.club, key=key, about=about)


def write_forgotten_passwords(*, email: str) -> None:
    """Write emails with a link to a new password for an address's accounts.

    An account gets at most one in five minutes, and `_MOST_LINKS` in a day.
    """
    now = database_time.now()
    lately = Email.objects.filter(kind=_Kind.PASSWORD, account=OuterRef("pk")).order_by()
    last = lately.values("account").annotate(last=Max("made_at")).values("last")
    day = lately.filter(made_at__gt=now - timedelta(days=1)).values("account").annotate(count=Count("pk"))
    mine = Account.objects.filter(email__iexact=email, is_active=True)
    mine = mine.annotate(last=Subquery(last), day=Coalesce(Subquery(day.values("count")), 0))
    waited = Q(last=None) | Q(last__lte=now - timedelta(minutes=5))
    free = mine.filter(waited, day__lt=_MOST_LINKS)
    accounts = [account for account in free.order_by("pk") if account.has_usable_password()]
    write_for(accounts, kind=_Kind.PASSWORD, key=str(int(now.timestamp()) // 300), about={})


def ask_for_address(*, by: Account, email: str) -> None:
    """Send a link to an address that makes it the account's.

    Whoever asks, an address that no account has gets one while its link is good. Raises `Malformed`, and
    `Illegal` for an account that asks for more than `_MOST_ADDRESSES` in an hour.
    """
    try:
        validate_email(email)
    except ValidationError as error:
        raise Malformed({"email": error.messages}) from None
    lately = database_time.now() - timedelta(hours=1)
    requested = Email.objects.filter(kind=_Kind.ADDRESS, account=by, made_at__gt=lately)
    if requested.count() >= _MOST_ADDRESSES:
        raise Illegal("You have requested several links already. Check your emails, or wait an hour.")
    if _was_told(by, email):
        return
    write_for([by], kind=_Kind.ADDRESS, key=str(uuid4()), about={"email": email})


def _was_told(account: Account, email: str) -> bool:
    """Return whether an account asks again within minutes; raise `Illegal` where an address had its email."""
    now = database_time.now()
    told = Email.objects.filter(kind=_Kind.ADDRESS, about__email__iexact=email)
    if told.filter(account=account, made_at__gt=now - timedelta(minutes=5)).exists():
        return True
    lately = told.filter(made_at__gt=now - ADDRESS_GOOD_FOR)
    if lately.exists() and not Account.objects.filter(email__iexact=email).exists():
        raise Illegal("A link was sent to this address already. Look for it among unwanted emails, too.")
    return False


# ---- Sending -------------------------------------------------------------------------------------


def send_emails() -> None:
    """Send the emails that are due; where the mail server has trouble all of them wait a little."""
    waiting = Email.objects.filter(status=_Status.WAITING)
    connection = get_connection()
    try:
        for email in outbox.due(waiting.select_related("account", "club"), "send_emails"):
            if not _send(email, connection):
                waiting.filter(next_at__lte=database_time.now()).update(next_at=outbox.again(1))
                return
    finally:
        with suppress(*_AWAY):
            connection.close()


def _send(email: Email, connection: BaseEmailBackend) -> bool:
    """Try to send an email once; return False where the mail server took nothing."""
    try:
        held_back = any(each(email) for each in hooks.HELD_BACK)
        written = None if held_back else message_for(email)
    except (OperationalError, InterfaceError):
        raise  # the database went away: the sweep sends them again
    except Exception:
        # Others' emails don't wait for one that can't be written.
        _log.exception("eemail_not_written", email=str(email.pk), kind=email.kind)
        outbox.settle(email, None)
        return True
    if written is None:
        outbox.settle(email, _Status.DROPPED)
        return True
    try:
        connection.open()
        written.connection = connection
        written.send()
    except _AWAY as error:
        refused = error.recipients.values() if isinstance(error, smtplib.SMTPRecipientsRefused) else ()
        final = bool(refused) and all(code >= _FINAL for code, _why in refused)
        # Log neither the address nor the text: the error's message may hold both.
        _log.warning("eemail_not_taken", email=str(email.pk), kind=email.kind, error=type(error).__name__)
        outbox.settle(email, _Status.FAILED if final else None)
        return bool(refused)
    outbox.settle(email, _Status.SENT, sent_at=database_time.now())
    return True

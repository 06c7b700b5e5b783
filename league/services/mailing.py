"""Sending emails: each by one worker, at least once, and again if the mail server didn't take it."""

import smtplib
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import structlog
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, Q

from games import database_time
from league.models import Notice
from league.services import queue
from league.words.emails import Email, email_for

_AT_ONCE: Final = 20
# Longer than `_AT_ONCE` emails take: a worker that holds one is sending, or has died.
_LEASE: Final = timedelta(minutes=8)
_FIRST_WAIT: Final = timedelta(minutes=1)
_LONGEST_WAIT: Final = timedelta(hours=4)
MOST_ATTEMPTS: Final = 12
_AWAY: Final = (smtplib.SMTPException, OSError)

_log = structlog.get_logger(__name__)


def send_notices() -> None:
    """Send the emails that are due; two workers at once never send the same one.

    Where the mail server can't be reached all are tried again later.
    """
    taken = _taken()
    if not taken:
        return  # a backend that writes files would make an empty one
    left = [*taken]
    try:
        with get_connection() as connection:
            while left:
                _keep(left[0], _send(left[0], connection))
                del left[0]
    except _AWAY as error:
        # The server could not be reached, or not be left: nobody waits for it twenty times.
        for notice in left:
            _keep(notice, _not_taken(notice, error))
    if len(taken) == _AT_ONCE:
        queue.after_commit("send_notices")


@transaction.atomic
def _taken() -> Sequence[Notice]:
    """Return the next emails that are due, leased to this worker."""
    now = database_time.now()
    free = Q(busy_until=None) | Q(busy_until__lte=now)
    due = Notice.objects.filter(free, status=Notice.Status.WAITING, due_at__lte=now)
    chosen = due.order_by("due_at", "pk").select_for_update(skip_locked=True)[:_AT_ONCE]
    keys = [notice.pk for notice in chosen]
    Notice.objects.filter(pk__in=keys).update(busy_until=now + _LEASE, attempts=F("attempts") + 1)
    mine = Notice.objects.filter(pk__in=keys).select_related("account", "club")
    return list(mine.order_by("due_at", "pk"))


def _send(notice: Notice, connection: object) -> Notice.Status:
    """Try to send a notice once and return its status."""
    status = Notice.Status
    try:
        written = email_for(notice)
    except (OperationalError, InterfaceError):
        raise  # the database went away: the sweep sends them again
    except Exception as error:
        # Others' emails don't wait for one that can't be written.
        _log.exception("mail_not_written", notice=str(notice.pk), kind=notice.kind)
        return _not_taken(notice, error)
    if written is None:
        return status.DROPPED
    try:
        _message(written, connection).send()
    except smtplib.SMTPRecipientsRefused:
        return status.FAILED
    except _AWAY as error:
        return _not_taken(notice, error)
    return status.SENT


def _not_taken(notice: Notice, error: Exception) -> Notice.Status:
    """Return the status of a notice that the mail server did not take."""
    # Log neither the address nor the text: the error's message may hold both.
    _log.warning("mail_not_taken", notice=str(notice.pk), kind=notice.kind, error=type(error).__name__)
    return Notice.Status.FAILED if notice.attempts >= MOST_ATTEMPTS else Notice.Status.WAITING


def _message(written: Email, connection: object) -> EmailMultiAlternatives:
    message = EmailMultiAlternatives(
        subject=written.subject,
        body=written.text,
        to=[written.to],
        headers=dict(written.headers),
        connection=connection,
    )
    message.attach_alternative(written.html, "text/html")
    return message


def _keep(notice: Notice, status: Notice.Status) -> None:
    now = database_time.now()
    notice.status, notice.busy_until = status, None
    if status == Notice.Status.SENT:
        notice.sent_at = now
    elif status == Notice.Status.WAITING:
        times: int = 3 ** (min(notice.attempts, 10) - 1)
        notice.due_at = now + min(_LONGEST_WAIT, _FIRST_WAIT * times)
    notice.save(update_fields=["status", "busy_until", "sent_at", "due_at"])

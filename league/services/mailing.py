"""The outbox's channel for emails."""

import smtplib
from contextlib import suppress
from typing import Final

import structlog
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import InterfaceError, OperationalError

from games import database_time
from league.models import Notice
from league.services import outbox
from league.words.emails import Email, email_for

_AWAY: Final = (smtplib.SMTPException, OSError)
_FINAL: Final = 500
"""From here on a mail server will not change its answer (RFC 5321, section 4.2.1)."""
_Status: Final = Notice.Status

_log = structlog.get_logger(__name__)


def send_notices() -> None:
    """Send the emails that are due; where the mail server has trouble all of them wait a little."""
    waiting = Notice.objects.filter(status=_Status.WAITING)
    connection = get_connection()
    try:
        for notice in outbox.due(waiting.select_related("account", "club"), "send_notices"):
            if not _send(notice, connection):
                waiting.filter(next_at__lte=database_time.now()).update(next_at=outbox.again(1))
                return
    finally:
        with suppress(*_AWAY):
            connection.close()


def _send(notice: Notice, connection: BaseEmailBackend) -> bool:
    """Try to send a notice once; return False where the mail server took nothing."""
    try:
        written = email_for(notice)
    except (OperationalError, InterfaceError):
        raise  # the database went away: the sweep sends them again
    except Exception:
        # Others' emails don't wait for one that can't be written.
        _log.exception("mail_not_written", notice=str(notice.pk), kind=notice.kind)
        outbox.settle(notice, None)
        return True
    if written is None:
        outbox.settle(notice, _Status.DROPPED)
        return True
    try:
        connection.open()
        _message(written, connection).send()
    except _AWAY as error:
        refused = error.recipients.values() if isinstance(error, smtplib.SMTPRecipientsRefused) else ()
        final = bool(refused) and all(code >= _FINAL for code, _why in refused)
        # Log neither the address nor the text: the error's message may hold both.
        _log.warning("mail_not_taken", notice=str(notice.pk), kind=notice.kind, error=type(error).__name__)
        outbox.settle(notice, _Status.FAILED if final else None)
        return bool(refused)
    outbox.settle(notice, _Status.SENT, sent_at=database_time.now())
    return True


def _message(written: Email, connection: BaseEmailBackend) -> EmailMultiAlternatives:
    message = EmailMultiAlternatives(
        subject=written.subject,
        body=written.text,
        to=[written.to],
        headers=dict(written.headers),
        connection=connection,
    )
    message.attach_alternative(written.html, "text/html")
    return message

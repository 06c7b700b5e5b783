"""The devices on which an account is logged in: noted, told about by email, and logged out."""

from datetime import timedelta
from typing import Final

from django.contrib.sessions.models import Session
from django.db import transaction

from games import database_time
from league.models import Account, LogIn, Notice
from league.services.log_ins import Place, note_log_in
from league.services.notices import write_for

_MOST_EMAILS: Final = 5
"""How many emails about new devices an account gets in a day."""


@transaction.atomic
def note_device(*, by: Account, place: Place, browser: str, system: str, session_key: str | None) -> None:
    """Note that the account has logged in from a place, in a session if there is a key of one.

    The first log-in on another device than before is told by email, a few times a day at most.
    """
    new = note_log_in(by=by, place=place)
    if session_key is None:
        return
    LogIn.objects.update_or_create(
        session_id=session_key, defaults={"account": by, "browser": browser, "system": system}
    )
    if new:
        _tell(by, session_key, {"browser": browser, "system": system})


def _tell(account: Account, session_key: str, about: dict[str, str]) -> None:
    now = database_time.now()
    lately = Notice.objects.filter(account=account, kind=Notice.Kind.NEW_DEVICE)
    if account.email and lately.filter(made_at__gt=now - timedelta(days=1)).count() < _MOST_EMAILS:
        key = str(LogIn.objects.get(session=session_key).pk)
        write_for(
            [account],
            kind=Notice.Kind.NEW_DEVICE,
            club=None,
            key=key,
            about={**about, "at": now.isoformat()},
        )


def end_session(*, by: Account, log_in: LogIn) -> None:
    """Log the account out on a device; a second time changes nothing."""
    Session.objects.filter(pk__in=LogIn.objects.filter(account=by, pk=log_in.pk).values("session")).delete()


def end_other_sessions(*, by: Account, session_key: str | None) -> None:
    """Log the account out on all devices but the one with this session, on all with None."""
    mine = LogIn.objects.filter(account=by).exclude(session=session_key)
    Session.objects.filter(pk__in=mine.values("session")).delete()

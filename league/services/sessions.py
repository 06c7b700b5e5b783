"""Sessions that begin and end by the database's clock: settings name this module."""

from datetime import datetime
from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.contrib.sessions.models import Session
from django.db import transaction

from games import database_time


class SessionStore(db.SessionStore):
    """Django's rows of the database, read and written by threads alone."""

    def _get_session_from_db(self) -> AbstractBaseSession | None:
        live = self.model.objects.filter(expire_date__gt=database_time.now())
        found: AbstractBaseSession | None = live.filter(session_key=self.session_key).first()
        if found is None:
            self._session_key = None
        return found

    def get_expiry_date(self, **given: Any) -> datetime:
        ends: datetime = super().get_expiry_date(**{"modification": database_time.now(), **given})
        return ends


@transaction.atomic
def change_key(session: SessionBase) -> None:
    """Give a session another key; rows that go with it, such as that of its device, stay."""
    of_session: list[Any] = [
        each for each in Session._meta.get_fields(include_hidden=True) if each.one_to_one
    ]
    kept = [
        row
        for each in of_session
        for row in each.related_model._base_manager.filter(session=session.session_key)
    ]
    session.cycle_key()
    for row in kept:
        row.session_id = session.session_key
        row.save(force_insert=True)

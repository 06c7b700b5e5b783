"""Idempotency keys: a request that is sent twice, by a double click or a retry, makes one thing."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Model

from games import database_time
from games.engine import chain
from games.engine.jsontypes import Json
from games.engine.messages import text
from games.engine.refusals import Refusal
from league.models import Account, MadeOnce

KEPT: Final = timedelta(days=1)


class KeyReused(Refusal):
    """A key that was sent before with something else."""

    code = "key_reused"


@dataclass(frozen=True)
class Made:
    """The id of what was made for a key, and whether this call made it."""

    id: UUID
    created: bool


@transaction.atomic
def once(*, by: Account, key: str, request: Json, make: Callable[[], Model]) -> Made:
    """Make something for a key of the account; the same key and request again return what was made.

    Of two calls at once the second waits. Raises `KeyReused` if the key was sent with another request, and
    what ``make`` raises; then the key is free again.
    """
    digest = hashlib.sha256(chain.canonical(request)).hexdigest()
    try:
        with transaction.atomic():
            note = MadeOnce.objects.create(account=by, key=key, asked=digest)
    except IntegrityError:
        return _again(by, key, digest)
    note.made = make().pk
    note.save(update_fields=["made"])
    return Made(note.made, created=True)


def _again(by: Account, key: str, digest: str) -> Made:
    note = MadeOnce.objects.get(account=by, key=key)
    if note.asked != digest:
        raise KeyReused(text("This key was sent before with another request: use a new key."))
    assert note.made is not None
    return Made(note.made, created=False)


def forget_keys() -> None:
    """Remove old keys."""
    MadeOnce.objects.filter(at__lt=database_time.now() - KEPT).delete()

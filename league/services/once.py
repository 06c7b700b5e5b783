"""Making a thing once, however often it is asked for: a double click, a retry after a lost answer."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine import chain
from games.engine.jsontypes import Json
from games.engine.refusals import Refusal
from league.models import Account, MadeOnce

KEPT: Final = timedelta(days=1)


class KeyReused(Refusal):
    """A key that was sent before with something else."""

    code = "key_reused"


@dataclass(frozen=True)
class Made:
    """The id of what stands for a key, and whether this call made it."""

    id: UUID
    created: bool


@transaction.atomic
def once(*, by: Account, key: str, asked: Json, make: Callable[[], Model]) -> Made:
    """Make something for a key of the account's, of which the same asked again gives just that.

    Who asks in the same moment waits. Raises `KeyReused` where the key was sent with something else, and what
    ``make`` raises; then the key is as free as before.
    """
    digest = hashlib.sha256(chain.canonical(asked)).hexdigest()
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
        raise KeyReused(_("This key was sent before with something else: take a new one."))
    assert note.made is not None
    return Made(note.made, created=False)


def forget_keys() -> None:
    """Forget the keys that nobody will send again."""
    MadeOnce.objects.filter(at__lt=timezone.now() - KEPT).delete()

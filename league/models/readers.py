"""For whom names are written: the public, or a club's people, who read what its people are really called.

Like the language, the reader is that of the request or the mail that is answered or written; where nobody
said who reads, it is the public.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Protocol
from uuid import UUID

from django.utils.translation import gettext as _

from league.core.public_names import NEUTRAL

_NEUTRAL: Final = re.compile(rf"\b{NEUTRAL.format('([0-9]+)')}")


class Reader(Protocol):
    """Who reads."""

    def knows(self, club: UUID) -> bool:
        """Return whether the reader is one of a club's people."""

    def has(self, account: UUID | None) -> bool:
        """Return whether the reader is an account."""


class _Public:
    """Nobody whom a club knows."""

    def knows(self, club: UUID) -> bool:
        return False

    def has(self, account: UUID | None) -> bool:
        return False


PUBLIC: Final[Reader] = _Public()
_READER: Final = ContextVar("reader", default=PUBLIC)


@contextmanager
def reading(reader: Reader) -> Iterator[None]:
    """Write names for a reader."""
    before = _READER.set(reader)
    try:
        yield
    finally:
        _READER.reset(before)


def reader() -> Reader:
    """Return for whom names are written now."""
    return _READER.get()


def name_for(name: str, public_name: str, club: UUID, account: UUID | None = None) -> str:
    """Return what somebody of a club, perhaps with an account, is called for the reader."""
    if name == public_name or reader().knows(club) or reader().has(account):
        return name
    return in_words(public_name)


def in_words(public_name: str) -> str:
    """Return a public name in the active language."""
    return _NEUTRAL.sub(lambda found: _("Member %(number)s") % {"number": found[1]}, public_name)

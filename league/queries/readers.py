"""For whom names are written: the public, or a club's people, who read what its people are really called.

Like the language, the reader is that of the request or the mail that is being answered or written; where
nobody said who reads, it is the public. Faces ask `name_of`, and queries for names the column of a club.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property, lru_cache
from typing import Any, Final, Literal, TypeAlias
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.core.public_names import NEUTRAL
from league.models import Account, Competition, Entry, Member, Player
from league.queries.permissions import SEES_MORE

Column: TypeAlias = Literal["name", "public_name"]

_NEUTRAL: Final = re.compile(rf"\b{NEUTRAL.format('([0-9]+)')}")


class Reader:
    """Who reads: an account, which is looked up when it is asked for first, and the people of some clubs."""

    def __init__(
        self, account: Callable[[], Account | None] = lambda: None, clubs: Iterable[UUID] = ()
    ) -> None:
        self._account, self._clubs = account, frozenset(clubs)

    @cached_property
    def account(self) -> Account | None:
        """Return the account, None where its token sees no more than the public."""
        account = self._account()
        return account if account and account.has_scope(*SEES_MORE) else None

    @cached_property
    def clubs(self) -> frozenset[UUID]:
        """Return the clubs whose people the reader is one of."""
        mine = Member.objects.filter(account=self.account) if self.account else Member.objects.none()
        return self._clubs | {*mine.values_list("club", flat=True)}


PUBLIC: Final = Reader()
_READER: Final = ContextVar("reader", default=PUBLIC)


@contextmanager
def reading(reader: Reader) -> Iterator[None]:
    """Write names for a reader."""
    before = _READER.set(reader)
    try:
        yield
    finally:
        _READER.reset(before)


def reading_as(account: Account | None) -> Any:
    """Write names for an account, None for the public."""
    return reading(Reader(lambda: account))


def reading_as_people_of(club: UUID) -> Any:
    """Write names for the people of a club."""
    return reading(Reader(clubs=(club,)))


def reader() -> Reader:
    """Return for whom names are written now."""
    return _READER.get()


def knows(club: UUID) -> bool:
    """Return whether the reader is one of a club's people."""
    return club in reader().clubs


def column(club: UUID) -> Column:
    """Return the column with the names of a club's players and entries for the reader."""
    return "name" if knows(club) else "public_name"


def name_of(row: Player | Entry) -> str:
    """Return what a player or an entry is called, for the reader."""
    if row.name == row.public_name:
        return row.name
    return row.name if _is_known(row) else in_words(row.public_name)


def names_of(rows: QuerySet[Any], club: UUID) -> Mapping[UUID, str]:
    """Return what players or entries of a club are called by their ids, for the reader."""
    pairs = rows.order_by().values_list("pk", "name", "public_name")
    return {pk: name if name == public or knows(club) else in_words(public) for pk, name, public in pairs}


def in_words(public_name: str) -> str:
    """Return a public name in the active language."""
    return _NEUTRAL.sub(lambda found: _("Member %(number)s") % {"number": found[1]}, public_name)


def _is_known(row: Player | Entry) -> bool:
    if isinstance(row, Player):
        return knows(row.club_id) or _is_own(row)
    return knows(_club_of(row.competition_id))


def _is_own(player: Player) -> bool:
    account = reader().account if player.account_id else None
    return account is not None and account.pk == player.account_id


@lru_cache(maxsize=2000)
def _club_of(competition: UUID) -> UUID:
    """Return the club of a competition, which never changes."""
    return Competition.objects.values_list("club", flat=True).get(pk=competition)

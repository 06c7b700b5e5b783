"""Readers of names: accounts, and the people of a club (`league.models.readers`)."""

from collections.abc import Callable, Iterable, Mapping, Set
from contextlib import AbstractContextManager
from functools import cache, cached_property
from typing import Any, Final
from uuid import UUID

from django.db.models import CharField, F, Q, QuerySet, Value
from django.db.models.functions import Concat

from league.core.public_names import NEUTRAL, hidden_in, tells
from league.models import Account, Member, Player
from league.models.competitions import club_of
from league.models.readers import PUBLIC, Reader, in_words, reader, reading
from league.queries.permissions import SEES_MORE

__all__ = [
    "PUBLIC",
    "ByAccount",
    "Reader",
    "as_read",
    "hidden_entries",
    "hidden_words",
    "knows",
    "mark",
    "nameless",
    "names_are_hidden",
    "names_of",
    "read_whole",
    "reading",
    "reading_as",
    "reading_as_people_of",
    "tells_hidden",
]

OWN_NAMES: Final = ("name", "former")
"""The fields of events with the names that were typed for an entry."""


class ByAccount:
    """An account that reads, looked up when it is asked for first, and who else may be of a club's people."""

    def __init__(
        self,
        account: Callable[[], Account | None] = lambda: None,
        of_club: Callable[[UUID], bool] = lambda club: False,
    ) -> None:
        self._find, self._of_club = account, cache(of_club)
        self.nameless = cache(lambda club: _nameless(club, self.account))

    @cached_property
    def account(self) -> Account | None:
        """Return the account, None where its token sees no more than the public."""
        account = self._find()
        return account if account and account.has_scope(*SEES_MORE) else None

    @property
    def is_owner(self) -> bool:
        """Return whether it is the platform's owner."""
        return self.account is not None and self.account.is_superuser

    @cached_property
    def clubs(self) -> frozenset[UUID]:
        """Return the clubs of which the account is a member."""
        mine = Member.objects.filter(account=self.account) if self.account else Member.objects.none()
        return frozenset(mine.values_list("club", flat=True))

    def knows(self, club: UUID) -> bool:
        return self.is_owner or club in self.clubs or self._of_club(club)

    def has(self, account: UUID | None) -> bool:
        return account is not None and self.account is not None and self.account.pk == account


def reading_as(account: Account | None) -> AbstractContextManager[None]:
    """Write names for an account, None for the public."""
    return reading(ByAccount(lambda: account))


def reading_as_people_of(club: UUID) -> AbstractContextManager[None]:
    """Write names for the people of a club."""
    return reading(ByAccount(of_club=club.__eq__))


def knows(club: UUID) -> bool:
    """Return whether the reader is one of a club's people."""
    return reader().knows(club)


def mark(club: UUID) -> tuple[object, ...]:
    """Return what an answer with names of a club's people is kept by, beside what it is about."""
    asks = reader()
    account = asks.account if isinstance(asks, ByAccount) else None
    return knows(club), account.pk if account else None


def read_whole() -> Q:
    """Return which players' whole names the account that reads may read."""
    asks = reader()
    if not isinstance(asks, ByAccount):
        return Q(public_name=F("name"))
    return Q() if asks.is_owner else Q(public_name=F("name")) | Q(club__in=asks.clubs)


def names_of(rows: QuerySet[Any], club: UUID) -> Mapping[UUID, str]:
    """Return what players or entries of a club are called by their ids, for the reader."""
    pairs = rows.order_by().values_list("pk", "name", "public_name")
    return {pk: name if name == shown or knows(club) else in_words(shown) for pk, name, shown in pairs}


def nameless(club: UUID) -> frozenset[str]:
    """Return whose names are for a club's people alone, so that the reader can't open their pages: ids.

    One query in an answer, none for the club's people.
    """
    asks = reader()
    if asks.knows(club):
        return frozenset()
    return asks.nameless(club) if isinstance(asks, ByAccount) else _nameless(club, None)


def _nameless(club: UUID, account: Account | None) -> frozenset[str]:
    """Return whose names an account that is not of the club may not read at all."""
    shown = Concat(Value(NEUTRAL.format("")), "number", output_field=CharField())
    hidden = Player.objects.filter(club=club, public_name=shown).exclude(public_name=F("name"))
    others = hidden.exclude(account=account) if account else hidden
    return frozenset(map(str, others.order_by().values_list("pk", flat=True)))


def hidden_words(club: UUID) -> frozenset[str]:
    """Return the words of names of a club's people that the reader may not read; none as a rule."""
    hidden = Player.objects.filter(club=club).exclude(public_name=F("name"))
    return frozenset() if knows(club) else hidden_in(hidden.order_by().values_list("name", "public_name"))


def tells_hidden(event: Mapping[str, Any], words: Set[str]) -> bool:
    """Return whether an event names an entry by words of people's names."""
    return "entry" in event and any(tells(event.get(key) or "", words) for key in OWN_NAMES)


def hidden_entries(events: Iterable[tuple[UUID, Mapping[str, Any]]]) -> frozenset[str]:
    """Return the entries that events of a club's competitions name by words which the reader may not read."""
    named = [each for each in events if "entry" in each[1] and any(map(each[1].get, OWN_NAMES))]
    words = hidden_words(club_of(named[0][0])) if named else frozenset[str]()
    return frozenset(str(event["entry"]) for _of, event in named if words and tells_hidden(event, words))


def as_read(competition: UUID, event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an event without the names of an entry that are made of names which the reader may not read."""
    if not hidden_entries([(competition, event)]):
        return event
    return {**event, **{name: "" for name in OWN_NAMES if name in event}}


def names_are_hidden() -> bool:
    """Return whether anybody on this site is called otherwise in public."""
    return Player.objects.exclude(public_name=F("name")).exists()

"""How entries of both logs are found: by who wrote them, what they are, and whom they concern."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.contrib.admin import ModelAdmin, SimpleListFilter
from django.db.models import CharField, Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games import rules
from games.engine import replay
from games.models import Move, Seat
from league.admin.scope import directed, sees_all
from league.models import Account, Entry, Event, Member, Player, Table, TableSeat
from league.models.names import search_key
from league.permissions import SCOREKEEPERS
from league.templatetags.trefoil import words
from league.views.happenings import SENTENCES


class ByAccount(SimpleListFilter):
    """Entries by who wrote them: those who may write for the club, and its programs."""

    title = _("account")
    parameter_name = "account"

    def lookups(self, request: HttpRequest, model_admin: "ModelAdmin[Any]") -> Sequence[tuple[str, str]]:
        """Return the accounts that may direct the caller's clubs or keep their scores."""
        members = Member.objects.filter(role__in=SCOREKEEPERS)
        mine = members if sees_all(request) else members.filter(club__in=directed(request))
        accounts = Account.objects.filter(pk__in=mine.values("account")).order_by("username")
        return [(str(account.pk), account.username) for account in accounts]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the entries of the chosen account."""
        return queryset.filter(account=self.value()) if self.value() else queryset


class _ByKind(SimpleListFilter):
    """Entries by what they are."""

    title = _("kind")
    parameter_name = "kind"
    field: str
    kinds: Iterable[str]

    def lookups(self, request: HttpRequest, model_admin: "ModelAdmin[Any]") -> Sequence[tuple[str, str]]:
        """Return all kinds of entries, in words."""
        return [(kind, words(kind)) for kind in self.kinds]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the entries of the chosen kind."""
        return queryset.filter(**{self.field: self.value()}) if self.value() else queryset


class ByEvent(_ByKind):
    """A competition's entries by their event."""

    field, kinds = "event__type", tuple(SENTENCES)


class ByMove(_ByKind):
    """A game's entries by the type of the move."""

    field = "move__type"
    kinds = sorted({kind for ruleset in rules.BY_NAME.values() for kind in replay.move_schemas(ruleset)})


# ---- Searching -----------------------------------------------------------------------------------


def events_found(events: QuerySet[Event], term: str) -> QuerySet[Event]:
    """Return the events that a term finds.

    It may be part of a competition's name, a kind of event, words of a reason, the name of an account, or
    that of an entry or player: then what is said of them and of the tables at which they sit.
    """
    entries = _entries_named(term)
    tables = Table.objects.filter(pk__in=TableSeat.objects.filter(entry__in=entries).values("table"))
    told = events.annotate(told_entry=KT("event__entry"), told_table=KT("event__table"))
    return told.filter(
        Q(competition__name__icontains=term)
        | Q(event__type__icontains=term.replace(" ", "_"))
        | Q(event__reason__icontains=term)
        | Q(event__name__icontains=term)
        | Q(account__in=_accounts_named(term))
        | Q(told_entry__in=_as_text(entries))
        | Q(told_table__in=_as_text(tables))
    )


def moves_found(moves: QuerySet[Move], term: str) -> QuerySet[Move]:
    """Return the moves that a term finds.

    It may be a game's id, part of a competition's name, a type of move, words of a reason, the name of an
    account, or that of a player: then what their seats did.
    """
    players = Player.objects.filter(search_name__contains=search_key(term)).values("pk")
    seat = Seat.objects.filter(game=OuterRef("game"), number=OuterRef("seat"), player__in=players)
    found = (
        Q(game__place__competition__name__icontains=term)
        | Q(move__type__icontains=term.replace(" ", "_"))
        | Q(move__reason__icontains=term)
        | Q(account__in=_accounts_named(term))
        | Q(Exists(seat))
    )
    return moves.filter(found | Q(game=_uuid(term)) if _uuid(term) else found)


def _uuid(term: str) -> UUID | None:
    try:
        return UUID(term)
    except ValueError:
        return None


def _entries_named(term: str) -> QuerySet[Entry]:
    players = Player.objects.filter(search_name__contains=search_key(term))
    return Entry.objects.filter(Q(name__icontains=term) | Q(members__player__in=players))


def _accounts_named(term: str) -> list[str]:
    found = Account.objects.filter(username__icontains=term).values_list("pk", flat=True)
    return [str(pk) for pk in found]


def _as_text(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return the ids of rows as logs write them."""
    told: QuerySet[Any] = rows.annotate(text=Cast("pk", CharField())).values("text")
    return told

"""Search and filters for both logs: by account, by type, and by the names of the people concerned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib.admin import ModelAdmin, SimpleListFilter
from django.db.models import CharField, Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games import rules
from games.engine.common_moves import COMMON
from games.models import Seat
from league.admin.scope import directed_ids, sees_all
from league.core.verbs import EVENTS
from league.models import Account, Entry, Member, Player, Table, TableSeat
from league.models.names import search_key
from league.queries.permissions import SCOREKEEPERS
from league.words.values import words

if TYPE_CHECKING:
    from games.models.moves import Move
    from league.models.events import Event


class ByAccount(SimpleListFilter):
    """Log lines by their account: the scorekeepers and organisers of the club, and its apps."""

    title = _("account")
    parameter_name = "account"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin[Any]) -> Sequence[tuple[str, str]]:
        """Return the scorekeepers and organisers of the caller's clubs."""
        members = Member.objects.filter(role__in=SCOREKEEPERS)
        visible = members if sees_all(request) else members.filter(club__in=directed_ids(request))
        accounts = Account.objects.filter(pk__in=visible.values("account")).order_by("username")
        return [(str(account.pk), account.username) for account in accounts]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(account=self.value()) if self.value() else queryset


class _ByType(SimpleListFilter):
    """Log lines by their type."""

    title = _("type")
    parameter_name = "kind"
    field: str
    types: Iterable[str]

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin[Any]) -> Sequence[tuple[str, str]]:
        return [(each, words(each)) for each in self.types]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**{self.field: self.value()}) if self.value() else queryset


class ByEvent(_ByType):
    """A competition's events by their type."""

    field, types = "event__type", tuple(EVENTS)


class ByMove(_ByType):
    """A game's moves by their type."""

    field = "move__type"
    types = sorted({kind for ruleset in rules.BY_NAME.values() for kind in {**ruleset.moves, **COMMON}})


# ---- Searching -----------------------------------------------------------------------------------


def search_events(events: QuerySet[Event], term: str) -> QuerySet[Event]:
    """Return the events that match a term.

    The term is part of a competition's name, of a type, of a reason, or of the name of an account, entry or
    player; an entry's events are those about it and those about its tables.
    """
    entries = _entries_named(term)
    tables = Table.objects.filter(pk__in=TableSeat.objects.filter(entry__in=entries).values("table"))
    annotated = events.annotate(about_entry=KT("event__entry"), about_table=KT("event__table"))
    return annotated.filter(
        Q(competition__name__icontains=term)
        | Q(event__type__icontains=term.replace(" ", "_"))
        | Q(event__reason__icontains=term)
        | Q(event__name__icontains=term)
        | Q(account__in=_accounts_named(term))
        | Q(about_entry__in=_ids_as_text(entries))
        | Q(about_table__in=_ids_as_text(tables))
    )


def search_moves(moves: QuerySet[Move], term: str) -> QuerySet[Move]:
    """Return the moves that match a term.

    The term is a game's id, or part of a competition's name, of a type, of a reason, or of the name of an
    account or player; a player's moves are those of their seats.
    """
    players = Player.objects.filter(search_name__contains=search_key(term)).values("pk")
    seat = Seat.objects.filter(game=OuterRef("game"), number=OuterRef("seat"), player__in=players)
    matching = (
        Q(game__club_game__competition__name__icontains=term)
        | Q(move__type__icontains=term.replace(" ", "_"))
        | Q(move__reason__icontains=term)
        | Q(account__in=_accounts_named(term))
        | Q(Exists(seat))
    )
    game_id = _uuid(term)
    return moves.filter(matching | Q(game=game_id) if game_id else matching)


def _uuid(term: str) -> UUID | None:
    try:
        return UUID(term)
    except ValueError:
        return None


def _entries_named(term: str) -> QuerySet[Entry]:
    players = Player.objects.filter(search_name__contains=search_key(term))
    return Entry.objects.filter(Q(name__icontains=term) | Q(members__player__in=players))


def _accounts_named(term: str) -> list[str]:
    ids = Account.objects.filter(username__icontains=term).values_list("pk", flat=True)
    return [str(pk) for pk in ids]


def _ids_as_text(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return the ids of rows as text, which is how logs hold them."""
    ids: QuerySet[Any] = rows.annotate(text=Cast("pk", CharField())).values("text")
    return ids

"""Search and filters for both logs: by account, by type, and by the names of the people concerned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.contrib.admin import ModelAdmin, SimpleListFilter
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games import rules
from games.engine.common_moves import COMMON
from games.models import Seat
from league.admin.base import directed_ids, sees_all
from league.models import Account, Member, Player
from league.models.names import search_key
from league.queries.permissions import SCOREKEEPERS
from league.words.event_text import events_by_title
from league.words.values import words

if TYPE_CHECKING:
    from games.models.moves import Move


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

    field = "event__type"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin[Any]) -> Sequence[tuple[str, str]]:
        return events_by_title()


class ByMove(_ByType):
    """A game's moves by their type."""

    field = "move__type"
    types = sorted({kind for ruleset in rules.BY_NAME.values() for kind in {**ruleset.moves, **COMMON}})


SAID_OF_MOVES: Final = {
    "abandon": _("abandoned, called off"),
    "confirm": _("confirmation, confirmed"),
    "correct": _("correction, corrected"),
    "forfeit": _("forfeited, gave up, left"),
    "hand_over": _("account, another account, taken over"),
    "penalty": _("fine, fined, points off"),
    "resign": _("resigned, gave up"),
    "round": _("score, scores, result"),
    "stop_clocks": _("clock stopped, pause"),
    "start_clocks": _("clock started, resumed"),
    "timeout": _("clock, ran out of time, too late"),
}
"""Further words by which people search for moves."""


# ---- Searching -----------------------------------------------------------------------------------


def search_moves(moves: QuerySet[Move], term: str) -> QuerySet[Move]:
    """Return the moves that match a term.

    The term is a game's id, what people call a type of move, or part of a competition's name, of a reason, or
    of the name of an account or player; a player's moves are those of their seats.
    """
    players = Player.objects.filter(search_name__contains=search_key(term)).values("pk")
    seat = Seat.objects.filter(game=OuterRef("game"), number=OuterRef("seat"), player__in=players)
    matching = (
        Q(game__club_game__competition__name__icontains=term)
        | Q(move__type__in=_moves_called(term))
        | Q(move__reason__icontains=term)
        | Q(account__in=_accounts_named(term))
        | Q(Exists(seat))
    )
    game_id = _uuid(term)
    return moves.filter(matching | Q(game=game_id) if game_id else matching)


def _moves_called(term: str) -> list[str]:
    """Return the types of moves whose name, or a word that people use for them, begins with a term."""
    wanted = search_key(term)
    known = {kind: f"{words(kind)}, {SAID_OF_MOVES.get(kind, '')}" for kind in ByMove.types}
    return [
        kind
        for kind, said in known.items()
        if any(each.strip().startswith(wanted) for each in search_key(said).split(","))
    ]


def _uuid(term: str) -> UUID | None:
    try:
        return UUID(term)
    except ValueError:
        return None


def _accounts_named(term: str) -> list[str]:
    ids = Account.objects.filter(username__icontains=term).values_list("pk", flat=True)
    return [str(pk) for pk in ids]

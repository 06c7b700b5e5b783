"""Logs on the desk, to be read and searched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final
from uuid import UUID

from django.contrib import admin
from django.contrib.admin import ModelAdmin, SimpleListFilter
from django.contrib.admin.views.main import ChangeList
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from games import rules
from games.engine import chain
from games.engine.common_moves import COMMON
from games.models import Seat
from games.models.moves import Move
from league.admin.base import ClubScopedAdmin, M, directed_ids, display, sees_all
from league.admin.site import desk
from league.models import Account, Member, Player
from league.models.events import Event
from league.models.names import search_key
from league.queries.accounts import account_names
from league.queries.events import events_found
from league.queries.games import seated_at
from league.queries.permissions import SCOREKEEPERS
from league.queries.verification import check_of_competition, game_in_words, in_words
from league.templatetags.cards import spoken
from league.words.event_text import EventLine, event_lines, events_by_title, wanted
from league.words.moves import in_words_of, nobody_seated, seat_name
from league.words.values import numbers_within, ruleset_title, words

# ---- Search --------------------------------------------------------------------------------------


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
    "give_time": _("extra time, extension, minutes more"),
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


# ---- Lists ---------------------------------------------------------------------------------------


class PreparedList(ChangeList):
    """A list page whose admin loads what the rows show with a few queries for all of them."""

    model_admin: Any
    result_list: Any

    def get_results(self, request: HttpRequest) -> None:
        """Load the page's rows."""
        super().get_results(request)
        self.result_list = self.model_admin.prepared(list(self.result_list))


class LogAdmin(ClubScopedAdmin[M]):
    """The lines of a log, each with the hash of the line before it."""

    log_path: ClassVar[str]
    """The lookup from a line to what its log is of."""
    date_hierarchy = "at"
    ordering = ("-at", "-seq")

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Return the list class that prepares its rows."""
        return PreparedList

    def get_queryset(self, request: HttpRequest) -> QuerySet[M]:
        """Return the lines, annotated with the hash ``before`` each of them."""
        rows: Any = super().get_queryset(request)
        same_log = {self.log_path: OuterRef(self.log_path), "seq": OuterRef("seq") - 1}
        previous: Any = self.model._default_manager.filter(**same_log)
        annotated: QuerySet[M] = rows.annotate(before=Subquery(previous.values("hash")))
        return annotated

    @display(description=_("who"), ordering="role")
    def who(self, row: Any) -> str:
        """Return the role in which a line was written, and whose account it was."""
        name: str = self.account_name(row)  # type: ignore[attr-defined]
        role = row.get_role_display()
        return str(role) if name in ("–", "") else f"{name} ({role})"

    @display(description=_("check"))
    def link(self, row: Any) -> str:
        """Return whether the line's hash matches its content and the line before it."""
        matches = chain.link(row.before or chain.ORIGIN, row.as_json()) == row.hash
        return "✓" if matches else str(_("broken"))


@admin.register(Event, site=desk)
class EventAdmin(LogAdmin[Event]):
    """What happened in competitions, by whom, when and why."""

    list_title = _("Competitions’ log")
    club_path = "competition__club"
    log_path = "competition"
    list_display = ("seq", "sentence", "competition", "who", "at", "link")
    list_display_links = ("seq",)
    list_filter = (("competition", admin.RelatedOnlyFieldListFilter), ByEvent, ByAccount, "role", "at")
    list_select_related = ("competition",)
    search_fields = ("competition__name",)
    search_help_text = _(
        "What happened, such as walkover or correction; round 2 or table 3; a competition, entry, player or "
        "account; or part of a reason"
    )
    fields = (
        *("competition", "seq", "sentence", "role", "account_name", "at"),
        *("verified", "hash", "page"),
    )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Event], search_term: str
    ) -> tuple[QuerySet[Event], bool]:
        return (events_found(queryset, wanted(search_term), whole=True) if search_term else queryset), False

    @display(description=_("check of the whole log"))
    def verified(self, event: Event) -> str:
        """Return what the verifier says about the competition's log."""
        return in_words(check_of_competition(event.competition))

    @display(description=_("public page"))
    def page(self, event: Event) -> str:
        """Return a link to the public log."""
        address = reverse("competition_log", args=[event.competition.slug])
        return format_html('<a href="{}">{}</a>', address, _("The competition’s log"))

    def prepared(self, rows: list[Event]) -> list[Event]:
        """Return the events, all put into words together."""
        for line in event_lines(rows):
            line.event.in_words = line  # type: ignore[attr-defined]
        return rows

    @display(description=_("what happened"))
    def sentence(self, event: Event) -> str:
        return numbers_within(self._in_words(event).sentence)

    @display(description=_("account"))
    def account_name(self, event: Event) -> str:
        """Return whose event it is; a dash stands for the server."""
        return self._in_words(event).account or "–"

    def _in_words(self, event: Event) -> EventLine:
        if not hasattr(event, "in_words"):
            self.prepared([event])
        line: EventLine = event.in_words  # type: ignore[attr-defined]
        return line


@admin.register(Move, site=desk)
class MoveAdmin(LogAdmin[Move]):
    """Every move of the club's games."""

    list_title = _("Moves")
    club_path = "game__club_game__club"
    log_path = "game"
    list_display = ("seq", "sentence", "game_title", "who", "at", "link", "replay")
    list_filter = (
        ("game__club_game__competition", admin.RelatedOnlyFieldListFilter),
        *(ByMove, ByAccount, "role", "at"),
    )
    list_select_related = ("game__club_game__competition",)
    search_fields = ("game__club_game__competition__name",)
    search_help_text = _("A competition, player, account or type of move, part of a reason, or a game’s id")
    fields = (
        *("game", "seq", "sentence", "role", "account_name", "at"),
        *("verified", "hash", "replay"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Move]:
        """Return the moves with their games."""
        return super().get_queryset(request).select_related("game")

    def prepared(self, rows: list[Move]) -> list[Move]:
        """Return the moves with the names of their players and accounts, and with their texts."""
        names = account_names(move.account for move in rows)
        seats, said = seated_at([*{move.game_id: move.game for move in rows}.values()]), in_words_of(rows)
        for move in rows:
            move.said = said[move.pk]  # type: ignore[attr-defined]
            move.by = names.get(move.account or "", "")  # type: ignore[attr-defined]
            move.names = {each.seat: seat_name(each) for each in seats[move.game_id]}  # type: ignore[attr-defined]
        return rows

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Move], search_term: str
    ) -> tuple[QuerySet[Move], bool]:
        return (search_moves(queryset, search_term) if search_term else queryset), False

    @display(description=_("what happened"))
    def sentence(self, move: Move) -> str:
        """Return the move in words that a spectator may read, with cards and the names of players."""
        if move.seq == 1:
            return str(_("The game is opened."))
        named = self._with_names(move)
        who = named.names[move.seat] if move.seat is not None else named.by or nobody_seated(move.game, move)
        return format_html("{} {}", who, spoken(named.said, named.names))

    @display(description=_("game"))
    def game_title(self, move: Move) -> str:
        """Return a link to the game."""
        address = reverse("admin:games_game_change", args=[move.game_id])
        return format_html('<a href="{}">{}</a>', address, ruleset_title(move.game.ruleset))

    @display(description=_("account"))
    def account_name(self, move: Move) -> str:
        return self._with_names(move).by or "–"

    def _with_names(self, move: Move) -> Any:
        return move if hasattr(move, "by") else self.prepared([move])[0]

    @display(description=_("check of the whole log"))
    def verified(self, move: Move) -> str:
        """Return what the verifier says about the game's log."""
        return game_in_words(move.game)

    @display(description=_("replay"))
    def replay(self, move: Move) -> str:
        """Return a link to the table as it was after the move."""
        address = reverse("game", args=[move.game_id])
        return format_html('<a href="{}?at={}">{}</a>', address, move.seq, _("View"))

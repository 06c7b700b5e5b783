"""Both logs on the desk: they can be searched and read, and no form changes them."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from games.engine import chain
from games.models.moves import Move
from league.admin.base import ClubScopedAdmin, M, display
from league.admin.log_search import ByAccount, ByEvent, ByMove, search_moves
from league.admin.site import desk
from league.models.events import Event
from league.queries.accounts import account_names
from league.queries.events import events_found
from league.queries.games import seated_at
from league.queries.verification import check_of_competition, game_in_words, in_words
from league.templatetags.cards import spoken
from league.words.event_text import EventLine, event_lines, wanted
from league.words.moves import in_words_of, nobody_seated, seat_name
from league.words.values import numbers_within, ruleset_title


class LogAdmin(ClubScopedAdmin[M]):
    """The lines of a log, each with the hash of the line before it."""

    log_path: ClassVar[str]
    """The lookup from a line to what its log is of."""
    date_hierarchy = "at"
    ordering = ("-at", "-seq")

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
        return (events_found(queryset, wanted(search_term)) if search_term else queryset), False

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

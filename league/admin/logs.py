"""Both logs on the desk: to be searched and read. What is in them is changed by no form."""

from typing import Any

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from games import log
from games.engine import chain
from games.models import Move
from league import selectors
from league.admin.finding import ByAccount, ByEvent, ByMove, events_found, moves_found
from league.admin.scope import OfClubs
from league.admin.site import desk
from league.models import Event
from league.templatetags.trefoil import ruleset_title
from league.views.checks import check_of_competition, game_in_words, in_words
from league.views.happenings import Happening, happenings


@admin.register(Event, site=desk)
class EventAdmin(OfClubs[Event]):
    """What happened in competitions, by whom, when and why."""

    club_path = "competition__club"
    list_display = ("seq", "sentence", "competition", "role", "account_name", "at", "link")
    list_display_links = ("seq",)
    list_filter = (("competition", admin.RelatedOnlyFieldListFilter), ByEvent, ByAccount, "role", "at")
    list_select_related = ("competition",)
    date_hierarchy = "at"
    search_fields = ("competition__name",)
    search_help_text = _("A competition, entry, player or account, or words of a reason")
    ordering = ("-at", "-seq")
    fields = (
        *("competition", "seq", "sentence", "role", "account_name", "at"),
        *("verified", "event", "hash", "page"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        """Return the entries, each with the hash of the one before."""
        before = Event.objects.filter(competition=OuterRef("competition"), seq=OuterRef("seq") - 1)
        return super().get_queryset(request).annotate(before=Subquery(before.values("hash")))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Event], search_term: str
    ) -> tuple[QuerySet[Event], bool]:
        """Return the entries that a term finds, as `events_found` says."""
        return (events_found(queryset, search_term) if search_term else queryset), False

    @display(description=_("chain"))
    def link(self, event: Event) -> str:
        """Return whether the entry's hash fits what it says and the entry before."""
        return _fits(event)

    @display(description=_("check of the whole log"))
    def verified(self, event: Event) -> str:
        """Return what the verifier says of the competition's log."""
        return in_words(check_of_competition(event.competition))

    @display(description=_("public page"))
    def page(self, event: Event) -> str:
        """Return the way to the log for everybody."""
        address = reverse("competition_log", args=[event.competition.slug])
        return format_html('<a href="{}">{}</a>', address, _("The competition’s log"))

    def prepared(self, rows: list[Event]) -> list[Event]:
        """Return the entries put into words together."""
        return _put_into_words(rows)

    @display(description=_("what happened"))
    def sentence(self, event: Event) -> str:
        """Return the entry in words."""
        return _told(event).sentence

    @display(description=_("account"))
    def account_name(self, event: Event) -> str:
        """Return who wrote the entry; the house itself has no name."""
        return _told(event).account or "–"


def _told(event: Event) -> Happening:
    """Return the entry in words, asked for once."""
    if not hasattr(event, "told"):
        _put_into_words([event])
    told: Happening = event.told  # type: ignore[attr-defined]
    return told


def _put_into_words(events: list[Event]) -> list[Event]:
    for happening in happenings(events):
        happening.event.told = happening  # type: ignore[attr-defined]
    return events


@admin.register(Move, site=desk)
class MoveAdmin(OfClubs[Move]):
    """Every entry of the games' logs."""

    club_path = "game__place__club"
    list_display = ("seq", "sentence", "game_title", "role", "player", "account_name", "at", "link", "replay")
    list_filter = (
        ("game__place__competition", admin.RelatedOnlyFieldListFilter),
        *(ByMove, ByAccount, "role", "at"),
    )
    list_select_related = ("game__place__competition",)
    date_hierarchy = "at"
    search_fields = ("game__place__competition__name",)
    search_help_text = _("A competition, player, account or type of move, words of a reason, a game’s id")
    ordering = ("-at", "-seq")
    fields = (
        *("game", "seq", "sentence", "role", "player", "account_name", "at"),
        *("verified", "move", "hash", "replay"),
    )

    def prepared(self, rows: list[Move]) -> list[Move]:
        """Return the entries with the names of their players and accounts, asked for together."""
        names = selectors.account_names(move.account for move in rows)
        seats = selectors.seated_at([*{move.game_id: move.game for move in rows}.values()])
        for move in rows:
            own = next((seat for seat in seats[move.game_id] if seat.seat == move.seat), None)
            move.by = names.get(move.account or "", "")  # type: ignore[attr-defined]
            move.whose = own.player.name if own and own.player else ""  # type: ignore[attr-defined]
        return rows

    def get_queryset(self, request: HttpRequest) -> QuerySet[Move]:
        """Return the entries of the clubs' games, each with the hash of the one before."""
        before = Move.objects.filter(game=OuterRef("game"), seq=OuterRef("seq") - 1)
        rows = super().get_queryset(request).select_related("game")
        return rows.annotate(before=Subquery(before.values("hash")))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Move], search_term: str
    ) -> tuple[QuerySet[Move], bool]:
        """Return the entries that a term finds, as `moves_found` says."""
        return (moves_found(queryset, search_term) if search_term else queryset), False

    @display(description=_("what happened"))
    def sentence(self, move: Move) -> str:
        """Return the entry in words that a spectator may read."""
        if move.seq == 1:
            return str(_("opens the game"))
        return log.in_words(move.game, move)

    @display(description=_("game"))
    def game_title(self, move: Move) -> str:
        """Return which game it is, with the way to it."""
        address = reverse("admin:games_game_change", args=[move.game_id])
        return format_html('<a href="{}">{}</a>', address, ruleset_title(move.game.ruleset))

    @display(description=_("player"))
    def player(self, move: Move) -> str:
        """Return whose seat it was; an arbiter and the house have none."""
        return self._with_names(move).whose or "–"

    @display(description=_("account"))
    def account_name(self, move: Move) -> str:
        """Return who made the entry."""
        return self._with_names(move).by or "–"

    def _with_names(self, move: Move) -> Any:
        return move if hasattr(move, "by") else self.prepared([move])[0]

    @display(description=_("chain"))
    def link(self, move: Move) -> str:
        """Return whether the entry's hash fits what it says and the entry before."""
        return _fits(move)

    @display(description=_("check of the whole log"))
    def verified(self, move: Move) -> str:
        """Return what the verifier says of the game's log."""
        return game_in_words(move.game)

    @display(description=_("replay"))
    def replay(self, move: Move) -> str:
        """Return the way to the table as it was after the entry."""
        address = reverse("game", args=[move.game_id])
        return format_html('<a href="{}?at={}">{}</a>', address, move.seq, _("Look at it"))


def _fits(entry: Any) -> str:
    """Return the mark of an entry that carries the hash ``before`` it."""
    fits = chain.link(entry.before or chain.ORIGIN, entry.as_json()) == entry.hash
    return "✓" if fits else str(_("broken"))

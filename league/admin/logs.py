"""Both logs on the desk: to be searched and read. What is in them is changed by no form."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from games import log
from games.models import Move
from league import selectors
from league.admin.scope import OfClubs
from league.admin.site import desk
from league.models import Event
from league.templatetags.trefoil import ruleset_title
from league.views.happenings import Happening, happenings


@admin.register(Event, site=desk)
class EventAdmin(OfClubs[Event]):
    """What happened in competitions, by whom, when and why."""

    club_path = "competition__club"
    list_display = ("seq", "sentence", "competition", "role", "account_name", "at")
    list_display_links = ("seq",)
    list_filter = (("competition", admin.RelatedOnlyFieldListFilter), "role", "at")
    list_select_related = ("competition",)
    search_fields = ("competition__name", "event__type", "event__reason", "event__name")
    ordering = ("-at", "-seq")
    fields = ("competition", "seq", "sentence", "role", "account_name", "at", "event", "hash")

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
    list_display = ("seq", "sentence", "game_title", "role", "seat", "account_name", "at")
    list_filter = ("role", "at")
    list_select_related = ("game__place__competition",)
    search_fields = ("game__id", "move__type", "move__reason")
    search_help_text = _("A game’s id, a type of move, or words of a reason")
    ordering = ("-at", "-seq")
    fields = ("game", "seq", "sentence", "role", "seat", "account_name", "at", "move", "hash")

    def prepared(self, rows: list[Move]) -> list[Move]:
        """Return the entries with the names of their accounts, asked for together."""
        names = selectors.account_names(move.account for move in rows)
        for move in rows:
            move.by = names.get(move.account or "", "")  # type: ignore[attr-defined]
        return rows

    def get_queryset(self, request: HttpRequest) -> QuerySet[Move]:
        """Return the entries of the clubs' games."""
        return super().get_queryset(request).select_related("game")

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

    @display(description=_("account"))
    def account_name(self, move: Move) -> str:
        """Return who made the entry."""
        by = getattr(move, "by", None)
        return (selectors.account_names([move.account]).get(move.account or "") if by is None else by) or "–"

"""Competitions on the desk: their list, and the pages that set them up, run them and export them."""

from typing import Any, Final

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy

from league.admin.base import display
from league.admin.details import Describing
from league.admin.running import Running
from league.admin.setting_up import SettingUp
from league.admin.site import desk
from league.admin.swaps import Swaps
from league.models import Competition
from league.queries.competitions import all_competitions, with_entry_counts
from league.words.values import ruleset_title

JOINED: Final = ["club"]
"""Rows that are loaded with each competition, to which apps add theirs."""


@admin.register(Competition, site=desk)
class CompetitionAdmin(Describing, Swaps, SettingUp, Running):
    """The clubs' competitions."""

    may_add = True
    add_title = gettext_lazy("Set up a competition")
    list_display = ("name", "game", "state", "step", "round", "number_of_entries", "club", "changed_at")
    list_filter = ("status", "step", ("club", admin.RelatedOnlyFieldListFilter))
    search_fields = ("name", "slug")
    ordering = ("-opened_at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Competition]:
        """Return the competitions with what their list shows."""
        visible = super().get_queryset(request).values("pk")
        return with_entry_counts(all_competitions().select_related(*JOINED).filter(pk__in=visible))

    @display(description=gettext_lazy("game"), ordering="ruleset")
    def game(self, competition: Competition) -> str:
        return ruleset_title(competition.ruleset)

    @display(
        description=gettext_lazy("status"),
        ordering="status",
        label={
            "running": "good",
            "entering": "",
            "paused": "warn",
            "cancelled": "bad",
            "preparing": "",
            "finished": "",
        },
    )
    def state(self, competition: Competition) -> tuple[str, str]:
        return competition.status, competition.get_status_display()

    @display(description=gettext_lazy("entries"), ordering="entry_count")
    def number_of_entries(self, competition: Competition) -> Any:
        return getattr(competition, "entry_count", 0)

    def view_on_site(self, competition: Competition) -> str:
        return reverse("competition", args=[competition.slug])

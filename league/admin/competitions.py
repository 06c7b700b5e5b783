"""Competitions on the desk: their list. They are set up in one form, and run from one page."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy
from unfold.decorators import display

from league import selectors
from league.admin.files import WithFiles
from league.admin.prints import WithPrints
from league.admin.running import Running
from league.admin.setting_up import SettingUp
from league.admin.site import desk
from league.models import Competition
from league.templatetags.trefoil import ruleset_title


@admin.register(Competition, site=desk)
class CompetitionAdmin(WithFiles, WithPrints, SettingUp, Running):
    """The clubs' competitions."""

    may_add = True
    list_display = ("name", "game", "state", "step", "round", "number_of_places", "club", "changed_at")
    list_filter = ("status", "step", ("club", admin.RelatedOnlyFieldListFilter))
    search_fields = ("name", "slug")
    ordering = ("-opened_at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Competition]:
        """Return the competitions with what their list shows."""
        mine = super().get_queryset(request).values("pk")
        return selectors.with_places(selectors.competitions()).filter(pk__in=mine)

    @display(description=gettext_lazy("game"), ordering="ruleset")
    def game(self, competition: Competition) -> str:
        """Return what is played."""
        return ruleset_title(competition.ruleset)

    @display(
        description=gettext_lazy("status"),
        ordering="status",
        label={
            "running": "success",
            "entering": "info",
            "paused": "warning",
            "cancelled": "danger",
            "preparing": "default",
            "finished": "default",
        },
    )
    def state(self, competition: Competition) -> tuple[str, str]:
        """Return where it stands."""
        return competition.status, competition.get_status_display()

    @display(description=gettext_lazy("entries"), ordering="places")
    def number_of_places(self, competition: Competition) -> Any:
        """Return how many take part."""
        return getattr(competition, "places", 0)

    def view_on_site(self, competition: Competition) -> str:
        """Return where the competition's page is."""
        return reverse("competition", args=[competition.slug])

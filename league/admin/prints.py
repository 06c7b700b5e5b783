"""What an organiser prints of a competition: what everybody may, and rounds that aren't published yet."""

from typing import Final
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.pages import OfCompetitions
from league.sheets import NoForm
from league.views.sheets import answered

PRINTS: Final = (
    ("pairings", gettext_lazy("Pairings of the round")),
    ("cards", gettext_lazy("Table cards")),
    ("sheets", gettext_lazy("Score sheets")),
    ("standings", gettext_lazy("Standings")),
)
"""What can be printed by name, each with its title, as the competition's page offers it."""


class WithPrints(OfCompetitions):
    """An admin of competitions that can be printed."""

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses and that of a competition's prints."""
        view = self.admin_site.admin_view(self.print_view)
        return [
            path("<uuid:pk>/print/<slug:kind>.pdf", view, name="league_competition_print"),
            *super().get_urls(),
        ]

    def print_view(self, request: HttpRequest, pk: UUID, kind: str) -> HttpResponse:
        """Return a print; go back and say so for a game without score sheets, and where nothing is drawn."""
        competition = self.found(request, str(pk))
        try:
            return answered(request, competition, kind, drawn=True)
        except NoForm as refusal:
            messages.error(request, refusal.sentence)
        except LookupError:
            messages.error(request, _("There is nothing to print yet."))
        return redirect("admin:league_competition_change", competition.pk)

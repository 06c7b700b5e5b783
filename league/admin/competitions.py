"""Competitions on the desk: set up in one form, and run from one page by verbs that are events."""

from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.decorators import display

from league import selectors
from league.admin.files import FILES, WithFiles
from league.admin.scope import said
from league.admin.setting_up import SettingUp
from league.admin.site import desk
from league.admin.steps import next_step
from league.admin.verbs import VERBS, Verb, offered
from league.models import Competition
from league.templatetags.trefoil import ruleset_title
from league.views.callers import caller
from league.views.happenings import happenings

EVENTS_SHOWN = 15


@admin.register(Competition, site=desk)
class CompetitionAdmin(WithFiles, SettingUp):
    """The clubs' competitions."""

    may_add = True
    list_display = ("name", "game", "state", "round", "number_of_places", "club", "changed_at")
    list_filter = ("status", ("club", admin.RelatedOnlyFieldListFilter))
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

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses and one for every verb."""
        act = self.admin_site.admin_view(self.act)
        return [path("<uuid:pk>/do/<slug:verb>/", act, name="league_competition_act"), *super().get_urls()]

    # ---- Running ---------------------------------------------------------------------------------

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the competition: what it waits for, what can be done, its rounds, entries and log."""
        competition = self.found(request, object_id)
        step = next_step(competition)
        rounds = list(selectors.rounds_of(competition, drawn=True)[:1])
        context = {
            "competition": competition,
            "original": competition,
            "step": step,
            "verbs": offered(competition, step.key) if self.directs(request, competition) else [],
            "latest": rounds[0] if rounds else None,
            "entries": selectors.entries_of(competition),
            "happenings": happenings(list(selectors.events_of(competition, withheld=True)[:EVENTS_SHOWN])),
            "zone": competition.club.timezone,
            "files": FILES,
        }
        return self.shown(request, "admin/competition.html", competition.name, context)

    def act(self, request: HttpRequest, pk: UUID, verb: str) -> HttpResponse:
        """Ask what a verb needs and whether it is meant; on POST do it and go back to the competition."""
        competition = self.found(request, str(pk))
        if not self.directs(request, competition):
            raise PermissionDenied
        if verb not in VERBS:
            raise Http404
        return self._asked(request, competition, VERBS[verb])

    def _asked(self, request: HttpRequest, competition: Competition, verb: Verb) -> HttpResponse:
        posted = request.POST if request.method == "POST" else None
        form = verb.form(posted, competition=competition, table=request.GET.get("table", ""))
        if request.method == "POST" and form.is_valid():
            return said(request, lambda: self._done(request, competition, verb, form.told))
        context = {"competition": competition, "original": competition, "verb": verb, "form": form}
        return self.shown(request, "admin/competition_act.html", str(verb.title), context)

    def _done(
        self, request: HttpRequest, competition: Competition, verb: Verb, told: dict[str, Any]
    ) -> HttpResponse:
        verb.act(by=caller(request), competition=competition, **told)
        messages.success(request, _("Done: %(verb)s.") % {"verb": str(verb.title)})
        return redirect("admin:league_competition_change", competition.pk)

    def view_on_site(self, competition: Competition) -> str:
        """Return where the competition's page is."""
        return reverse("competition", args=[competition.slug])

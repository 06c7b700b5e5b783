"""Competitions on the desk: their list, and the pages that set them up, run them and export them."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import rules
from games.engine.values import replace
from league.admin.base import display
from league.admin.details import Describing
from league.admin.running import Running
from league.admin.setting_up import Setting, SettingUp, SetupForm, Typed
from league.admin.site import desk
from league.admin.stage_form import EXAMPLE
from league.admin.swaps import Swaps
from league.admin.verbs import FORMS, VerbForm
from league.core.presets import Preset
from league.models import Club, Competition
from league.queries.competitions import all_competitions, entered_last, state_then, with_entry_counts
from league.words.values import ruleset_title

JOINED: Final = ["club"]
"""Rows that are loaded with each competition, to which apps add theirs."""
ANNOTATED: Final[dict[str, Any]] = {}
"""What else apps have asked of each competition, with the query that loads it."""


class SettingsForm(VerbForm):
    """The settings of a competition that can be changed until its first draw."""

    part = "admin/competition_settings.html"

    def offer(self) -> None:
        """Create the field of the reason, and the form of the settings as they are."""
        self.fields["reason"] = self._field("reason", self.declared["reason"])
        sent, now = self.data.get("made_from", ""), self.competition.seq
        made_from = int(sent) if sent.isdecimal() and len(sent) < 10 else now
        self.made_from = made_from if 0 < made_from < now else now
        """The number of the log's entry after which the settings were as the form had them at first."""
        self.setup = self._setup(self.data if self.is_bound else None)

    def _setup(self, data: Any = None, typed: Typed | None = None) -> SetupForm:
        state = state_then(self.competition, self.made_from)
        opening = replace(state.opening, stages=state.plans)
        preset = Preset.of(opening, title=opening.name)
        club = Club.objects.filter(pk=self.competition.club_id)
        entered = len([each for each in state.entries if each.live]) or entered_last(club) or EXAMPLE
        setting = Setting(rules.find(opening.ruleset), preset, "", club, set_up=True, entries=entered)
        return SetupForm(data, setting=setting, typed=typed)

    def renew(self) -> None:
        """Offer the settings as they are now, and what was altered of them."""
        altered = self.setup.altered()
        self.competition.refresh_from_db()
        self.made_from = self.competition.seq
        self.setup = self._setup(typed=altered)

    def is_valid(self) -> bool:
        """Return whether the form and its settings are valid."""
        return all([super().is_valid(), self.setup.is_valid()])

    def values(self) -> dict[str, Any]:
        untouched = SetupForm(setting=self.setup.setting)
        settings = _altered(self.setup.settings(), untouched.settings())
        for stage, plan in zip(settings["stages"], self.state.plans, strict=False):
            if "params" in stage:  # replaced as a whole
                stage["params"] = {**plan.params, **stage["params"]}
        return {"settings": settings, "reason": self.cleaned_data["reason"]}

    def refuse(self, errors: Mapping[str, Sequence[str]]) -> None:
        """Add a service's errors to the settings that they name."""
        self.setup.refuse({path.removeprefix("settings."): each for path, each in errors.items()})
        self.add_error(None, _("Please correct the fields below."))


def _altered(sent: Mapping[str, Any], offered: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of what was sent that differ from what was offered."""
    found: dict[str, Any] = {}
    for name, value in sent.items():
        was = offered[name]
        if name == "stages":
            found[name] = [_altered(stage, same) for stage, same in zip(value, was, strict=False)]
        elif value != was:
            found[name] = _altered(value, was) if isinstance(value, Mapping) else value
    return found


FORMS["change-settings"] = SettingsForm


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
        return with_entry_counts(
            all_competitions().select_related(*JOINED).annotate(**ANNOTATED).filter(pk__in=visible)
        )

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

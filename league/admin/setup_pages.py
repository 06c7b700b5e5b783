"""The pages that set up a competition: first the game and the kind, then everything in one form."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from games import rules
from league.admin.base import ClubScopedAdmin, directed_ids
from league.admin.setup_form import COUNT, ONLY, Setting, SetupForm, games_to_choose, preset_of
from league.core import formats
from league.core.presets import PRESETS
from league.models import Competition
from league.queries.clubs import all_clubs
from league.words.messages import translated


class SettingUp(ClubScopedAdmin[Competition]):
    """The pages that set up a competition."""

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask for the game and a preset, then for a name and any changes to the preset."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if "ruleset" not in request.GET:
            return self._choice(request)
        setting = _setting(request)
        form = SetupForm(request.POST if request.method == "POST" else None, setting=setting)
        if form.is_bound and (change := _stage_change(request)):
            form = form.resized(change)
        elif form.is_bound and "_options" in request.POST:
            form = form.with_options()
        elif form.is_bound and (created := form.save(request)):
            messages.success(request, _("%(name)s is set up.") % {"name": created.name})
            return redirect("admin:league_competition_change", created.pk)
        title = _("Set up a competition: %(game)s") % {"game": translated(form.ruleset.title)}
        context = {"form": form, "preset": setting.preset, "variant": setting.variant, "counted": COUNT}
        return self.render_page(request, "admin/competition_form.html", title, context)

    def _choice(self, request: HttpRequest) -> HttpResponse:
        context = {
            "games": games_to_choose(),
            "presets": PRESETS.values(),
            "formats": formats.BY_KEY.values(),
            "only": ONLY,
        }
        return self.render_page(request, "admin/competition_choose.html", _("Set up a competition"), context)


def _stage_change(request: HttpRequest) -> int:
    """Return how many stages the pressed button adds: 1, -1 or 0."""
    return ("_more" in request.POST) - ("_fewer" in request.POST)


def _setting(request: HttpRequest) -> Setting:
    """Return what the address asks to set up; raise Http404 for an unknown game, preset or variant."""
    key, variant = request.GET["ruleset"], request.GET.get("options", "")
    if key not in rules.NEWEST:
        raise Http404
    ruleset = rules.NEWEST[key]
    preset = preset_of(request.GET.get("plan", f"{ONLY}{next(iter(formats.BY_KEY))}"), ruleset)
    if preset is None or (variant and variant not in ruleset.presets):
        raise Http404
    return Setting(ruleset, preset, variant, all_clubs().filter(pk__in=directed_ids(request)))

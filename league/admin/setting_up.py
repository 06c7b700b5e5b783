"""Setting up a competition: first what is played and how, then everything in one form."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from games import rules
from league import formats, selectors
from league.admin.opening import COUNT, ONLY, OpeningForm, Setting, games_to_choose, preset_of
from league.admin.pages import OfCompetitions
from league.admin.scope import directed
from league.formats.presets import PRESETS


class SettingUp(OfCompetitions):
    """The pages that set a competition up."""

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Ask for the game and a preset, then for a name and whatever is to be otherwise."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if "ruleset" not in request.GET:
            return self._choice(request)
        setting = _setting(request)
        form = OpeningForm(request.POST if request.method == "POST" else None, setting=setting)
        if form.is_bound and (change := _change(request)):
            form = form.reshaped(change)
        elif form.is_bound and form.is_valid() and (made := form.opened(request)):
            messages.success(request, _("%(name)s is set up.") % {"name": made.name})
            return redirect("admin:league_competition_change", made.pk)
        title = _("Set up a competition: %(game)s") % {"game": form.ruleset.title}
        context = {"form": form, "preset": setting.preset, "variant": setting.variant, "counted": COUNT}
        return self.shown(request, "admin/competition_form.html", title, context)

    def _choice(self, request: HttpRequest) -> HttpResponse:
        context = {
            "games": games_to_choose(),
            "presets": PRESETS.values(),
            "formats": formats.FORMATS,
            "only": ONLY,
        }
        return self.shown(request, "admin/competition_choose.html", _("Set up a competition"), context)


def _change(request: HttpRequest) -> int:
    """Return by how many stages the button that was pressed changes the form."""
    return ("_more" in request.POST) - ("_fewer" in request.POST)


def _setting(request: HttpRequest) -> Setting:
    """Return what the address asks to set up; raise Http404 for what isn't here."""
    key, variant = request.GET["ruleset"], request.GET.get("options", "")
    if key not in rules.NEWEST:
        raise Http404
    ruleset = rules.NEWEST[key]
    preset = preset_of(request.GET.get("plan", f"{ONLY}{formats.FORMATS[0].key}"), ruleset)
    if preset is None or (variant and variant not in ruleset.presets):
        raise Http404
    return Setting(ruleset, preset, variant, selectors.clubs().filter(pk__in=directed(request)))

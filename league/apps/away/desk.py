"""The desk's page with the days on which a player is away; its form is on the person's own page, too."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.refusals import Illegal, Malformed
from league import hooks
from league.admin.base import AppPage, reporting_refusals
from league.admin.players import PlayerAdmin
from league.apps.away.queries import away_of
from league.apps.away.services import GONE, drop_away, say_away
from league.forms import add_errors
from league.models import Account, Player
from league.requests import account_in


class AwayForm(forms.Form):
    """From when until when somebody is away."""

    since = forms.DateField(label=gettext_lazy("From"), widget=forms.DateInput({"type": "date"}))
    until = forms.DateField(label=gettext_lazy("Until"), widget=forms.DateInput({"type": "date"}))


def keep_days(by: Account, form: AwayForm, players: Iterable[Player]) -> bool:
    """Keep the days of a valid form for players; return whether they are: otherwise the form says why not."""
    try:
        with transaction.atomic():
            for player in players:
                say_away(by=by, player=player, **form.cleaned_data)
    except Malformed as refusal:
        add_errors(form, {path: [*each] for path, each in refusal.errors.items()})
    return form.is_valid()


def drop_days(by: Account, away: str) -> None:
    """Forget days by the id that a form has; raises `Illegal` and PermissionDenied."""
    try:
        drop_away(by=by, away=UUID(away))
    except ValueError:
        raise Illegal(GONE) from None


def away_page(admin: PlayerAdmin, request: HttpRequest, player: Player) -> HttpResponse:
    """Show when a player is away; on POST keep another time, or drop one."""
    if player.anonymous:
        raise Http404
    by, sent = account_in(request), request.POST if request.method == "POST" else None
    if sent and (dropped := sent.get("drop")):
        return reporting_refusals(request, lambda: _dropped(request, player, dropped))
    form = AwayForm(sent)
    if sent and form.is_valid() and keep_days(by, form, [player]):
        messages.success(request, _("Saved."))
        return redirect("admin:league_player_away", player.pk)
    context = {"original": player, "form": form, **_known({"player": player})}
    return admin.render_page(request, "away/desk.html", _("Days away"), context)


def _dropped(request: HttpRequest, player: Player, away: str) -> HttpResponse:
    drop_days(account_in(request), away)
    messages.success(request, _("Saved."))
    return redirect("admin:league_player_away", player.pk)


def _known(page: Mapping[str, Any]) -> Mapping[str, Any]:
    player = page["player"]
    return {"away": away_of(Player.objects.filter(pk=player.pk)) if player else ()}


hooks.GIVEN["away/at_desk_player.html"] = _known
PlayerAdmin.app_pages["away"] = AppPage(away_page)

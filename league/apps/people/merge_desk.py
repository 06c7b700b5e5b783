"""The desk's pages that merge two players who are one person, and that remove one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.messages import filled
from league.admin.base import reporting_refusals
from league.admin.fields import RowField, narrow
from league.admin.players import PlayerAdmin
from league.apps.people.queries import logs_naming, merging
from league.apps.people.services import merge_players
from league.models import Player
from league.queries.clubs import has_played, players_of, still_playing
from league.queries.names import near_players
from league.requests import account_in
from league.services.players import remove_player
from league.words.messages import translated


class OtherForm(forms.Form):
    """Who is the same person."""

    other = RowField(Player.objects.none(), label=gettext_lazy("Who is the same person?"))

    def __init__(self, *args: Any, others: QuerySet[Player], find: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["other"].queryset = others  # type: ignore[attr-defined]
        narrow(self.fields["other"], find)


def merge_page(admin: PlayerAdmin, request: HttpRequest, player: Player) -> HttpResponse:
    """Ask who the same person is, show what would happen either way, and on POST merge the two."""
    find = request.GET.get("find-other", "")
    others = players_of(player.club).exclude(pk=player.pk).filter(anonymous=False)
    form = OtherForm(request.GET or None, others=others, find=find)
    other = form.cleaned_data["other"] if "other" in request.GET and form.is_valid() else None
    if request.method == "POST" and other is not None:
        pair = (player, other) if request.POST.get("keep") == str(player.pk) else (other, player)
        return reporting_refusals(request, lambda: _merged(request, *pair))
    ways = (merging(player, other), merging(other, player)) if other else ()
    context = {
        "original": player,
        "form": form if other else OtherForm(others=others, find=find),
        "other": other,
        "near": others.filter(name__in=near_players(others, player.name)),
        "ways": [(way, [translated(each) for each in way.refusals]) for way in ways],
    }
    return admin.render_page(request, "people/merge.html", _("Merge players"), context)


def _merged(request: HttpRequest, kept: Player, merged: Player) -> HttpResponse:
    merge_players(by=account_in(request), kept=kept, merged=merged)
    sentence = _("%(merged)s is merged: all results count for %(kept)s.")
    messages.success(request, filled(sentence, {"merged": merged.name, "kept": kept.name}))
    return redirect("admin:league_player_change", kept.pk)


def remove_page(admin: PlayerAdmin, request: HttpRequest, player: Player) -> HttpResponse:
    """Show what becomes of a player who is removed; on POST remove the player."""
    if request.method == "POST":
        return reporting_refusals(request, lambda: _removed(request, player))
    context = {
        "original": player,
        "played": has_played(player),
        "competitions": logs_naming(player),
        "playing": [translated(each) for each in still_playing(player)],
    }
    return admin.render_page(request, "people/remove.html", _("Remove a player"), context)


def _removed(request: HttpRequest, player: Player) -> HttpResponse:
    name, left = player.name, remove_player(by=account_in(request), player=player)
    if left is None:
        messages.success(request, _("%(name)s is removed.") % {"name": name})
    else:
        messages.success(request, _("The player is “%(name)s” from now on.") % {"name": left.name})
    return redirect("admin:league_player_changelist")

"""The pages that merge two players, and that remove one."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.messages import filled
from league.admin.base import ClubScopedAdmin, reporting_refusals
from league.admin.fields import RowField, narrow
from league.models import Player
from league.queries.clubs import players_of
from league.queries.names import near_players
from league.queries.people import has_played, logs_naming, merging, still_playing
from league.requests import account_in
from league.services.people import merge_players, remove_player
from league.words.messages import translated


class OtherForm(forms.Form):
    """Who is the same person."""

    other = RowField(Player.objects.none(), label=gettext_lazy("Who is the same person?"))

    def __init__(self, *args: Any, player: Player, find: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = players_of(player.club).exclude(pk=player.pk).filter(anonymous=False)
        self.fields["other"].queryset = others  # type: ignore[attr-defined]
        narrow(self.fields["other"], find)


class People(ClubScopedAdmin[Player]):
    """The pages beside a player's form."""

    below_form = "admin/player_acts.html"

    def get_urls(self) -> list[URLPattern]:
        """Return the admin's addresses, and those to merge and to remove a player."""
        return [
            self.page_url("<uuid:pk>/merge/", self.merge_view, "merge"),
            self.page_url("<uuid:pk>/remove/", self.remove_view, "remove"),
            *super().get_urls(),
        ]

    def row_context(self, request: HttpRequest, row: Player | None) -> dict[str, Any]:
        """Return the player for the buttons, where the caller may use them."""
        return {"player": row if row and self.directs(request, row) and not row.anonymous else None}

    def _player(self, request: HttpRequest, pk: UUID) -> Player:
        player = self.get_row(request, pk)
        if not self.directs(request, player):
            raise PermissionDenied
        return player

    def merge_view(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Ask who the same person is, show what would happen either way, and on POST merge the two."""
        player = self._player(request, pk)
        form = OtherForm(request.GET or None, player=player, find=request.GET.get("find-other", ""))
        other = form.cleaned_data["other"] if "other" in request.GET and form.is_valid() else None
        if request.method == "POST" and other is not None:
            pair = (player, other) if request.POST.get("keep") == str(player.pk) else (other, player)
            return reporting_refusals(request, lambda: self._merged(request, *pair))
        near = players_of(player.club).filter(name__in=near_players(player.club, player.name, most=5))
        ways = (merging(player, other), merging(other, player)) if other else ()
        context = {
            "original": player,
            "form": form if other else OtherForm(player=player, find=request.GET.get("find-other", "")),
            "other": other,
            "near": near.exclude(pk=player.pk).filter(anonymous=False),
            "ways": [(way, [translated(each) for each in way.refusals]) for way in ways],
        }
        return self.render_page(request, "admin/player_merge.html", _("Merge players"), context)

    def _merged(self, request: HttpRequest, kept: Player, merged: Player) -> HttpResponse:
        merge_players(by=account_in(request), kept=kept, merged=merged)
        sentence = _("%(merged)s is merged: all results count for %(kept)s.")
        messages.success(request, filled(sentence, {"merged": merged.name, "kept": kept.name}))
        return redirect(f"admin:{self.url_name('change')}", kept.pk)

    def remove_view(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Show what becomes of a player who is removed; on POST remove the player."""
        player = self._player(request, pk)
        if request.method == "POST":
            return reporting_refusals(request, lambda: self._removed(request, player))
        context = {
            "original": player,
            "played": has_played(player),
            "competitions": logs_naming(player),
            "playing": [translated(each) for each in still_playing(player)],
        }
        return self.render_page(request, "admin/player_remove.html", _("Remove a player"), context)

    def _removed(self, request: HttpRequest, player: Player) -> HttpResponse:
        name, left = player.name, remove_player(by=account_in(request), player=player)
        if left is None:
            messages.success(request, _("%(name)s is removed.") % {"name": name})
        else:
            messages.success(request, _("The player is “%(name)s” from now on.") % {"name": left.name})
        return redirect(f"admin:{self.url_name('changelist')}")

"""The desk's page with what a player wishes for draws."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.messages import both, filled
from games.engine.refusals import Malformed
from league import hooks
from league.admin.base import AppPage, reporting_refusals
from league.admin.consequences import ALTHOUGH, OF_APPS, Warned
from league.admin.fields import ChoiceField, RowField, TextField, narrow
from league.admin.players import PlayerAdmin
from league.apps.wishes.models import PlayerWish, WishKind
from league.apps.wishes.queries import against, partners_apart, wishes_of
from league.apps.wishes.services import drop_wish, keep_wish
from league.core.verb import Verb
from league.core.verbs.draw import DrawRound
from league.core.verbs.start import StartCompetition
from league.forms import add_errors
from league.models import Competition, Player
from league.models.names import printable
from league.queries.clubs import ids_of, players_of
from league.requests import account_in
from league.words.messages import shown_name, translated


class WishForm(forms.Form):
    """What a player wishes, and for whom."""

    kind = ChoiceField(label=gettext_lazy("Wish"), choices=WishKind.choices)
    other = RowField(
        Player.objects.none(),
        label=gettext_lazy("With whom"),
        required=False,
        help_text=gettext_lazy("Not for a table."),
    )
    table = forms.IntegerField(
        label=gettext_lazy("Table"),
        required=False,
        min_value=1,
        max_value=1000,
        help_text=gettext_lazy("Its number, for a table alone: it moves, opponents are drawn as ever."),
    )
    possible = forms.BooleanField(
        label=gettext_lazy("Only if possible"),
        required=False,
        help_text=gettext_lazy(
            "What can’t be avoided happens to those low in the standings. Otherwise no draw that breaks it "
            "is made."
        ),
    )
    reason = TextField(
        label=gettext_lazy("Reason"),
        required=False,
        max_length=200,
        validators=[printable],
        help_text=gettext_lazy(
            "Only organisers of the club see it, on this page alone: not on that of the other player."
        ),
    )
    instead = forms.BooleanField(label=gettext_lazy("Replace it, with its reason"), required=False)

    def __init__(self, *args: Any, player: Player, find: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = players_of(player.club).exclude(pk=player.pk).filter(anonymous=False)
        self.fields["other"].queryset = others  # type: ignore[attr-defined]
        narrow(self.fields["other"], find)


def wishes_page(admin: PlayerAdmin, request: HttpRequest, player: Player) -> HttpResponse:
    """Show what a player wishes for draws; on POST keep another wish, or drop one."""
    if player.anonymous:
        raise Http404
    if dropped := request.POST.get("drop"):
        return reporting_refusals(request, lambda: _dropped(request, player, dropped))
    sent = request.POST if request.method == "POST" else None
    form = WishForm(sent, player=player, find=request.GET.get("find-other", ""))
    if sent and form.is_valid() and _kept(request, player, form):
        messages.success(request, _("Saved."))
        return redirect("admin:league_player_wishes", player.pk)
    if not form.has_error("instead"):
        del form.fields["instead"]
    context = {"original": player, "form": form, "wishes": _told(player)}
    return admin.render_page(request, "wishes/wishes.html", _("Wishes for draws"), context)


def _kept(request: HttpRequest, player: Player, form: WishForm) -> bool:
    values = dict(form.cleaned_data)
    values["always"] = not values.pop("possible")
    try:
        keep_wish(by=account_in(request), player=player, **values)
    except Malformed as refusal:
        errors = {path: [*each] for path, each in refusal.errors.items()}
        if "instead" in errors:
            errors["instead"] = [_kept_already(player, values)]
        add_errors(form, errors)
    return form.is_valid()


def _kept_already(player: Player, values: Mapping[str, Any]) -> str:
    about = None if values["kind"] == WishKind.TABLE else values["other"]
    wish = PlayerWish(player=player, other=about, kind=values["kind"], always=values["always"])
    said = [
        _("always at table %(number)s") % {"number": kept.table} if kept.table else str(kept)
        for kept in against(wish)
    ]
    told = _("This contradicts: “%(wish)s”. Nothing is saved yet.")
    return filled(told, {"wish": translated(both(said))})


def _dropped(request: HttpRequest, player: Player, wish: str) -> HttpResponse:
    drop_wish(by=account_in(request), player=player, wish=wish)
    messages.success(request, _("The wish is gone."))
    return redirect("admin:league_player_wishes", player.pk)


def _told(player: Player) -> list[tuple[PlayerWish, Player | None, str]]:
    """Return the wishes of a player or about one, each with the other whom it is about, and the reason.

    The reason is that of who wishes it, and is not told beside the other's name.
    """
    mine = {*ids_of(pk=player.pk)}
    found = []
    for wish in wishes_of(player):
        other = wish.other if wish.player_id in mine else wish.player
        wishes = wish.other_id if wish.by_other else wish.player_id
        found.append((wish, other, wish.reason if wishes in mine else ""))
    return found


def _known(page: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"wishes": _told(page["player"]) if page["player"] else []}


def _partners(competition: Competition, verb: type[Verb], _entries: Collection[str]) -> Iterator[Warned]:
    """Yield whose wish not to meet can't be kept, before the start and each draw."""
    if issubclass(verb, StartCompetition | DrawRound):
        yield from (Warned(told) for told in _as_partners(competition.pk, None))


def _as_partners(competition: UUID, among: Collection[str] | None) -> Iterator[str]:
    for names in partners_apart(competition, among):
        told = _("%(names)s wish not to be at one table, and are partners of one entry: no draw keeps that.")
        yield filled(told, {"names": translated(both([*map(shown_name, names)]))})


OF_APPS.append(_partners)
ALTHOUGH.append(_as_partners)
hooks.GIVEN["wishes/at_desk_player.html"] = _known
PlayerAdmin.app_pages["wishes"] = AppPage(wishes_page)

"""Play now: whoever comes chooses a game, the bots and the length, and plays without an account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from games.engine.lengths import length_of, length_proposed
from games.engine.refusals import Malformed, Refusal
from league.apps.practice.queries import ended_of, games_to_practise, last_of, running_of, seats_to_practise
from league.apps.practice.services import open_practice
from league.choices import BotLevel
from league.forms import add_errors
from league.queries.accounts import zone_for
from league.queries.games import GUEST_SEAT
from league.requests import keep_guest, spectator_or_account, visitor_in
from league.web.endings import headline, sides_in
from league.web.holders import client_of
from league.words.messages import translated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest

    from games.engine.replay import AnyRuleset
    from games.models import Game
    from league.hooks import Visitor
    from league.web.endings import Side


def _levels() -> list[tuple[str, str]]:
    return [(name, str(capfirst(title))) for name, title in BotLevel.choices]


class PracticeForm(forms.Form):
    """How one game is played: how strong the bots are, with how many, and how long."""

    level = forms.ChoiceField(
        label=gettext_lazy("Strength of the bots"), choices=_levels, widget=forms.RadioSelect
    )

    def __init__(self, ruleset: AnyRuleset, before: Game | None, data: Any = None) -> None:
        """Offer what the ruleset allows, at first as in the game ``before``, or as proposed."""
        super().__init__(data, auto_id=f"{ruleset.key}-%s", initial=_initial(ruleset, before))
        self.ruleset = ruleset
        if ruleset.lengths:
            lengths = [(each.name, capfirst(translated(each.title))) for each in ruleset.lengths]
            self.fields["length"] = forms.ChoiceField(
                label=_("Length"), choices=lengths, widget=forms.RadioSelect
            )
        self.fields["seats"] = forms.TypedChoiceField(
            label=_("Players, you included"), choices=[(count, count) for count in ruleset.seats], coerce=int
        )

    @property
    def title(self) -> str:
        """Return the name of the game."""
        return translated(self.ruleset.title)


def _initial(ruleset: AnyRuleset, before: Game | None) -> dict[str, Any]:
    proposed = length_proposed(ruleset.lengths)
    if before is None:
        length = proposed
        chosen = {"level": BotLevel.EASY, "seats": seats_to_practise(ruleset)}
    else:
        length = length_of(ruleset.lengths, before.options) or proposed
        chosen = {"level": before.practice_game.level, "seats": before.seats.count()}
    return {**chosen, "length": length.name if length else ""}


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Show the games that have bots, and those that the visitor plays and has played.

    A POST begins a game and shows it.
    """
    visitor = visitor_in(request, spectator_or_account(request))
    forms_shown = _forms(request, visitor)
    begun = next((form for form in forms_shown if form.is_bound), None)
    if begun and begun.is_valid() and (game := _begun(begun, request, visitor)):
        return keep_guest(redirect("game", game.pk), visitor)
    context = {
        "zone": zone_for(visitor.account, None, visitor.zone),
        "forms": forms_shown,
        "refused": begun,
        "running": running_of(visitor),
        "ended": _ended(visitor),
    }
    return render(request, "practice/page.html", context, status=422 if request.method == "POST" else 200)


def _ended(visitor: Visitor) -> list[tuple[Game, str, Sequence[Side]]]:
    """Return the visitor's last games that are over, each with who has won and its sides."""
    found = [(game, sides_in(game.result or {}, seats, GUEST_SEAT)) for game, seats in ended_of(visitor)]
    return [(game, headline(sides), sides) for game, sides in found]


def _forms(request: HttpRequest, visitor: Visitor) -> list[PracticeForm]:
    """Return a form for each game; the one that was sent holds what was chosen."""
    before, sent = last_of(visitor), request.POST.get("ruleset")
    return [
        PracticeForm(ruleset, before.get(ruleset.key), request.POST if ruleset.key == sent else None)
        for ruleset in games_to_practise()
    ]


def _begun(form: PracticeForm, request: HttpRequest, visitor: Visitor) -> Game | None:
    """Return the game that was chosen; where it is refused, the form says why."""
    try:
        return open_practice(
            visitor=visitor, address=client_of(request), ruleset=form.ruleset.key, **form.cleaned_data
        )
    except Malformed as refusal:
        add_errors(form, refusal.errors)
    except Refusal as refusal:
        form.add_error(None, translated(refusal.sentence))
    return None


urlpatterns = [path("play/", page, name="practice")]

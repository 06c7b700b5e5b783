"""Play now: a guest chooses a game, the bots and the length, and plays without an account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.shortcuts import redirect, render
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from games.engine.lengths import length_of
from games.engine.refusals import Malformed, Refusal
from league.choices import BotLevel
from league.forms import add_errors
from league.queries.practice import games_to_practise, last_of, running_of, seats_to_practise
from league.services.practice import open_practice
from league.web.holders import client_of, guest_in, keep_guest
from league.words.messages import translated

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

    from games.engine.replay import AnyRuleset
    from games.models import Game
    from league.models import PracticeGame


def _levels() -> list[tuple[str, str]]:
    return [(name, str(capfirst(title))) for name, title in BotLevel.choices]


class PracticeForm(forms.Form):
    """How one game is played: how strong the bots are, with how many, and how long."""

    level = forms.ChoiceField(
        label=gettext_lazy("Strength of the bots"), choices=_levels, widget=forms.RadioSelect
    )

    def __init__(self, ruleset: AnyRuleset, before: PracticeGame | None, data: Any = None) -> None:
        """Offer what the ruleset allows, at first as in the guest's game ``before``, or a short game."""
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


def _initial(ruleset: AnyRuleset, before: PracticeGame | None) -> dict[str, Any]:
    shortest = ruleset.lengths[0] if ruleset.lengths else None
    if before is None:
        length = shortest
        chosen = {"level": BotLevel.EASY, "seats": seats_to_practise(ruleset)}
    else:
        length = length_of(ruleset.lengths, before.game.options) or shortest
        chosen = {"level": before.level, "seats": before.game.seats.count()}
    return {**chosen, "length": length.name if length else ""}


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Show the games that have bots, and the guest's own running ones; a POST begins one and shows it."""
    guest = guest_in(request)
    forms_shown = _forms(request, guest)
    begun = next((form for form in forms_shown if form.is_bound), None)
    if begun and begun.is_valid() and (game := _begun(begun, request, guest)):
        return keep_guest(redirect("game", game.pk), guest)
    context = {"forms": forms_shown, "refused": begun, "running": running_of(guest)}
    return render(request, "games/practice.html", context, status=422 if request.method == "POST" else 200)


def _forms(request: HttpRequest, guest: UUID) -> list[PracticeForm]:
    """Return a form for each game; the one that was sent holds what was chosen."""
    before, sent = last_of(guest), request.POST.get("ruleset")
    return [
        PracticeForm(ruleset, before.get(ruleset.key), request.POST if ruleset.key == sent else None)
        for ruleset in games_to_practise()
    ]


def _begun(form: PracticeForm, request: HttpRequest, guest: UUID) -> Game | None:
    """Return the game that was chosen; where it is refused, the form says why."""
    try:
        return open_practice(
            guest=guest, address=client_of(request), ruleset=form.ruleset.key, **form.cleaned_data
        )
    except Malformed as refusal:
        add_errors(form, refusal.errors)
    except Refusal as refusal:
        form.add_error(None, translated(refusal.sentence))
    return None

"""The form of whoever looks for players: the game, how long it is, with how many, and how long they wait."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.utils.html import format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from games import rules
from games.engine.lengths import FULL
from league.forms import NumberField
from league.services.seeks import MINUTES
from league.words.messages import translated
from league.words.values import ruleset_title

MOST_SEATS = max(max(ruleset.seats) for ruleset in rules.RULESETS)


def _games() -> list[tuple[str, str]]:
    return sorted(((key, ruleset_title(key)) for key in rules.NEWEST), key=lambda game: game[1])


def _times() -> list[tuple[int, str]]:
    return [
        (MINUTES // 2, ngettext("%(count)d minute", "%(count)d minutes", 30) % {"count": 30}),
        (MINUTES, _("an hour")),
        (4 * MINUTES, ngettext("%(count)d hour", "%(count)d hours", 4) % {"count": 4}),
        (24 * MINUTES, _("a day")),
        (7 * 24 * MINUTES, _("a week")),
    ]


def _lengths() -> list[tuple[str, str]]:
    return [
        ("short", pgettext("of a game", "short")),
        ("medium", pgettext("of a game", "medium")),
        (FULL, pgettext("of a game", "full")),
    ]


def _meant() -> dict[str, dict[str, str]]:
    """Return what each length means in each game that has a choice, by the game's key."""
    found = {key: rules.NEWEST[key].lengths for key, _title in _games()}
    return {
        key: {each.name: translated(each.title) for each in lengths}
        for key, lengths in found.items()
        if lengths
    }


class SeekForm(forms.Form):
    """The game that somebody wants to play, with how many, and how long they wait."""

    ruleset = forms.ChoiceField(label=gettext_lazy("Game"), choices=_games)
    seats = NumberField(
        label=gettext_lazy("Players, you included"), min_value=1, max_value=MOST_SEATS, initial=2
    )
    length = forms.ChoiceField(label=gettext_lazy("Length"), choices=_lengths, initial=FULL, required=False)
    minutes = forms.TypedChoiceField(
        label=gettext_lazy("Wait at most"), choices=_times, coerce=int, initial=MINUTES
    )
    private = forms.BooleanField(
        label=gettext_lazy("Only for people to whom I give a link"),
        help_text=gettext_lazy(
            "You get a link for each of them. Nobody else sees that you look for players; once the game has "
            "begun, it is shown like any other."
        ),
        required=False,
    )

    def __init__(self, data: Any = None) -> None:
        """Say what the lengths mean in each game; a script says it of the chosen one alone."""
        super().__init__(data)
        meant, length = _meant(), self.fields["length"]
        lines = ((ruleset_title(key), ", ".join(titles.values())) for key, titles in meant.items())
        length.help_text = format_html_join(mark_safe("<br>"), "{}: {}", lines)
        length.widget.attrs["data-lengths"] = json.dumps(meant)

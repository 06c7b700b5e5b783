"""Forms of challenges: who challenges whom, and which challenge is answered, withdrawn or waits again."""

from collections.abc import Sequence
from typing import Any

from django import forms

from league.admin.verbs.base import VerbForm
from league.core.state.challenges import Challenge, waiting
from league.core.verbs.challenges import reopenable
from league.words.challenges import challenge_later


class AnswerForm(VerbForm):
    """Which open challenge."""

    def offer(self) -> None:
        """Offer the challenges, the one whose time ends first before the others."""
        super().offer()
        choices = [(str(each.number), challenge_later(self.state, each)) for each in self.listed()]
        self.fields["challenge"] = forms.ChoiceField(label=self.fields["challenge"].label, choices=choices)

    def listed(self) -> Sequence[Challenge]:
        """Return the challenges from which one is chosen."""
        return waiting(self.state.challenges)

    def values(self) -> dict[str, Any]:
        return {**self.cleaned_data, "challenge": int(self.cleaned_data["challenge"])}


class ReopenForm(AnswerForm):
    """Which challenge waits again: an open one too, for longer."""

    def listed(self) -> Sequence[Challenge]:
        return reopenable(self.state)

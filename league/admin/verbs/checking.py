"""Forms of results that are checked by a second person, of objections, and of what is decided about them."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from league.admin.fields import WallTimeField
from league.admin.verbs.base import VerbForm
from league.core.state.competition import Competition as State
from league.core.state.competition import Result
from league.core.verbs.checking import ScoreOf, posted, unchecked_at
from league.forms import NumberField
from league.models import Competition, TableSeat
from league.words.competitions import objection_in_words, posted_tables
from league.words.messages import name_at_table, translated


class CheckForm(VerbForm):
    """What was typed before, folded, and fields to type it once more from the sheet without looking."""

    part = "admin/competition_check.html"

    def offer(self) -> None:
        """Offer a score for each seat, and keep which result is looked at."""
        result = self.result
        self.fields["result"] = forms.IntegerField(
            widget=forms.HiddenInput, initial=result.seq if result else None
        )
        for seat in self.seats:
            label = _("%(name)s: score") % {"name": name_at_table(seat)}
            self.fields[f"score.{seat.number}"] = NumberField(label=label, required=False)

    @cached_property
    def seats(self) -> list[TableSeat]:
        """Return the seats of the table."""
        return list(self.its_table.seats.all()) if self.its_table else []

    @cached_property
    def result(self) -> Result | None:
        """Return the first result that waits; None where none does."""
        if self.its_table is None:
            return None
        waiting = unchecked_at(self.state, self.state.table(str(self.its_table.pk))[2])
        return waiting[0] if waiting else None

    @property
    def typed(self) -> Sequence[tuple[str, int]]:
        """Return what was typed before: a score for each name."""
        scores = self.result.placings if self.result else ()
        return [(name_at_table(seat), each.score) for seat, each in zip(self.seats, scores, strict=False)]

    @property
    def empty(self) -> bool:
        """Return whether nothing is to be checked here."""
        return self.result is None and not self.is_bound

    def clean(self) -> dict[str, Any]:
        """Refuse scores for some of the seats alone."""
        values: dict[str, Any] = super().clean() or {}
        given = [values.get(f"score.{seat.number}") is not None for seat in self.seats]
        if any(given) and not all(given):
            self.add_error(None, _("Type all scores, or none."))
        return values

    def values(self) -> dict[str, Any]:
        scores = [(seat.number, self.cleaned_data.get(f"score.{seat.number}")) for seat in self.seats]
        typed = tuple(ScoreOf(number, score) for number, score in scores if score is not None)
        return {"result": self.cleaned_data["result"], "seats": typed}

    def refuse(self, errors: Mapping[str, Sequence[str]]) -> None:
        """Show each difference beside the score that was typed."""
        named = {
            f"score.{path.split('.')[1]}" if path.startswith("seats.") else path: sentences
            for path, sentences in errors.items()
        }
        for name, sentences in named.items():
            shown = name in self.fields and not self.fields[name].widget.is_hidden
            self.add_error(name if shown else None, [translated(each) for each in sentences])


class PostForm(VerbForm):
    """Until when who played may object."""

    def offer(self) -> None:
        """Offer the time with the browser's field."""
        help_text = _("In the club’s time zone.")
        self.fields["until"] = WallTimeField(label=_("Objections until"), help_text=help_text)

    def values(self) -> dict[str, Any]:
        return {"until": self.cleaned_data["until"].isoformat()}


class ObjectionForm(VerbForm):
    """Who objects to which posted result, and what is wrong."""

    def offer(self) -> None:
        """Offer the tables whose results are posted."""
        super().offer()
        label = self.fields["table"].label
        self.fields["table"] = forms.ChoiceField(label=label, choices=posted_tables(self.state))

    @classmethod
    def possible(cls, competition: Competition, state: State) -> bool:
        return bool(posted(state))


class DecideForm(VerbForm):
    """Which objection is decided, and how."""

    def offer(self) -> None:
        """Offer the objections, those that wait first."""
        super().offer()
        listed = sorted(self.state.objections, key=lambda each: (bool(each.decision), each.number))
        choices = [(str(each.number), objection_in_words(self.state, each)) for each in listed]
        self.fields["objection"] = forms.ChoiceField(label=_("Objection"), choices=choices)

    def values(self) -> dict[str, Any]:
        return {**self.cleaned_data, "objection": int(self.cleaned_data["objection"])}

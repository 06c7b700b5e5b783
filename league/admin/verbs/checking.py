"""Forms of results that are checked by a second person, of objections, and of what is decided about them."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from league.admin.fields import WallTimeField
from league.admin.verbs.base import VerbForm
from league.core.state.competition import Competition as State
from league.core.verbs.checking import unchecked_at
from league.core.verbs.objections import DECIDED, posted, undecided
from league.forms import OnceMore
from league.models import Competition
from league.words.competitions import objection_in_words, posted_tables
from league.words.messages import translated


class CheckForm(OnceMore, VerbForm):
    """What was typed before, folded, and fields to type it once more from the sheet without looking."""

    part = "admin/competition_check.html"

    def offer(self) -> None:
        """Offer the scores of the first result of the table that waits."""
        self.seats, self.result = [], None
        if self.its_table:
            self.seats = list(self.its_table.seats.all())
            waiting = unchecked_at(self.state, self.state.table(str(self.its_table.pk))[2])
            self.result = next(iter(waiting), None)
        self.offer_scores()

    @property
    def empty(self) -> bool:
        """Return whether nothing is to be checked here."""
        return self.result is None and not self.is_bound


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
    """Which objection is decided, and how, with links to set the results that they are about."""

    part = "admin/competition_decide.html"

    def offer(self) -> None:
        """Offer the objections, those that wait first."""
        super().offer()
        listed = sorted(self.state.objections, key=lambda each: (bool(each.decision), each.number))
        choices = [(f"{each.number}.{each.decided}", objection_in_words(self.state, each)) for each in listed]
        wrong = {"invalid_choice": translated(DECIDED)}
        self.fields["objection"] = forms.ChoiceField(
            label=_("Objection"), choices=choices, error_messages=wrong
        )

    @property
    def tables(self) -> dict[str, str]:
        """Return round and number of each table that an open objection is about, by its id."""
        told, found = _("round %(round)d, table %(table)d"), {}
        for each in undecided(self.state):
            _stage, its, table = self.state.table(each.table)
            found[each.table] = told % {"round": its.number, "table": its.number_of(table)}
        return found

    def values(self) -> dict[str, Any]:
        objection, instead_of = map(int, self.cleaned_data["objection"].split("."))
        return {**self.cleaned_data, "objection": objection, "instead_of": instead_of or None}

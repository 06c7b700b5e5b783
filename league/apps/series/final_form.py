"""The page of the desk on which a final for the best of a series' table is set up."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.messages import all_of, filled
from games.engine.refusals import Refusal
from league.admin.fields import PathForm, RowField, RowsField, TextField
from league.apps.series import queries
from league.apps.series.acts import DayInput
from league.apps.series.finals import left_over, open_final
from league.apps.series.models import Series
from league.core.state.values import MAX_ENTRIES
from league.forms import NumberField
from league.models import Competition, Player
from league.models.names import nameable
from league.requests import account_in, made_once
from league.words.messages import shown_name, translated

EIGHT = 8


class FinalForm(PathForm):
    """Name and day of a final, whose settings it has, and who of the table is entered."""

    name = TextField(label=gettext_lazy("Name"), max_length=100, validators=[nameable])
    day = forms.DateField(label=gettext_lazy("Day"), widget=DayInput(format="%Y-%m-%d"))
    like = RowField(
        Competition.objects.none(),
        label=gettext_lazy("Settings as in"),
        empty_label=None,
        help_text=gettext_lazy(
            "Where pairs play, two who qualify enter together if they have played together."
        ),
    )
    first = NumberField(
        label=gettext_lazy("So many of the table"),
        min_value=0,
        max_value=MAX_ENTRIES,
        initial=EIGHT,
        help_text=gettext_lazy("0: all who have a rank. Who shares the last place is entered too."),
    )
    absent = RowsField(
        Player.objects.none(),
        label=gettext_lazy("Who can’t come"),
        required=False,
        help_text=gettext_lazy("The next of the table is entered instead."),
    )
    counts = forms.BooleanField(
        label=gettext_lazy("It counts as a final of the series"), required=False, initial=True
    )

    weight = NumberField(
        label=gettext_lazy("Weight"),
        min_value=1,
        max_value=10,
        initial=1,
        help_text=gettext_lazy("2: it counts double, as one evening."),
    )

    def __init__(self, data: Any, *, series: Series, models: Sequence[Competition]) -> None:
        super().__init__(data)
        self.series = series
        rows = Competition.objects.filter(pk__in=[each.pk for each in models]).order_by("-opened_at", "pk")
        self.fields["like"].queryset = rows  # type: ignore[attr-defined]
        self.fields["like"].initial = models[0].pk
        ranked = [row.person for row in queries.table_of(series).table.rows if row.rank]
        people = Player.objects.filter(pk__in=ranked).order_by("sort_name", "pk")
        self.fields["absent"].queryset = people  # type: ignore[attr-defined]
        self.fields["name"].initial = _("Final") + f" {series.name}"[: 90 - len(_("Final"))]
        if series.closed:
            del self.fields["counts"], self.fields["weight"]

    def save(self, request: HttpRequest) -> Competition | None:
        """Set up the final of a valid form; return None where it is refused: its fields say why."""
        values = {"counts": False, **self.cleaned_data}
        values["absent"] = [player.pk for player in values["absent"]]
        by = account_in(request)
        try:
            made = made_once(request, lambda: open_final(by=by, series=self.series, **values))
        except Refusal as refusal:
            self.show(refusal.errors or {"": [refusal.sentence]})
            return None
        found = Competition.objects.get(pk=made.id)
        if left := left_over(found, self.series, values["first"], values["absent"]):
            told = _("Not entered, as no partner of theirs qualified: %(names)s. Enter them with a partner.")
            names = translated(all_of([shown_name(each) for each in left]))
            messages.warning(request, filled(told, {"names": names}))
        return found

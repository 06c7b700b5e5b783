"""What each verb of the desk asks of an organiser."""

from typing import Any
from uuid import UUID

from django import forms
from django.http import Http404
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from league import selectors
from league.models import Competition, Entry, Player, Table


class ActForm(forms.Form):
    """What a verb asks; subclasses offer only what the competition has."""

    def __init__(self, *args: Any, competition: Competition, table: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.competition, self.asked = competition, table
        self.offer()

    def offer(self) -> None:
        """Limit the choices to those of the competition; raise Http404 for a table that isn't."""

    @property
    def told(self) -> dict[str, Any]:
        """Return what a valid form tells the verb's service."""
        return dict(self.cleaned_data)


class _Reason(forms.CharField):
    def __init__(self, *, required: bool = True) -> None:
        help_text = _("Stands in the log for everybody to read.")
        super().__init__(
            label=_("Reason"),
            max_length=500,
            required=required,
            help_text=help_text,
            widget=UnfoldAdminTextInputWidget,
        )


class ReasonForm(ActForm):
    """Why."""

    reason = _Reason()


class PlayersForm(ActForm):
    """Who enters."""

    players = forms.ModelMultipleChoiceField(
        Player.objects.none(), label=_("Players"), widget=UnfoldAdminCheckboxSelectMultipleWidget
    )

    def offer(self) -> None:
        """Offer the club's active players who are not in it yet."""
        entered = Entry.objects.filter(competition=self.competition).exclude(
            status__in=(Entry.Status.WITHDRAWN, Entry.Status.REJECTED)
        )
        free = selectors.players_of(self.competition.club, active=True)
        self.fields["players"].queryset = free.exclude(entered__entry__in=entered)  # type: ignore[attr-defined]


class EntryForm(ActForm):
    """One entry, and why."""

    entry = forms.ModelChoiceField(Entry.objects.none(), label=_("Entry"), widget=UnfoldAdminSelectWidget)
    reason = _Reason(required=False)

    def offer(self) -> None:
        """Offer those who take part."""
        entries = selectors.entries_of(self.competition).filter(status=Entry.Status.ENTERED)
        self.fields["entry"].queryset = entries  # type: ignore[attr-defined]


class PointsForm(EntryForm):
    """One entry, points, and why."""

    points = forms.RegexField(
        r"^-?\d{1,9}(/[1-9]\d{0,8})?$",
        label=_("Points"),
        help_text=_("Added to the total: a whole number or a fraction, such as 2, -1 or -1/2."),
        widget=UnfoldAdminTextInputWidget,
    )
    reason = _Reason()
    field_order = ("entry", "points", "reason")


class TableForm(ActForm):
    """One table, and why."""

    table = forms.ModelChoiceField(Table.objects.none(), label=_("Table"), widget=UnfoldAdminSelectWidget)
    reason = _Reason()

    def offer(self) -> None:
        """Offer the tables of published rounds that count."""
        tables = selectors.tables_of_competition(self.competition).exclude(status=Table.Status.VOID)
        self.fields["table"].queryset = tables  # type: ignore[attr-defined]
        self.fields["table"].label_from_instance = _table_name  # type: ignore[attr-defined]


def _table_name(table: Any) -> str:
    names = ", ".join(seat.player.name for seat in table.seats.all())
    place = {"round": table.round.number, "table": table.number, "names": names}
    return str(_("Round %(round)d, table %(table)d: %(names)s") % place)


class RulingForm(ActForm):
    """The result of one table, seat by seat, and why."""

    reason = _Reason()

    def offer(self) -> None:
        """Ask for the place and the score of each seat."""
        self.ruled = self._table()
        for seat in self.ruled.seats.all():
            name = {"name": seat.player.name}
            self.fields[f"rank.{seat.number}"] = forms.IntegerField(
                label=_("%(name)s: place") % name,
                min_value=1,
                max_value=10,
                initial=seat.rank,
                widget=UnfoldAdminIntegerFieldWidget,
            )
            self.fields[f"score.{seat.number}"] = forms.IntegerField(
                label=_("%(name)s: score") % name, initial=seat.score, widget=UnfoldAdminIntegerFieldWidget
            )
        self.order_fields([name for name in self.fields if name != "reason"])

    def _table(self) -> Table:
        try:
            return selectors.tables_of_competition(self.competition).get(pk=UUID(self.asked))
        except (ValueError, Table.DoesNotExist):
            raise Http404 from None

    @property
    def told(self) -> dict[str, Any]:
        """Return the table, its result as the log has it, and the reason."""
        seats = [
            {
                "seat": seat.number,
                "rank": self.cleaned_data[f"rank.{seat.number}"],
                "score": self.cleaned_data[f"score.{seat.number}"],
            }
            for seat in self.ruled.seats.all()
        ]
        return {"table": self.ruled.pk, "seats": seats, "reason": self.cleaned_data["reason"]}

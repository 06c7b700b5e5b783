"""What an organiser says of a table: rulings, no-shows, forfeits, walkovers, replays; and points."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from league import selectors, services
from league.admin.verbs.base import UNDER_WAY, ActForm, Reason, Verb
from league.models import Entry, Table, TableSeat

# ---- Forms ---------------------------------------------------------------------------------------


class OfTableForm(ActForm):
    """A table, and why."""

    reason = Reason()

    def offer(self) -> None:
        """Find the table."""
        self.its_table = self.asked_table()

    @property
    def told(self) -> dict[str, Any]:
        """Return the table by its id, and the rest."""
        return {"table": self.its_table.pk, **self.cleaned_data}


class MaybeReasonForm(OfTableForm):
    """A table, and why, where there is anything to say."""

    reason = Reason(required=False)


class RulingForm(OfTableForm):
    """The result of one table, seat by seat, and why."""

    def offer(self) -> None:
        """Ask for the place and the score of each seat."""
        super().offer()
        for seat in self.its_table.seats.all():
            self.fields.update(_placing_fields(seat))
        self.order_fields([name for name in self.fields if name != "reason"])

    @property
    def told(self) -> dict[str, Any]:
        """Return the table, its result as the log has it, and the reason."""
        told = self.cleaned_data
        seats = [
            {"seat": seat.number, "rank": told[f"rank.{seat.number}"], "score": told[f"score.{seat.number}"]}
            for seat in self.its_table.seats.all()
        ]
        return {"table": self.its_table.pk, "seats": seats, "reason": told["reason"]}


def _placing_fields(seat: TableSeat) -> dict[str, forms.Field]:
    name, widget = {"name": seat.player.name}, UnfoldAdminIntegerFieldWidget
    return {
        f"rank.{seat.number}": forms.IntegerField(
            label=_("%(name)s: place") % name, min_value=1, max_value=10, initial=seat.rank, widget=widget
        ),
        f"score.{seat.number}": forms.IntegerField(
            label=_("%(name)s: score") % name, initial=seat.score, widget=widget
        ),
    }


class OneOfTableForm(OfTableForm):
    """One entry of a table, and why."""

    entry = forms.ModelChoiceField(
        Entry.objects.none(), label=_("Who"), empty_label=None, widget=UnfoldAdminRadioSelectWidget
    )
    field_order = ("entry", "reason")

    def offer(self) -> None:
        """Offer those who sit there."""
        super().offer()
        self.fields["entry"].queryset = _seated(self.its_table)  # type: ignore[attr-defined]

    @property
    def told(self) -> dict[str, Any]:
        """Return table and entry by their ids, and why."""
        return {**super().told, "entry": self.cleaned_data["entry"].pk}


class NoShowForm(OneOfTableForm):
    """Who did not come, and why."""

    reason = Reason(required=False)


class WalkoverForm(MaybeReasonForm):
    """Who of a table was there, and why it isn't played."""

    entries = forms.ModelMultipleChoiceField(
        Entry.objects.none(), label=_("Who was there"), widget=UnfoldAdminCheckboxSelectMultipleWidget
    )
    field_order = ("entries", "reason")

    def offer(self) -> None:
        """Offer those who sit there."""
        super().offer()
        self.fields["entries"].queryset = _seated(self.its_table)  # type: ignore[attr-defined]

    @property
    def told(self) -> dict[str, Any]:
        """Return the table and the entries by their ids, and why."""
        return {**super().told, "entries": [entry.pk for entry in self.cleaned_data["entries"]]}


def _seated(table: Table) -> Any:
    """Return the entries at a table, each once."""
    return Entry.objects.filter(pk__in=[seat.entry_id for seat in table.seats.all()])


class PointsForm(ActForm):
    """One entry, points, and why."""

    entry = forms.ModelChoiceField(Entry.objects.none(), label=_("Entry"), widget=UnfoldAdminSelectWidget)
    points = forms.RegexField(
        r"^-?\d{1,9}(/[1-9]\d{0,8})?$",
        label=_("Points"),
        help_text=_("Added to the total: a whole number or a fraction, such as 2, -1 or -1/2."),
        widget=UnfoldAdminTextInputWidget,
    )
    reason = Reason()

    def offer(self) -> None:
        """Offer those who take part, or did."""
        entries = selectors.entries_of(self.competition)
        part = entries.filter(status__in=(Entry.Status.ENTERED, Entry.Status.WITHDRAWN))
        self.fields["entry"].queryset = part  # type: ignore[attr-defined]

    @property
    def told(self) -> dict[str, Any]:
        """Return the entry by its id, the points, and why."""
        return {**self.cleaned_data, "entry": self.cleaned_data["entry"].pk}


# ---- Verbs ---------------------------------------------------------------------------------------

_UNDECIDED: Final = ("playing", "abandoned")
_ANY: Final = (*_UNDECIDED, "played", "walkover", "void")

VERBS: Final = (
    Verb(
        "rule",
        _("Rule"),
        _("This result stands for the table, whatever its games say. A game that still runs there ends."),
        _("Rule once more: the last ruling counts."),
        UNDER_WAY,
        services.rule,
        RulingForm,
        tables=_ANY,
    ),
    Verb(
        "replay",
        _("Replay"),
        _("A new game is opened at the table. The one before is abandoned, and counts for nobody."),
        _("Rule on the table, where it should not be played after all."),
        UNDER_WAY,
        services.replay,
        MaybeReasonForm,
        tables=_UNDECIDED,
        danger=True,
    ),
    Verb(
        "no_show",
        _("Did not come"),
        _("Who did not come is paid as the scoring says, and leaves the game. The others play on."),
        _("Rule on the table: a ruling replaces it."),
        UNDER_WAY,
        services.no_show,
        NoShowForm,
        tables=_UNDECIDED,
        danger=True,
    ),
    Verb(
        "forfeit",
        _("Forfeit"),
        _("Who left, or is put out, is paid as the scoring says, and leaves the game. The others play on."),
        _("Rule on the table: a ruling replaces it."),
        UNDER_WAY,
        services.forfeit,
        OneOfTableForm,
        tables=_UNDECIDED,
        danger=True,
    ),
    Verb(
        "walk_over",
        _("Walkover"),
        _("The table is not played: those you tick were there, all others did not come. Its game ends."),
        _("Rule on the table: a ruling replaces it."),
        UNDER_WAY,
        services.walk_over,
        WalkoverForm,
        tables=_UNDECIDED,
        danger=True,
    ),
    Verb(
        "void",
        _("Void"),
        _("The table counts for nobody, as if it had never been drawn. A game that runs there ends."),
        _("Rule on the table: a ruling replaces it."),
        UNDER_WAY,
        services.void,
        OfTableForm,
        tables=(*_UNDECIDED, "played", "walkover"),
        danger=True,
    ),
    Verb(
        "adjust",
        _("Adjust points"),
        _("Points are added to or taken from an entry’s total, for everybody to see."),
        _("Adjust once more, by the opposite."),
        UNDER_WAY,
        services.adjust,
        PointsForm,
        part="competition",
    ),
)

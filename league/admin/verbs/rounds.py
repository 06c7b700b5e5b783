"""Forms about a round: its deadline, and the exchange of seats with its cost."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.refusals import Illegal
from league.admin.fields import RadioField, SearchedField, WallTimeField
from league.admin.swaps import SwapCost, swap_cost
from league.admin.verbs.base import VerbForm
from league.core import formats
from league.core.course import proposal
from league.core.events import apply
from league.core.state.competition import Competition as State
from league.core.state.competition import Round, Stage
from league.core.verbs.cut_off import can_be_filled, planned_order
from league.core.verbs.move_seat import SeatsMoved
from league.core.weighing import weighed
from league.queries.orders import orders_of
from league.queries.rounds import rounds_of
from league.words.messages import translated
from league.words.times import duration_text


class _WithDeadline(VerbForm):
    """The form of a verb with a deadline."""

    def offer(self) -> None:
        """Create the fields, the deadline with the browser's field."""
        super().offer()
        self.fields["deadline"] = WallTimeField(
            label=translated(self.declared["deadline"].title),
            required=False,
            help_text=_("In the club’s time zone. Leave it empty for no deadline."),
        )
        self.order_fields(self.button.asks)

    def values(self) -> dict[str, Any]:
        deadline = self.cleaned_data["deadline"]
        return {**self.cleaned_data, "deadline": deadline.isoformat() if deadline else None}


class PublishForm(_WithDeadline):
    """The deadline of a round that is published."""

    def offer(self) -> None:
        """Say which deadline applies where none is entered."""
        super().offer()
        plan = self.state.stage.plan if self.state.stage else None
        if plan and plan.hours:
            sentence = _("In the club’s time zone. Empty: %(time)s from now, up to the full hour.")
            self.fields["deadline"].help_text = sentence % {"time": duration_text(plan.hours * 60 * 60)}


GIVEN: Final = "given."
_ALWAYS: Final = {f"{GIVEN}rating", f"{GIVEN}entered"}


class FillTablesForm(VerbForm):
    """By which order the tables of a round are filled."""

    def offer(self) -> None:
        """Offer the orders that there are."""
        self.fields["seating"] = RadioField(label=_("Tables"), choices=self.orders())

    def orders(self) -> list[tuple[str, str]]:
        """Return how tables can be filled: by standings, and by the orders from elsewhere."""
        stage = self.state.stage
        own = [("standing", _("by the standings"))] if stage and stage.shown_rounds else []
        found = orders_of(self.competition.pk, self.state)
        return [*own, *((f"{GIVEN}{each.key}", each.title) for each in found)]

    def values(self) -> dict[str, Any]:
        """Return how tables are seated, and by which order from elsewhere."""
        chosen = self.cleaned_data.get("seating", "")
        given = chosen.startswith(GIVEN)
        return {"seating": "given" if given else chosen, "order": chosen.removeprefix(GIVEN) if given else ""}


class DrawForm(FillTablesForm):
    """How a round is drawn, where standings, an earlier evening or a year's table could seat it."""

    def offer(self) -> None:
        """Offer to draw lots first; those who know none of the other orders are not asked."""
        stage, found = self.state.stage, self.orders()
        if not (stage and can_be_filled(stage.plan)) or {key for key, _title in found} <= _ALWAYS:
            return
        planned = planned_order(self.state) or formats.of(stage.plan).by_standing_from(stage.plan)
        usual = [("", _("as planned")), ("lots", _("drawn"))] if planned else [("", _("drawn"))]
        choices = [*usual, *found]
        self.fields["seating"] = RadioField(label=_("Tables"), choices=choices, required=False, initial="")


class DeadlineForm(_WithDeadline):
    """A new deadline of the current round, and why."""

    def offer(self) -> None:
        """Show the current deadline."""
        super().offer()
        latest = rounds_of(self.competition).first()
        self.fields["deadline"].initial = latest.deadline if latest else None


class PostponeForm(_WithDeadline):
    """By when a table that is put off must be played, and why it is."""

    def offer(self) -> None:
        """Show what holds for a table that is put off already."""
        super().offer()
        if self.its_table:
            self.fields["deadline"].initial = self.its_table.postponed_until
            self.fields["reason"].initial = self.its_table.postponed_reason


class TimeForm(VerbForm):
    """How many minutes a table has more: five, unless others are typed."""

    def offer(self) -> None:
        """Offer what the timer offers, too."""
        super().offer()
        self.fields["minutes"].initial = 5


class MoveSeatForm(VerbForm):
    """Two entries that exchange seats, and why; the cost is shown before it is done."""

    part = "admin/competition_swap.html"

    one = SearchedField(label=gettext_lazy("First entry"))
    other = SearchedField(label=gettext_lazy("Second entry"))
    weighed = forms.CharField(required=False, widget=forms.HiddenInput)

    cost: SwapCost | None = None

    def offer(self) -> None:
        """Offer all entries of the draw, table by table."""
        super().offer()
        del self.fields["swaps"]
        names = {entry.id: entry.name for entry in self.state.entries}
        drawn = proposal(self.state)
        choices = _seat_choices(drawn[1], names) if drawn else []
        for name in ("one", "other"):
            self.fields[name].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Compute the cost; refuse an exchange that the competition would refuse."""
        values: dict[str, Any] = super().clean() or {}
        drawn = proposal(self.state)
        if drawn and "one" in values and "other" in values:
            try:
                self.cost = _cost_of(self.state, *drawn, (values["one"], values["other"]))
            except Illegal as refusal:
                self.add_error("other", translated(refusal.sentence))
        return values

    @property
    def confirmed(self) -> bool:
        """Return whether the cost of this very exchange has been shown; mark it as shown."""
        pair = " ".join((self.cleaned_data["one"], self.cleaned_data["other"]))
        shown = bool(self.cleaned_data["weighed"] == pair)
        self.data = {**dict(self.data.items()), "weighed": pair}
        return shown

    @property
    def submit_label(self) -> Any:
        """Return the title of the button, which shows the cost first."""
        if self.cost is None:
            return _("Show what it changes")
        return _("Exchange anyway") if self.cost.worse else _("Exchange")

    def values(self) -> dict[str, Any]:
        values, drawn = self.cleaned_data, proposal(self.state)
        stage, number = (drawn[0].number, drawn[1].number) if drawn else (1, 1)
        swaps = ((values["one"], values["other"]),)
        return {"stage": stage, "round": number, "swaps": swaps, "reason": values["reason"]}


def _seat_choices(drawn: Round, names: dict[str, str]) -> list[tuple[str, str]]:
    """Return the choices of an exchange: each entry with its table, then those without a table."""
    seated = [
        (entry, _("table %(table)d: %(name)s") % {"table": number, "name": names[entry]})
        for number, table in drawn.numbered
        for entry in table.entries
    ]
    resting = [(entry, _("bye: %(name)s") % {"name": names[entry]}) for entry in drawn.byes]
    return list(dict(seated + resting).items())


def _cost_of(state: State, stage: Stage, drawn: Round, swap: tuple[str, str]) -> SwapCost:
    """Return the cost of a draw before and after an exchange; raise `Illegal` for one that is not allowed."""
    event = SeatsMoved(stage.number, drawn.number, (swap,), "weighed")
    after = proposal(apply(state, event))
    assert after is not None
    return swap_cost(state, drawn, weighed(state, stage, drawn), weighed(state, after[0], after[1]))

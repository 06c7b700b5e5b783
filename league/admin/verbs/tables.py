"""The form of a table's result."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from league.admin.fields import NumberField
from league.admin.verbs.base import VerbForm
from league.core.state.plan import Placing
from league.models import TableSeat


class SetResultForm(VerbForm):
    """The result of a table, seat by seat, and why."""

    def offer(self) -> None:
        """Offer fields for the rank and the score of each seat."""
        super().offer()
        del self.fields["seats"]
        for seat in self._seats():
            self.fields.update(_placing_fields(seat))
        self.order_fields([name for name in self.fields if name != "reason"])

    def _seats(self) -> list[TableSeat]:
        return list(self.its_table.seats.all()) if self.its_table else []

    def values(self) -> dict[str, Any]:
        values = self.cleaned_data
        placings = tuple(
            Placing(seat.number, values[f"rank.{seat.number}"], values[f"score.{seat.number}"])
            for seat in self._seats()
        )
        return {"seats": placings, "reason": values["reason"]}


def _placing_fields(seat: TableSeat) -> dict[str, forms.Field]:
    name = {"name": seat.player.name}
    rank = NumberField(label=_("%(name)s: rank") % name, min_value=1, max_value=10, initial=seat.rank)
    score = NumberField(label=_("%(name)s: score") % name, initial=seat.score)
    return {f"rank.{seat.number}": rank, f"score.{seat.number}": score}

"""The form of a table's result."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from games import rules
from league.admin.fields import NumberField
from league.admin.verbs.base import VerbForm
from league.core.verbs.rule import RuledSeat, against, contradict, ranks_of
from league.models import TableSeat
from league.words.messages import translated


class SetResultForm(VerbForm):
    """The result of a table, seat by seat, and why; ranks that are left out are made from the scores."""

    part = "admin/competition_result.html"

    def offer(self) -> None:
        """Offer fields for the score and the rank of each seat."""
        super().offer()
        del self.fields["seats"]
        for seat in self.seats:
            self.fields.update(_placing_fields(seat))
        last = [name for name in ("against_scores", "reason") if name in self.fields]
        self.order_fields([*(name for name in self.fields if name not in last), *last])

    @cached_property
    def seats(self) -> list[TableSeat]:
        """Return the seats of the table."""
        return list(self.its_table.seats.all()) if self.its_table else []

    @property
    def low_wins(self) -> bool:
        """Return whether the lowest score wins."""
        return rules.find(self.competition.ruleset).low_wins

    def clean(self) -> dict[str, Any]:
        """Refuse ranks for only some of the seats, and ranks against the scores without a reason."""
        values: dict[str, Any] = super().clean() or {}
        scores = [values.get(f"score.{seat.number}") for seat in self.seats]
        ranks = [rank for seat in self.seats if (rank := values.get(f"rank.{seat.number}")) is not None]
        if self.errors:
            return values
        if ranks and len(ranks) < len(self.seats):
            self.add_error(None, _("Fill in all ranks, or none: then they are made from the scores."))
        elif ranks and not values.get("against_scores"):
            made = self._made([score for score in scores if score is not None])
            if contradict(ranks, made):
                self.add_error("against_scores", translated(against(made)))
        return values

    def _made(self, scores: Sequence[int]) -> list[int]:
        assert self.its_table is not None
        seats = self.state.table(str(self.its_table.pk))[2].seats
        return ranks_of(seats, scores, low_wins=self.low_wins)

    def values(self) -> dict[str, Any]:
        values = self.cleaned_data
        seats = tuple(
            RuledSeat(seat.number, values[f"score.{seat.number}"], values.get(f"rank.{seat.number}"))
            for seat in self.seats
        )
        return {"seats": seats, **{name: values[name] for name in ("reason", "against_scores")}}


def _placing_fields(seat: TableSeat) -> dict[str, forms.Field]:
    name = {"name": seat.player.name}
    score = NumberField(label=_("%(name)s: score") % name, initial=seat.score)
    rank = NumberField(label=_("%(name)s: rank") % name, required=False, min_value=1, max_value=10)
    return {f"score.{seat.number}": score, f"rank.{seat.number}": rank}

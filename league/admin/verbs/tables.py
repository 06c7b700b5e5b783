"""The form of a table's result."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldBooleanSwitchWidget

from games import rules
from league.admin.fields import NumberField
from league.admin.verbs.base import VerbForm
from league.core.state.plan import Placing
from league.models import TableSeat


class SetResultForm(VerbForm):
    """The result of a table, seat by seat, and why; ranks that are left out are made from the scores."""

    part = "admin/competition_result.html"

    meant = forms.BooleanField(
        label=gettext_lazy("These ranks are right although the scores say otherwise"),
        help_text=gettext_lazy("The reason says why."),
        required=False,
        widget=UnfoldBooleanSwitchWidget,
    )

    def offer(self) -> None:
        """Offer fields for the score and the rank of each seat."""
        super().offer()
        del self.fields["seats"]
        for seat in self.seats:
            self.fields.update(_placing_fields(seat))
        if not self.is_bound:
            del self.fields["meant"]
        last = [name for name in ("meant", "reason") if name in self.fields]
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
        """Make ranks that were left out from the scores; refuse ranks that contradict them, unless meant."""
        values: dict[str, Any] = super().clean() or {}
        scores = [values.get(f"score.{seat.number}") for seat in self.seats]
        ranks = [values.get(f"rank.{seat.number}") for seat in self.seats]
        whole = not self.errors and None not in scores
        made = _ranks_of([score for score in scores if score is not None], self.low_wins) if whole else []
        self.placed = made if not any(ranks) else [rank for rank in ranks if rank is not None]
        contradictory = whole and len(self.placed) == len(made) and _contradict(self.placed, made)
        if not self.errors and len(self.placed) < len(ranks):
            self.add_error(None, _("Fill in all ranks, or none: then they are made from the scores."))
        elif contradictory and not values.get("meant"):
            self.add_error("meant", _against_scores(made))
        if not contradictory:
            del self.fields["meant"]
        return values

    def values(self) -> dict[str, Any]:
        values = self.cleaned_data
        placings = tuple(
            Placing(seat.number, rank, values[f"score.{seat.number}"])
            for seat, rank in zip(self.seats, self.placed, strict=True)
        )
        return {"seats": placings, "reason": values["reason"]}


def _ranks_of(scores: Sequence[int], low_wins: bool) -> list[int]:
    """Return the rank of each score; equal scores share the better rank."""
    worth = [-score if low_wins else score for score in scores]
    return [1 + sum(other > own for other in worth) for own in worth]


def _contradict(ranks: Sequence[int], by_score: Sequence[int]) -> bool:
    """Return whether a seat with a better score has no better rank; equal scores may have any ranks."""
    pairs = list(zip(ranks, by_score, strict=True))
    return any(one[1] < other[1] and one[0] >= other[0] for one in pairs for other in pairs)


def _against_scores(ranks: Sequence[int]) -> str:
    sentence = _("By the scores the ranks would be %(ranks)s. Correct them, or tick this box.")
    return sentence % {"ranks": ", ".join(map(str, ranks))}


def _placing_fields(seat: TableSeat) -> dict[str, forms.Field]:
    name = {"name": seat.player.name}
    score = NumberField(label=_("%(name)s: score") % name, initial=seat.score)
    rank = NumberField(
        label=_("%(name)s: rank") % name, required=False, min_value=1, max_value=10, initial=seat.rank
    )
    return {f"score.{seat.number}": score, f"rank.{seat.number}": rank}

"""The form of a table's result."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from games import rules
from league.admin.fields import Group
from league.admin.verbs import match_fields
from league.admin.verbs.base import VerbForm
from league.core.state.entries import JOIN
from league.core.verbs.rulings import RuledSeat, SetResult, against, contradict, ranks_of
from league.forms import NumberField
from league.models import TableSeat
from league.queries.rounds import sharing_a_total
from league.words.messages import name_at_table, translated


class SetResultForm(VerbForm):
    """The result of a table, seat by seat, and why; ranks that are left out are made from the scores."""

    part = "admin/competition_result.html"

    def offer(self) -> None:
        """Offer fields for the score of each seat, the reason, and, folded, the ranks."""
        super().offer()
        del self.fields["seats"]
        first = self._match_fields() if self.match else self._seat_fields()
        self.order_fields([*first, "reason", *self._rarely_needed])
        self.fields["reason"].required = self._needs_reason
        self.fields["reason"].help_text = (
            _("Everybody can read it.")
            if self._needs_reason
            else _("Everybody can read it. The first result needs none.")
        )

    def _seat_fields(self) -> Sequence[str]:
        for side in self.sides:
            self.fields.update(_placing_fields(side))
        return [_score(first) for first, *_others in self.sides]

    def _match_fields(self) -> Sequence[str]:
        games = match_fields.game_fields(self.match, self.seats)
        self.fields.update({**games, **match_fields.won_fields(self.match, self.seats)})
        del self.fields["against_scores"]
        return list(games)

    @property
    def match(self) -> Mapping[str, Any]:
        """Return the match at the table as its row tells it, empty where it has one game."""
        return (self.its_table and self.its_table.match) or {}

    @property
    def _rarely_needed(self) -> list[str]:
        if self.match:
            return [*(f"won.{at}" for at in match_fields.sides_of(self.seats)), match_fields.DRAWN]
        return [*(_rank(first) for first, *_others in self.sides), "against_scores"]

    @property
    def _needs_reason(self) -> bool:
        table = self.its_table
        return table is not None and SetResult.needs_organiser(self.state, str(table.pk))

    @property
    def folded(self) -> Group:
        """Return the ranks, for which a reason is needed where they contradict the scores; or games won."""
        if self.match:
            return match_fields.folded(self, self._rarely_needed)
        about = _("Fill in all ranks, or none. Equal places share the better rank: 1, 1, 3.")
        fields = [self[name] for name in self._rarely_needed]
        return Group(_("Set the ranks yourself"), about, fields, folded=True)

    @cached_property
    def seats(self) -> list[TableSeat]:
        """Return the seats of the table."""
        return list(self.its_table.seats.all()) if self.its_table else []

    @cached_property
    def sides(self) -> list[Sequence[TableSeat]]:
        """Return the seats of the table, those together for which one score is written."""
        return [*sharing_a_total(self.seats, self.competition.ruleset).values()]

    def _of_seats(self, name: Callable[[TableSeat], str], values: Mapping[str, Any]) -> list[Any]:
        """Return what was typed for each seat, in their order."""
        typed = {seat.number: values.get(name(side[0])) for side in self.sides for seat in side}
        return [typed[at] for at in sorted(typed)]

    @property
    def low_wins(self) -> bool:
        """Return whether the lowest score wins."""
        return rules.find(self.competition.ruleset).low_wins

    def clean(self) -> dict[str, Any]:
        """Refuse ranks for only some of the seats, and ranks against the scores without a reason."""
        values: dict[str, Any] = super().clean() or {}
        if self.match:
            match_fields.check(self, self.match, self.seats)
            return values
        scores = [score or 0 for score in self._of_seats(_score, values)]
        ranks = [rank for rank in self._of_seats(_rank, values) if rank is not None]
        if self.errors:
            return values
        if ranks and len(ranks) < len(self.seats):
            for first, *_others in self.sides:
                if values.get(_rank(first)) is None:
                    self.add_error(_rank(first), _("Fill in all ranks, or none."))
        elif ranks and not values.get("against_scores"):
            made = self._made(scores)
            if contradict(ranks, made):
                self.add_error("against_scores", translated(against(made)))
        return values

    def _made(self, scores: Sequence[int]) -> list[int]:
        assert self.its_table is not None
        table = self.state.table(str(self.its_table.pk))[2]
        return ranks_of(table, scores, low_wins=self.low_wins)

    def values(self) -> dict[str, Any]:
        values = self.cleaned_data
        if self.match:
            return self._match_values()
        typed = zip(self._of_seats(_score, values), self._of_seats(_rank, values), strict=True)
        seats = tuple(RuledSeat(seat, score, rank) for seat, (score, rank) in enumerate(typed))
        return {"seats": seats, **{name: values[name] for name in ("reason", "against_scores")}}

    def _match_values(self) -> dict[str, Any]:
        values = self.cleaned_data
        if games := match_fields.games_typed(values, self.seats):
            return {"seats": (), "games": games, "reason": values["reason"]}
        seats = tuple(
            RuledSeat(seat.number, values[f"won.{at}"])
            for at, side in match_fields.sides_of(self.seats).items()
            for seat in side
        )
        drawn = values[match_fields.DRAWN] or 0
        return {"seats": seats, "games": (), "drawn": drawn, "reason": values["reason"]}


def _placing_fields(side: Sequence[TableSeat]) -> dict[str, forms.Field]:
    seat, name = side[0], {"name": JOIN.join(map(name_at_table, side))}
    score = NumberField(
        label=_("%(name)s: score") % name, initial=seat.shown_score, required=not seat.has_left
    )
    score.help_text = seat.needs_no_score
    rank = NumberField(label=_("%(name)s: rank") % name, required=False, min_value=1, max_value=10)
    return {_score(seat): score, _rank(seat): rank}


def _score(seat: TableSeat) -> str:
    return f"score.{seat.number}"


def _rank(seat: TableSeat) -> str:
    return f"rank.{seat.number}"

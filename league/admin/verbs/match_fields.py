"""The fields for the result of a match: a line of scores for each of its games, or the games won."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from league.admin.fields import Group
from league.core.match_view import lines_of
from league.core.state.match import GameScores
from league.forms import NumberField
from league.models import TableSeat
from league.words.messages import name_at_table

DRAWN = "drawn"


def game_fields(match: Mapping[str, Any], seats: Sequence[TableSeat]) -> dict[str, forms.Field]:
    """Return a field for the score of each seat in each game that the match can have."""
    entered = [each["scores"] for each in match["games"] if each["scores"]]
    return {
        _name(number, seat): NumberField(
            label=_("Game %(number)d, %(name)s") % {"number": number, "name": name_at_table(seat)},
            initial=entered[number - 1][seat.number] if number <= len(entered) else None,
            required=False,
        )
        for number in range(1, lines_of(match) + 1)
        for seat in seats
    }


def won_fields(match: Mapping[str, Any], seats: Sequence[TableSeat]) -> dict[str, forms.Field]:
    """Return a field for the games that each side won, and one for drawn games."""
    won = {
        f"won.{at}": NumberField(
            label=_("%(name)s: games won") % {"name": " & ".join(map(name_at_table, side))},
            required=False,
            min_value=0,
            max_value=match["best_of"],
        )
        for at, side in sides_of(seats).items()
    }
    return {**won, DRAWN: NumberField(label=_("Drawn games"), required=False, min_value=0, max_value=99)}


def sides_of(seats: Sequence[TableSeat]) -> Mapping[int, Sequence[TableSeat]]:
    """Return the seats of each side, by the number of its first seat."""
    entries = dict.fromkeys(seat.entry_id for seat in seats)
    sides = [[seat for seat in seats if seat.entry_id == entry] for entry in entries]
    return {side[0].number: side for side in sides}


def folded(form: forms.Form, names: Sequence[str]) -> Group:
    """Return the fields for those who know no more than the games won."""
    about = _(
        "For a match of which you know only how many games each side won. Leave the lines of games empty."
    )
    return Group(_("Only the games won"), about, [form[name] for name in names], folded=True)


def check(form: forms.Form, match: Mapping[str, Any], seats: Sequence[TableSeat]) -> None:
    """Add errors to a form with a game that has not all scores, or with nothing typed at all."""
    values = form.cleaned_data
    lines = [[_name(number, seat) for seat in seats] for number in range(1, lines_of(match) + 1)]
    typed = [[values.get(name) is not None for name in line] for line in lines]
    last = max((at for at, each in enumerate(typed) if any(each)), default=-1)
    for line, each in zip(lines[: last + 1], typed, strict=False):
        for name, is_typed in zip(line, each, strict=True):
            if not is_typed:
                form.add_error(name, _("This score is missing."))
    if last < 0 and all(values.get(f"won.{at}") is None for at in sides_of(seats)):
        form.add_error(lines[0][0], _("Type the scores of the games, or only the games won."))


def games_typed(values: Mapping[str, Any], seats: Sequence[TableSeat]) -> tuple[GameScores, ...]:
    """Return the games that were typed, in order."""
    games: list[GameScores] = []
    while (line := [values.get(_name(len(games) + 1, seat)) for seat in seats]) and None not in line:
        games.append(GameScores(tuple(score for score in line if score is not None)))
    return tuple(games)


def _name(number: int, seat: TableSeat) -> str:
    return f"game.{number}.{seat.number}"

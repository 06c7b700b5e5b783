"""The printed score sheet of a table with real cards: sums, who declared Scram, and totals of teams."""

from typing import Final

from games.engine.base import Form, FormRow
from games.engine.messages import Message, text
from games.rules.scram.state import usual_rounds
from games.rules.scram_scorecard.moves import Options

DECLARED: Final = text("Scram declared by:")
FOUR: Final = 4


def form(options: Options) -> Form:
    """Return a row for each round; where the rulebook's number counts, the fourth is for 4 campers (B4)."""
    rounds = options.rounds or usual_rounds(FOUR)
    legend = (
        text("In the upper row each camper's own sum, in the lower the team's total so far."),
        text("Each = counts as the lowest number of its campsite, 0 where there is none."),
        text(
            "Scram: the declaring team scores 0 if its sum is lower or equal, else its sum and 10 more. "
            "The other team scores its sum."
        ),
    )
    return Form(
        tuple(FormRow(number, DECLARED, _hint(options, number)) for number in range(1, rounds + 1)),
        legend,
        first_dealer=None,
        heading=text("Scram"),
        placing=text("Place (lowest team total wins)"),
    )


def _hint(options: Options, number: int) -> Message | str:
    fourth = options.rounds is None and number == FOUR
    return text("with 4 campers only") if fourth else ""

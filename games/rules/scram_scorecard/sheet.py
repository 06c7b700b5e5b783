"""What a score sheet of Scram! asks: the fields of a round's result, on a page and on paper."""

from typing import Final

from games.engine import shapes
from games.engine.base import FieldChoice, Form, FormRow
from games.engine.messages import Message, text
from games.rules.scram.state import usual_rounds
from games.rules.scram_scorecard.card import State
from games.rules.scram_scorecard.fields import Camper, Options, Outcome

ABOUT_SEATS: Final = text(
    "For each camper the sum of the own campsite; the card works out what Scram brings."
)
ABOUT_SCRAM: Final = text("Who declared Scram, or nobody.")
ABOUT_SUM: Final = text("The sum of the cards in the campsite, each = as the lowest number there.")


def result_fields(state: State, outcome: Outcome | None) -> dict[str, FieldChoice]:
    """Return the fields of a result, drafted from the present one; ``scram`` is left out for nobody."""
    campers = outcome.seats if outcome else tuple(map(Camper, range(state.seats)))
    lines = tuple(
        {
            "sum": FieldChoice(
                complete=False,
                optional=seat in state.out,
                about=ABOUT_SUM,
                draft=camper.sum if outcome else None,
                worth={"sum": 0},
            )
        }
        for seat, camper in enumerate(campers)
    )
    shown = [*map(shapes.write, campers)]
    return {
        "scram": FieldChoice(
            tuple(range(state.seats)),
            optional=True,
            seats=True,
            about=ABOUT_SCRAM,
            draft=outcome.scram if outcome else None,
        ),
        "seats": FieldChoice((shown,), complete=False, about=ABOUT_SEATS, by_seat=lines),
    }


# ---- On paper ------------------------------------------------------------------------------------

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

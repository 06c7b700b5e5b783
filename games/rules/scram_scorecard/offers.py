"""The fields of a round's result, for forms and clients."""

from typing import Final

from games.engine import shapes
from games.engine.base import FieldChoice
from games.engine.messages import text
from games.rules.scram_scorecard.card import State
from games.rules.scram_scorecard.moves import Camper, Outcome

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

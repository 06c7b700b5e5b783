"""The fields of a round's result, for forms and clients."""

from typing import Final

from games.engine import shapes
from games.engine.base import FieldChoice
from games.engine.jsontypes import Json
from games.engine.messages import text
from games.rules.scamper.state import Called
from games.rules.scamper_scorecard.card import SMALLEST_CARD, State, dealer, names_for, worth
from games.rules.scamper_scorecard.fields import Held, Result

ABOUT_SEATS: Final = text(
    "For each seat the points of its cards, 0 for the player who went out, and adjustments by name."
)
ABOUT_CARDS: Final = text(
    "A multiple of %(smallest)s; 0 for the player who went out.", smallest=SMALLEST_CARD
)


def result_fields(state: State, number: int, result: Result | None) -> dict[str, FieldChoice]:
    """Return the lines of a round's result: drafted from the present one, or with an example."""
    expected = tuple(Held(0, _expected(state, number, seat)) for seat in range(state.seats))
    drafts = result.seats if result else expected
    lines = tuple(
        _line(state, number, seat, held.cards if result else None, list(held.adjustments))
        for seat, held in enumerate(drafts)
    )
    example: list[Json] = [{"cards": SMALLEST_CARD * min(seat, 1)} for seat in range(state.seats)]
    shown = [*map(shapes.write, result.seats)] if result else example
    return {"seats": FieldChoice((shown,), complete=False, about=ABOUT_SEATS, by_seat=lines)}


def _expected(state: State, number: int, seat: int) -> tuple[Called, ...]:
    """Return the adjustments that a seat has unless somebody takes them away: the first dealer's (S6)."""
    bonus = number == 1 and seat == dealer(state, 1) and state.options.first_dealer_bonus != 0
    return ("first_dealer",) if bonus and seat not in state.out else ()


def _line(
    state: State, number: int, seat: int, cards: int | None, adjustments: list[Json]
) -> dict[str, FieldChoice]:
    """Return the fields of a seat, with drafts for a form."""
    points, names = worth(state.options), names_for(state, number, seat)
    return {
        "cards": FieldChoice(complete=False, optional=seat in state.out, about=ABOUT_CARDS, draft=cards),
        "adjustments": FieldChoice(
            names, optional=True, draft=adjustments or None, worth={name: points[name] for name in names}
        ),
    }

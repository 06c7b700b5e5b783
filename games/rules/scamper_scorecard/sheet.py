"""What a score sheet of Scamper asks of a round's result, and what it tells of a card."""

from typing import Final

from games.engine import shapes
from games.engine.base import FieldChoice
from games.engine.jsontypes import Json, JsonObject
from games.engine.messages import text
from games.rules.scamper.state import Called
from games.rules.scamper_scorecard.card import SMALLEST_CARD, State, dealer, gone_out, names_for, worth
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


# ---- What it tells ---------------------------------------------------------------------------------


def facts(state: State, number: int) -> JsonObject:
    """Return contract and dealer of the round in play, the first dealer, and each adjustment's points."""
    return {
        "contract": state.options.contracts[number - 1].as_json(),
        "dealer": dealer(state, number),
        "first_dealer": state.options.first_dealer,
        "worth": worth(state.options),
    }


def row(state: State, number: int) -> JsonObject:
    """Return what a game on the server tells of a round."""
    return {
        "contract": state.options.contracts[number - 1].as_json(),
        "dealer": dealer(state, number),
        "out": gone_out(state, number),
        "cards": [held.cards or 0 for held in state.result(number).seats],
        "adjustments": [*_called(state, number), *_penalties(state, number)],
    }


def _called(state: State, number: int) -> list[Json]:
    points = worth(state.options)
    return [
        {"seat": seat, "name": name, "points": points[name]}
        for seat, held in enumerate(state.result(number).seats)
        for name in held.adjustments
    ]


def _penalties(state: State, number: int) -> list[Json]:
    return [
        {"seat": each.seat, "name": "penalty", "points": each.points}
        for each in state.penalties
        if each.round == number
    ]

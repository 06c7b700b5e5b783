"""What a score card of Scamper tells beside what all score cards do."""

from games.engine.jsontypes import Json, JsonObject
from games.rules.scamper_scorecard.card import State, dealer, gone_out, worth


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

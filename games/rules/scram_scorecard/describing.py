"""Moves of a score card in words that follow the actor's name."""

from typing import assert_never

from games.engine.messages import Message, all_of, seat, text
from games.rules.scram_scorecard.moves import Confirm, Correct, Enter, Move, Outcome


def describe(move: Move) -> Message:
    """Return the move in words."""
    match move:
        case Enter():
            return text("enters deal %(round)s: %(result)s", round=move.round, result=_result(move))
        case Correct():
            return text("corrects deal %(round)s: %(result)s", round=move.replaces, result=_result(move))
        case Confirm():
            return text("confirms deal %(round)s", round=move.round)
        case _:
            assert_never(move)


def _result(outcome: Outcome) -> Message:
    sums = all_of(["–" if camper.sum is None else str(camper.sum) for camper in outcome.seats])
    if outcome.scram is None:
        return text("%(sums)s, nobody declared Scram", sums=sums)
    return text("%(sums)s, %(seat)s declared Scram", sums=sums, seat=seat(outcome.scram))

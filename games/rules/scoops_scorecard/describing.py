"""Moves of a score card in words that follow the actor's name."""

from typing import assert_never

from games.engine.messages import Message, plural, seat, text
from games.rules.scoops_scorecard.moves import Confirm, Correct, Enter, Move, Outcome


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
    if outcome.winner is None:
        return text("%(goal)s, no winner", goal=outcome.goal)
    winner = seat(outcome.winner)
    if not outcome.bonus:
        return text("%(goal)s, %(seat)s wins", goal=outcome.goal, seat=winner)
    return plural(
        "%(goal)s, %(seat)s wins with %(count)s scoop bonus",
        "%(goal)s, %(seat)s wins with %(count)s scoop bonuses",
        outcome.bonus,
        goal=outcome.goal,
        seat=winner,
    )

"""Results of a round on a score card: their points, the end of the game, and what refuses impossible ones."""

from collections.abc import Iterator
from itertools import accumulate
from typing import Final, TypeAlias

from games.engine import messages
from games.engine.cards import SUITS
from games.engine.messages import plural, text
from games.engine.refusals import Illegal
from games.engine.scorecards import Card
from games.rules.scoops.contract import COFFEE, FLOAT, GOALS, Goal
from games.rules.scoops.rounds import packs_for
from games.rules.scoops_scorecard.fields import MOST_BOOKS, Options, Outcome

State: TypeAlias = Card[Options, Outcome]

SMALLEST_BOOK: Final = 3
MOST_LAID_FREELY: Final = {FLOAT: MOST_BOOKS, COFFEE: 2}
"""The most books in goals without parts: of nine cards in Float, of the eight after a discard in Coffee."""


def check_result(state: State, outcome: Outcome) -> None:
    """Raise `Illegal` for an impossible result."""
    for refusal in (*_wrong_winner(state, outcome), *_wrong_bonus(state, outcome)):
        raise refusal


def _wrong_winner(state: State, outcome: Outcome) -> Iterator[Illegal]:
    if outcome.winner is not None and outcome.winner >= state.seats:
        seat = messages.seat(outcome.winner)
        yield Illegal(text("There is no %(seat)s at this table.", seat=seat), "C1", ["winner"])


def _wrong_bonus(state: State, outcome: Outcome) -> Iterator[Illegal]:
    if outcome.winner is None and outcome.bonus:
        yield Illegal(text("Without a winner nobody has a scoop bonus."), "C11", ["bonus"])
    most = most_books(goal_named(outcome.goal), state.seats)
    if outcome.bonus > most:
        sentence = plural(
            "In %(goal)s at most %(count)s book can be of nothing but the special rank.",
            "In %(goal)s at most %(count)s books can be of nothing but the special rank.",
            most,
            goal=outcome.goal,
        )
        yield Illegal(sentence, "C11", ["bonus"])


def goal_named(name: str) -> Goal:
    """Return the goal of this name (C16)."""
    return next(goal for goal in GOALS if goal.name == name)


def most_books(goal: Goal, seats: int) -> int:
    """Return how many books of nothing but one rank can win a round with this goal (C1, C7, C16 to C18)."""
    left = len(SUITS) * packs_for(seats)
    free = [SMALLEST_BOOK] * MOST_LAID_FREELY.get(goal, 0)
    sizes = sorted(free or [part.size for part in goal.parts if "book" in part.kinds])
    return sum(used <= left for used in accumulate(sizes))


def worth(outcome: Outcome) -> int:
    """Return the winner's points in a round that counts: 1, and the bonus (C11, C12)."""
    return 1 + outcome.bonus


def end(state: State) -> int | None:
    """Return the number of the round that ends the game, by target or limit (C12); None if none did yet."""
    totals, target, limit = [0] * state.seats, state.options.target, state.options.round_limit
    for number, entry in enumerate(state.entries, 1):
        if (winner := entry.result.winner) is not None:
            totals[winner] += worth(entry.result)
        for penalty in state.penalties:
            totals[penalty.seat] += penalty.points * (penalty.round == number)
        if number == limit or max(totals) >= target:
            return number
    return None


def points(state: State, number: int) -> tuple[int, ...]:
    """Return each seat's points in a round; none in one that was played after the end of the game."""
    outcome, last = state.result(number), end(state)
    counts = last is None or number <= last
    return tuple(worth(outcome) * (counts and seat == outcome.winner) for seat in range(state.seats))

"""The score card of Scoops: its fields, what is written on it, and its printed sheet."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Annotated, Final, Literal, TypeAlias

from games.engine import messages
from games.engine.base import Form, FormRow
from games.engine.cards import SUITS
from games.engine.choosing import FieldChoice
from games.engine.messages import Message, plural, seat, text
from games.engine.paper import Card
from games.engine.refusals import Illegal
from games.engine.shapes import Between, Help, Length
from games.engine.views import MANY, EnteredRow, PaperView, PerSeat, Seat
from games.rules.scoops.contract import COFFEE, FLOAT, GOALS, Goal
from games.rules.scoops.moves import MOST_SEATS, RoundLimit, Target
from games.rules.scoops.rounds import packs_for

# ---- Fields --------------------------------------------------------------------------------------

MOST_BOOKS: Final = 3

GoalName: TypeAlias = Literal["Bowl", "Shake", "Cone", "Sandwich", "Float", "Coffee"]


@dataclass(frozen=True)
class Options:
    """The options of a score card."""

    target: Target = 3
    round_limit: RoundLimit = 30


@dataclass(frozen=True)
class Outcome:
    """The result of a round (C20)."""

    goal: Annotated[GoalName, Help("the goal that was rolled or assigned")]
    winner: Annotated[
        Annotated[int, Between(0, MOST_SEATS - 1)] | None, Help("the winner's seat; left out if nobody won")
    ] = None
    bonus: Annotated[
        int, Between(0, MOST_BOOKS), Help("the winner's books of nothing but the special rank")
    ] = 0


def in_words(outcome: Outcome) -> Message:
    """Return a result in words."""
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


# ---- Views -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row(EnteredRow):
    """An entered round."""

    goal: GoalName
    winner: Annotated[Seat | None, Help("the winner's seat, null if nobody won")]
    bonus: Annotated[int, Between(0, MOST_BOOKS), Help("the winner's scoop bonus")]
    penalties: Annotated[PerSeat, Help("the arbiter's part of each seat's score, 0 or below")]
    counts: Annotated[bool, Help("false if the game had ended before this deal")]


@dataclass(frozen=True)
class View(PaperView):
    """The fields of a view."""

    sheet: Annotated[tuple[Row, ...], Length(0, MANY), Help("a row for each entered deal")]
    target: Annotated[int, Between(1, 10), Help("the points that win the game")]


# ---- The card ------------------------------------------------------------------------------------

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
        yield Illegal("There is no %(seat)s at this table.", "C1", ["winner"], seat=seat)


def _wrong_bonus(state: State, outcome: Outcome) -> Iterator[Illegal]:
    if outcome.winner is None and outcome.bonus:
        yield Illegal("Without a winner nobody has a scoop bonus.", "C11", ["bonus"])
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


# ---- The printed sheet ---------------------------------------------------------------------------

ABOUT_BONUS: Final = text(
    "How many books of nothing but the special rank the winner has laid; each is one more point."
)


def result_fields(state: State, outcome: Outcome | None) -> dict[str, FieldChoice]:
    """Return the fields of a result, drafted from the present one; the winner is left out for nobody."""
    return {
        "goal": FieldChoice(tuple(goal.name for goal in GOALS), draft=outcome.goal if outcome else None),
        "winner": FieldChoice(
            tuple(range(state.seats)), optional=True, seats=True, draft=outcome.winner if outcome else None
        ),
        "bonus": FieldChoice(
            (0,),
            complete=False,
            optional=True,
            about=ABOUT_BONUS,
            draft=(outcome.bonus or None) if outcome else None,
        ),
    }


# ---- On paper ------------------------------------------------------------------------------------

MOST_ROWS: Final = 12
"""Rounds on a sheet: a game ends by itself, most often sooner."""


def form(options: Options) -> Form:
    """Return a row for each round; the first half of the goals stands above the other."""
    names = [f"{die} {goal.name}" for die, goal in enumerate(GOALS, 1)]
    upper, lower = " · ".join(names[:3]), " · ".join(names[3:])
    numbers = range(1, min(options.round_limit, MOST_ROWS) + 1)
    legend = (
        text("Circle the goal. The winner of a deal scores 1, and 1 for each book of nothing but specials."),
        text("Write a dash where nobody won, and under it the total so far."),
        text("First to %(target)s wins (C12).", target=options.target),
        text("For more than %(rounds)s deals take another sheet.", rounds=len(numbers)),
    )
    return Form(
        tuple(FormRow(number, upper, lower) for number in numbers),
        legend,
        first_dealer=None,
        heading=text("Goal"),
        placing=text("Place (highest total wins)"),
    )

"""The options of a score card of Scoops, the result of a round, and the fields of its views."""

from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from games.engine.messages import Message, plural, seat, text
from games.engine.shapes import Between, Help, Length
from games.engine.views import MANY, EnteredRow, PaperView, PerSeat, Seat
from games.rules.scoops.moves import MOST_SEATS, RoundLimit, Target

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

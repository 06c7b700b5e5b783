"""The fields of a view of a score card, and of a row of its score sheet."""

from dataclasses import dataclass
from typing import Annotated

from games.engine.shapes import Between, Help, Length
from games.engine.views import MANY, EnteredRow, PaperView, PerSeat, Seat
from games.rules.scoops_scorecard.moves import MOST_BOOKS, GoalName


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

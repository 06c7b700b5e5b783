"""The options and moves of a score card of Scoops."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from games.engine.shapes import Between, Help
from games.rules.scoops.moves import MOST_SEATS, RoundLimit, Target

MOST_ROUNDS: Final = 100
MOST_BOOKS: Final = 3

Number: TypeAlias = Annotated[int, Between(1, MOST_ROUNDS)]
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


@dataclass(frozen=True)
class Next:
    """The number of a round that is entered."""

    round: Annotated[Number, Help("its number, for safety: deals come in order")]


@dataclass(frozen=True)
class Replaced:
    """The number of a round that is corrected."""

    replaces: Annotated[Number, Help("the deal whose entry was wrong")]


@dataclass(frozen=True)
class Enter(Outcome, Next):
    """Enter the result of the next round."""


@dataclass(frozen=True)
class Correct(Outcome, Replaced):
    """Correct the result of a round."""


@dataclass(frozen=True)
class Confirm:
    """Confirm a round that another entered."""

    round: Annotated[Number, Help("the deal that is right")]


Move: TypeAlias = Enter | Correct | Confirm

MOVES: Final[Mapping[str, type]] = {"round": Enter, "correct": Correct, "confirm": Confirm}


def outcome(move: Enter | Correct) -> Outcome:
    """Return the result that a move enters."""
    return Outcome(move.goal, move.winner, move.bonus)

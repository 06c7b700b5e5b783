"""The options and moves of a score card of Scram!"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from games.engine.shapes import Between, Help, Length
from games.rules.scram.moves import Rounds, Seat

MOST_ROUNDS: Final = 10
MOST_SEATS: Final = 6
MOST_SUM: Final = 1000

Number: TypeAlias = Annotated[int, Between(1, MOST_ROUNDS)]


@dataclass(frozen=True)
class Options:
    """The options of a score card."""

    rounds: Rounds = None


@dataclass(frozen=True)
class Camper:
    """The result of a camper in a round."""

    sum: Annotated[
        Annotated[int, Between(0, MOST_SUM)] | None,
        Help("sum of the cards in the campsite (B15); left out for a seat that has left the game"),
    ] = None


@dataclass(frozen=True)
class Outcome:
    """The result of a round (B19)."""

    seats: Annotated[
        tuple[Camper, ...], Length(3, MOST_SEATS), Help("one for each seat, in order, without Scram's points")
    ]
    scram: Annotated[Seat | None, Help("the seat that declared Scram; left out if nobody did")] = None

    @property
    def sums(self) -> tuple[int, ...]:
        """Return each camper's sum, 0 where it is left out."""
        return tuple(camper.sum or 0 for camper in self.seats)


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
    return Outcome(move.seats, move.scram)

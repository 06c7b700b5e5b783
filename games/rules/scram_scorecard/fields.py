"""The options of a score card of Scram!, the result of a round, and the fields of its views."""

from dataclasses import dataclass
from typing import Annotated, Final

from games.engine import messages
from games.engine.messages import Message, all_of, text
from games.engine.shapes import Between, Help, Length
from games.engine.views import MANY, EnteredRow, PaperView, PerSeat, Seat
from games.rules.scram import moves

MOST_SEATS: Final = 6
MOST_SUM: Final = 1000


@dataclass(frozen=True)
class Options:
    """The options of a score card."""

    rounds: moves.Rounds = None


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
    scram: Annotated[moves.Seat | None, Help("the seat that declared Scram; left out if nobody did")] = None

    @property
    def sums(self) -> tuple[int, ...]:
        """Return each camper's sum, 0 where it is left out."""
        return tuple(camper.sum or 0 for camper in self.seats)


def in_words(outcome: Outcome) -> Message:
    """Return a result in words."""
    sums = all_of(["–" if camper.sum is None else str(camper.sum) for camper in outcome.seats])
    if outcome.scram is None:
        return text("%(sums)s, nobody declared Scram", sums=sums)
    return text("%(sums)s, %(seat)s declared Scram", sums=sums, seat=messages.seat(outcome.scram))


# ---- Views -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row(EnteredRow):
    """An entered round."""

    scram: Annotated[Seat | None, Help("the seat that declared Scram, null if nobody did")]
    sums: Annotated[PerSeat, Help("the sum of each camper's cards")]
    penalties: Annotated[PerSeat, Help("the arbiter's points for each camper")]


@dataclass(frozen=True)
class View(PaperView):
    """The fields of a view."""

    sheet: Annotated[tuple[Row, ...], Length(0, MANY), Help("a row for each entered deal")]
    teams: Annotated[tuple[Annotated[int, Between(0, 1)], ...], Length(3, 6), Help("the team of each seat")]

"""The fields of a view of a score card, and of a row of its score sheet."""

from dataclasses import dataclass
from typing import Annotated

from games.engine.shapes import Between, Help, Length
from games.engine.views import MANY, EnteredRow, PaperView, PerSeat, Seat


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

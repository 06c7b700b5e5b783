"""The result of a finished game."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.engine.base import ranked
from games.engine.jsontypes import JsonObject


@dataclass(frozen=True)
class Placing:
    """The final rank and score of a seat: rank 1 is best, equal seats share a rank."""

    seat: int
    rank: int
    score: int


@dataclass(frozen=True)
class Result:
    """The end of a finished game: a placing for each seat, in seat order, and the score sheet."""

    seats: tuple[Placing, ...]
    sheet: tuple[JsonObject, ...]

    def as_json(self) -> JsonObject:
        """Return ``{"seats": [{"seat", "rank", "score"}], "sheet": […]}``."""
        return {"seats": [{**vars(placing)} for placing in self.seats], "sheet": list(self.sheet)}


def with_the_out_last(ranks: Sequence[int], teams: Sequence[int], left: Sequence[int]) -> tuple[int, ...]:
    """Return the rank of each seat; those of teams that are not among the ``left`` ones come last."""
    if {*left} == {*teams}:
        return tuple(ranks)
    last = len(ranks) + 1
    return ranked([rank if team in left else last for rank, team in zip(ranks, teams, strict=True)])

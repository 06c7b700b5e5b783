"""The result of a finished game."""

from collections.abc import Hashable, Sequence
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


def among_sides(ranks: Sequence[int], sides: Sequence[Hashable]) -> tuple[int, ...]:
    """Return the place of each seat's side, counted among the sides; where nobody has won all are last."""
    best: dict[Hashable, int] = {}
    for rank, side in zip(ranks, sides, strict=True):
        best[side] = min(rank, best.get(side, rank))
    if min(ranks) > 1:
        return (len(best),) * len(ranks)
    return tuple(1 + sum(other < best[side] for other in best.values()) for side in sides)


def rank_leavers_last(ranks: Sequence[int], teams: Sequence[int], left: Sequence[int]) -> tuple[int, ...]:
    """Return the rank of each seat; those of teams that are not among the ``left`` ones come last."""
    if {*left} == {*teams}:
        return tuple(ranks)
    last = len(ranks) + 1
    return ranked([rank if team in left else last for rank, team in zip(ranks, teams, strict=True)])

"""Partners that change: who plays with whom at a table, as evenly as can be, then who against whom.

At tables of four, two against two, all partners of a round are found first: those pairs of entries, of all
ways to pair them, who were partners least often. Then pairs who met least often meet. Both are matchings of
the least cost, the best of several lots. So nobody has a partner again as long as all can have other ones:
always in a round whose number is at most half of those who play (Dirac's theorem: each could still have half
of the others).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Final, TypeAlias

from games.engine.chance import Chance
from league.core.drawing.cost import PARTNERS, History, SidesAt, mates, partners_again, partnerships
from league.core.drawing.least_cost import Costs, Tables
from league.core.drawing.pairing import best_pairs

TRIES: Final = 100
"""So many times the pairs of a round are made by other lots, fewer where many play."""
TRIED: Final = 2_000
"""About so many entries are paired in all tries together."""

Sides: TypeAlias = Sequence[int]


def are_two_pairs(sides_at: SidesAt) -> bool:
    """Return whether two pairs play at a table of four, and partners face each other."""
    return sides_at(4) == (0, 1, 0, 1)


@dataclass(frozen=True)
class Partners:
    """The partners of a round, by who was whose partner in rounds before; ``sides_at`` of a table's seats."""

    history: History
    sides_at: SidesAt
    chance: Chance

    def cost(self, tables: Sequence[Sequence[str]]) -> int:
        """Return how often those who are partners at tables, in seat order, were it before."""
        return partners_again(self.history, self.sides_at, tables)

    # ---- At one table ----------------------------------------------------------------------------

    def in_sides(self, table: Sequence[str]) -> list[str]:
        """Return a table's entries so that those were partners least often who are; else opponents most."""
        sides, history = self.sides_at(len(table)), self.history
        ways = _ways(self.chance.shuffled(f"sides {min(table)}", sorted(table)), _seats_of(sides))

        def cost(order: list[str]) -> tuple[int, int]:
            pairs = [*partnerships(order, sides)]
            together = sum(history.partners[one][other] for one, other in pairs)
            return together, -sum(history.opponents[one][other] for one, other in pairs)

        return min(([way[seat] for seat in range(len(table))] for way in ways), key=cost)

    def in_seats(self, table: Sequence[str]) -> tuple[str, ...]:
        """Return a table with its sides as they are, in seats as even as exchanges make them; else by lot."""
        lots = self.chance.shuffled(f"seats {min(table)}", sorted(table))

        def cost(order: Sequence[str]) -> tuple[int, list[int]]:
            had = (self.history.seat_cost(entry, seat) for seat, entry in enumerate(order))
            return sum(had), [*map(lots.index, order)]

        best, moves = tuple(table), [*_moves(self.sides_at(len(table)))]
        while True:
            better = min((tuple(best[at] for at in move) for move in moves), key=cost)
            if cost(better) >= cost(best):
                return best
            best = better

    # ---- At tables of four -----------------------------------------------------------------------

    def paired(self, playing: Sequence[str], costs: Costs) -> Iterator[Tables]:
        """Yield tables of four, in seat order, with the least frequent partners, each by other lots."""
        had = self.history.partners
        rows = [
            [cost + PARTNERS * had[one][other] for other, cost in zip(playing, row, strict=True)]
            for one, row in zip(playing, costs.meeting, strict=True)
        ]
        for number in range(max(1, min(TRIES, TRIED // len(playing)))):
            pairs = best_pairs(rows, self.chance, f"partners {number}")
            against = [[_between(costs, one, other) for other in pairs] for one in pairs]
            met = best_pairs(against, self.chance, f"opponents {number}")
            yield [[*chain(*zip(pairs[one], pairs[other], strict=True))] for one, other in met]


def _between(costs: Costs, one_pair: Sequence[int], other_pair: Sequence[int]) -> int:
    return sum(costs.meeting[one][other] for one in one_pair for other in other_pair)


def _seats_of(sides: Sides) -> list[list[int]]:
    return [[seat for seat, each in enumerate(sides) if each == side] for side in sorted({*sides})]


def _ways(left: Sequence[str], sides: Sequence[Sequence[int]]) -> Iterator[dict[int, str]]:
    """Yield all ways to divide those left into sides with the given seats, as who sits where."""
    if not left:
        yield {}
        return
    first, *rest = left
    for size in sorted({len(seats) for seats in sides}):
        seats = next(seats for seats in sides if len(seats) == size)
        others = [each for each in sides if each is not seats]
        for company in combinations(rest, size - 1):
            here = dict(zip(seats, (first, *company), strict=True))
            for way in _ways([one for one in rest if one not in company], others):
                yield here | way


def _moves(sides: Sides) -> Iterator[tuple[int, ...]]:
    """Yield exchanges that keep the sides, as who comes to each seat: of two partners, or of two sides."""
    for one, other in mates(sides):
        yield _exchanged(len(sides), [one], [other])
    for here, there in combinations(_seats_of(sides), 2):
        if len(here) == len(there):
            yield _exchanged(len(sides), here, there)


def _exchanged(seats: int, here: Sequence[int], there: Sequence[int]) -> tuple[int, ...]:
    to = dict(zip([*here, *there], [*there, *here], strict=True))
    return tuple(to.get(seat, seat) for seat in range(seats))

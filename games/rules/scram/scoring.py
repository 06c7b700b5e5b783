"""The scores of rounds, and totals and ranks (B5, B15 to B17)."""

from collections.abc import Sequence

from games.engine.base import ranked
from games.rules.scram.state import Row, teams_of

SCRAM_LOST = 10


def team_sums(sums: Sequence[int]) -> tuple[int, int]:
    """Return the sum of each team (B15)."""
    teams = teams_of(len(sums))
    first = sum(own for own, team in zip(sums, teams, strict=True) if team == 0)
    return first, sum(sums) - first


def round_scores(sums: Sequence[int], scram: int | None, penalties: Sequence[int]) -> tuple[int, ...]:
    """Return the score of each seat's team in a round: sum, Scram and penalties (B15, B16, B18)."""
    recorded, teams = list(team_sums(sums)), teams_of(len(sums))
    if scram is not None:
        declaring = teams[scram]
        won = recorded[declaring] <= recorded[1 - declaring]
        recorded[declaring] = 0 if won else recorded[declaring] + SCRAM_LOST
    added = team_sums(penalties)
    return tuple(recorded[team] + added[team] for team in teams)


def next_start(row: Row) -> int:
    """Return the seat that starts the next round (B5): of the leading team, that with the lowest sum."""
    best, seats = min(row.scores), len(row.sums)
    clockwise = [(row.start + step) % seats for step in range(1, seats + 1)]
    return min((seat for seat in clockwise if row.scores[seat] == best), key=lambda seat: row.sums[seat])


def totals(rows: Sequence[Row], seats: int) -> tuple[int, ...]:
    """Return the total of each seat's team over the finished rounds."""
    return tuple(sum(row.scores[seat] for row in rows) for seat in range(seats))


def ranks(rows: Sequence[Row], seats: int) -> tuple[int, ...]:
    """Return the rank of each seat (B17): 1 for the winning team, the next free rank for the other.

    Between teams with equal totals the last round decides, then the round before, and so on; with 3 campers
    the solo wins. If all rounds are equal, no team wins: every seat has the rank of a losing team.
    """
    standings = [_standing(rows, seat, seats) for seat in range(seats)]
    best_first = sorted({*standings})
    if len(best_first) == 1:
        return (1 + seats // 2,) * seats
    return ranked([best_first.index(standing) for standing in standings])


def _standing(rows: Sequence[Row], seat: int, seats: int) -> tuple[int, ...]:
    """Return a sort key, lowest first: the total, then the tie-breaks (B17)."""
    total = totals(rows, seats)[seat]
    if seats == 3:
        return (total, teams_of(seats)[seat])
    return (total, *(row.scores[seat] for row in reversed(rows)))

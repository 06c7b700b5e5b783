"""From campsites to points, and from rounds to ranks (B5, B15 to B17)."""

from collections.abc import Sequence

from games.engine.base import ranked
from games.rules.scram.state import Row, teams_of

SCRAM_LOST = 10


def team_sums(sums: Sequence[int]) -> tuple[int, int]:
    """Return what each team's campers have together (B15)."""
    teams = teams_of(len(sums))
    first, second = (sum(own for own, of in zip(sums, teams, strict=True) if of == team) for team in (0, 1))
    return first, second


def round_scores(sums: Sequence[int], scram: int | None, penalties: Sequence[int]) -> tuple[int, ...]:
    """Return each seat's score in a round, its team's: sum, Scram and penalties (B15, B16, B18)."""
    recorded, teams = list(team_sums(sums)), teams_of(len(sums))
    if scram is not None:
        declaring = teams[scram]
        won = recorded[declaring] <= recorded[1 - declaring]
        recorded[declaring] = 0 if won else recorded[declaring] + SCRAM_LOST
    added = team_sums(penalties)
    return tuple(recorded[team] + added[team] for team in teams)


def next_start(row: Row) -> int:
    """Return who begins the round after this one (B5): of the team ahead, the camper with the lowest sum."""
    best, seats = min(row.scores), len(row.sums)
    clockwise = [(row.start + step) % seats for step in range(1, seats + 1)]
    return min((seat for seat in clockwise if row.scores[seat] == best), key=lambda seat: row.sums[seat])


def totals(rows: Sequence[Row], seats: int) -> tuple[int, ...]:
    """Return each seat's score over the finished rounds, its team's."""
    return tuple(sum(row.scores[seat] for row in rows) for seat in range(seats))


def ranks(rows: Sequence[Row], seats: int) -> tuple[int, ...]:
    """Return the rank of each seat (B17): 1 for the team that wins, for the other the place behind it.

    Level teams are told apart by their last round, then the round before, and so on; with 3 campers the solo
    wins. Level to the end, nobody wins: every seat then has the rank that a losing team has (3 of 4, 4 of 6),
    and nobody has rank 1.
    """
    standings = [_standing(rows, seat, seats) for seat in range(seats)]
    best_first = sorted({*standings})
    if len(best_first) == 1:
        return (1 + seats // 2,) * seats
    return ranked([best_first.index(standing) for standing in standings])


def _standing(rows: Sequence[Row], seat: int, seats: int) -> tuple[int, ...]:
    """Return what ranks a seat, least first: its total, then what tells level teams apart (B17)."""
    total = totals(rows, seats)[seat]
    if seats == 3:
        return (total, teams_of(seats)[seat])
    return (total, *(row.scores[seat] for row in reversed(rows)))

"""The scores of rounds, and totals and ranks (B5, B15 to B17)."""

from collections.abc import Sequence
from typing import Protocol

from games.engine.base import ranked
from games.rules.scram.state import Adjustment, Row, teams_of

SCRAM_LOST = 10


class Scored(Protocol):
    """A round with the score of each seat's team."""

    @property
    def scores(self) -> tuple[int, ...]: ...


def team_sums(sums: Sequence[int]) -> tuple[int, int]:
    """Return the sum of each team (B15)."""
    teams = teams_of(len(sums))
    first = sum(own for own, team in zip(sums, teams, strict=True) if team == 0)
    return first, sum(sums) - first


def adjustments(sums: Sequence[int], scram: int | None) -> tuple[Adjustment, ...]:
    """Return what Scram changes in a round's scores, nothing if nobody declared it (B16)."""
    if scram is None:
        return ()
    of_team, declaring = team_sums(sums), teams_of(len(sums))[scram]
    if of_team[declaring] <= of_team[1 - declaring]:
        return (Adjustment(scram, "scram_won", -of_team[declaring]),)
    return (Adjustment(scram, "scram_lost", SCRAM_LOST),)


def round_scores(sums: Sequence[int], scram: int | None, penalties: Sequence[int]) -> tuple[int, ...]:
    """Return the score of each seat's team in a round: sum, Scram and penalties (B15, B16, B18)."""
    points = [own + penalty for own, penalty in zip(sums, penalties, strict=True)]
    for adjustment in adjustments(sums, scram):
        points[adjustment.seat] += adjustment.points
    of_team = team_sums(points)
    return tuple(of_team[team] for team in teams_of(len(sums)))


def next_start(row: Row) -> int:
    """Return the seat that starts the next round (B5): of the leading team, that with the lowest sum."""
    best, seats = min(row.scores), len(row.sums)
    clockwise = [(row.start + step) % seats for step in range(1, seats + 1)]
    return min((seat for seat in clockwise if row.scores[seat] == best), key=lambda seat: row.sums[seat])


def totals(rows: Sequence[Scored], penalties: Sequence[int]) -> tuple[int, ...]:
    """Return the total of each seat's team over the finished rounds and the penalties of this one (B18)."""
    of_team = team_sums(penalties)
    return tuple(
        sum(row.scores[seat] for row in rows) + of_team[team]
        for seat, team in enumerate(teams_of(len(penalties)))
    )


def ranks(rows: Sequence[Scored], penalties: Sequence[int]) -> tuple[int, ...]:
    """Return the rank of each seat (B17): 1 for the winning team, the next free rank for the other.

    Between teams with equal totals the last round decides, then the round before, and so on; with 3 campers
    the solo wins. If all rounds are equal, no team wins: every seat has the rank of a losing team.
    """
    seats = len(penalties)
    standings = _standings(rows, penalties)
    best_first = sorted({*standings})
    if len(best_first) == 1:
        return (1 + seats // 2,) * seats
    return ranked([best_first.index(standing) for standing in standings])


def _standings(rows: Sequence[Scored], penalties: Sequence[int]) -> list[tuple[int, ...]]:
    """Return a sort key for each seat, lowest first: the total, then the tie-breaks (B17)."""
    of_teams = zip(totals(rows, penalties), teams_of(len(penalties)), strict=True)
    if len(penalties) == 3:
        return [*of_teams]
    return [
        (total, *(row.scores[seat] for row in reversed(rows))) for seat, (total, _) in enumerate(of_teams)
    ]

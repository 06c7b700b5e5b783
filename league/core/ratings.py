"""Ratings of players at tables of any size, teams included, by openskill's Bradley-Terry model, full pairs.

The model (Weng and Lin, "A Bayesian approximation method for online ranking", JMLR 12, 2011, algorithm 1)
describes each player's skill by a mean and a standard deviation, and compares each team with every other one
at the table. A team's mean changes by the sum, over the others, of a positive weight times the result (1, 1/2
or 0) less the expected result; its deviation does not depend on the results. So a better place of one's own
never lowers the rating, and of teams with equal ratings the better placed never gains less. That does not
hold for the package's Plackett-Luce model where places are shared.

A ruleset's ratings are a fold over its finished games in the order in which they ended, so they can be
deleted and computed again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import BradleyTerryFull

from games import rules
from league.core.state.competition import Competition, Table

MODEL: Final = BradleyTerryFull()
SCALE: Final = 60
"""Points for one unit of the model: new players have 1500 with a deviation of 500."""


@dataclass(frozen=True)
class RatedGame:
    """A finished game: the players of each team, and the teams' ranks; 1 is best, equal teams share one."""

    teams: tuple[tuple[str, ...], ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True)
class Rating:
    """The estimate of a player's skill after some games, in units of the model."""

    mean: float = MODEL.mu
    deviation: float = MODEL.sigma
    games: int = 0

    @property
    def points(self) -> int:
        """Return the mean in points."""
        return round(SCALE * self.mean)

    @property
    def uncertainty(self) -> int:
        """Return the deviation in points: the skill is within twice this much in 95 % of cases."""
        return round(SCALE * self.deviation)

    @property
    def sure_points(self) -> int:
        """Return the points that the skill almost certainly exceeds: leaderboards sort by them."""
        return self.points - 3 * self.uncertainty


NEW_PLAYER: Final = Rating()


# ---- Which games count ---------------------------------------------------------------------------


@dataclass(frozen=True)
class RatedResult:
    """A result that counts for ratings: a game, and seat, player and rank of all who played it."""

    game: str
    seats: tuple[tuple[int, str, int], ...]


def rated_results(state: Competition) -> Iterator[RatedResult]:
    """Yield the results of a competition that count for ratings, newest rounds first.

    Void tables, walkovers and no-shows do not count. A ruling is the result of the table's last game, whether
    that was finished or not.
    """
    for _, _, table in state.tables():
        if table.void is None and not table.walked_over:
            yield from _rated_at(table, state.opening.ruleset)


def _rated_at(table: Table, ruleset: str) -> Iterator[RatedResult]:
    finished = [(game.id, game.result) for game in table.counted_games if game.result]
    if table.ruling:
        finished = [(game.id, table.ruling) for game in table.games[-1:]]
    away = {entry for entry, outcome in table.outcomes if outcome != "forfeit"}
    for game, result in finished:
        placings = sorted(result.placings, key=lambda each: each.seat)
        entries = [table.seats[each.seat].entry for each in placings]
        places = rules.places(ruleset, [each.rank for each in placings], entries)
        seats = [(at.seat, table.seats[at.seat], place) for at, place in zip(placings, places, strict=True)]
        present = tuple((number, seat.player, rank) for number, seat, rank in seats if seat.entry not in away)
        if len(present) > 1:
            yield RatedResult(game, present)


# ---- Computing them ------------------------------------------------------------------------------


def rated_game(players: Sequence[str], teams: Sequence[int], ranks: Sequence[int]) -> RatedGame:
    """Return a game from its seats: each seat's player, team and rank."""
    numbers = sorted({*teams})
    members = {
        team: tuple(player for player, own in zip(players, teams, strict=True) if own == team)
        for team in numbers
    }
    best = {
        team: min(rank for rank, own in zip(ranks, teams, strict=True) if own == team) for team in numbers
    }
    return RatedGame(tuple(members.values()), tuple(best.values()))


def ratings(games: Iterable[RatedGame]) -> Mapping[str, Rating]:
    """Return every player's rating after all games, in their order."""
    current: dict[str, Rating] = {}
    for changed in history(games):
        current |= changed
    return current


def history(
    games: Iterable[RatedGame], before: Mapping[str, Rating] | None = None
) -> Iterator[Mapping[str, Rating]]:
    """Yield for each game the ratings of its players after it; ``before`` are those before the first."""
    current = dict(before or {})
    for game in games:
        changed = _after(game, current)
        current |= changed
        yield changed


def _after(game: RatedGame, current: Mapping[str, Rating]) -> dict[str, Rating]:
    before = [[current.get(player, NEW_PLAYER) for player in team] for team in game.teams]
    teams = [[MODEL.rating(mu=each.mean, sigma=each.deviation) for each in team] for team in before]
    rated = MODEL.rate(teams, ranks=list(game.ranks))
    return {
        player: Rating(new.mu, new.sigma, old.games + 1)
        for players, olds, news in zip(game.teams, before, rated, strict=True)
        for player, old, new in zip(players, olds, news, strict=True)
    }

"""Ratings of players at tables of any size, teams included, by the Plackett-Luce model of openskill.

The model ("A Bayesian approximation method for online ranking", JMLR 12, 2011) holds a belief of each player,
a mean and a deviation. A ruleset's ratings are a fold over its finished games
in the order in which they ended, so that they can be thrown away and computed again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce

MODEL: Final = PlackettLuce()
SCALE: Final = 60
"""Points for one unit of the model: newcomers are believed to be at 1500, give or take 500."""


@dataclass(frozen=True)
class RatedGame:
    """A finished game: the players of each team, and the teams' ranks, 1 the best, equal teams sharing."""

    teams: tuple[tuple[str, ...], ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True)
class Rating:
    """What is believed of a player's skill after some games."""

    mean: float = MODEL.mu
    deviation: float = MODEL.sigma
    games: int = 0

    @property
    def points(self) -> int:
        """Return the skill in points."""
        return round(SCALE * self.mean)

    @property
    def uncertainty(self) -> int:
        """Return the deviation in points: skill lies within twice as much in nineteen cases of twenty."""
        return round(SCALE * self.deviation)

    @property
    def sure_points(self) -> int:
        """Return the points that the player's skill is all but sure to exceed: what leaderboards sort by."""
        return self.points - 3 * self.uncertainty


def rated_game(players: Sequence[str], teams: Sequence[int], ranks: Sequence[int]) -> RatedGame:
    """Return a game from its seats: each seat's player, team and rank."""
    numbers = sorted({*teams})
    members = {
        team: tuple(player for player, its_team in zip(players, teams, strict=True) if its_team == team)
        for team in numbers
    }
    best = {
        team: min(rank for rank, its in zip(ranks, teams, strict=True) if its == team) for team in numbers
    }
    return RatedGame(tuple(members.values()), tuple(best.values()))


def ratings(games: Iterable[RatedGame]) -> Mapping[str, Rating]:
    """Return every player's rating after all games, in their order."""
    believed: dict[str, Rating] = {}
    for changed in history(games):
        believed |= changed
    return believed


def history(games: Iterable[RatedGame]) -> Iterator[Mapping[str, Rating]]:
    """Yield for each game the ratings of its players after it."""
    believed: dict[str, Rating] = {}
    for game in games:
        changed = _after(game, believed)
        believed |= changed
        yield changed


def _after(game: RatedGame, believed: Mapping[str, Rating]) -> dict[str, Rating]:
    before = [[believed.get(player, Rating()) for player in team] for team in game.teams]
    asked = [[MODEL.rating(mu=each.mean, sigma=each.deviation) for each in team] for team in before]
    answered = MODEL.rate(asked, ranks=list(game.ranks))
    return {
        player: Rating(after.mu, after.sigma, was.games + 1)
        for players, team, afters in zip(game.teams, before, answered, strict=True)
        for player, was, after in zip(players, team, afters, strict=True)
    }

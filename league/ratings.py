"""Ratings of players at tables of any size, teams included, by the Plackett-Luce model of openskill.

The model ("A Bayesian approximation method for online ranking", JMLR 12, 2011) holds a belief of each player,
a mean and a deviation. A ruleset's ratings are a fold over its finished games
in the order in which they ended, so that they can be thrown away and computed again.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce

from league.competition.state import Competition, Table

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


NOTHING_KNOWN: Final = Rating()


# ---- Which games count ---------------------------------------------------------------------------


@dataclass(frozen=True)
class RatedResult:
    """How a game of a competition counts: seat, player and rank of all that played, in seat order."""

    game: str
    seats: tuple[tuple[int, str, int], ...]


def rated_results(state: Competition) -> Iterator[RatedResult]:
    """Yield the results of a competition that count for ratings, those of the newest rounds first.

    A table that is void or walked over does not count, nor does who did not come to one. A ruling counts in
    place of the game that it corrects; where no game was played to its end there is nothing to rate.
    """
    for _, _, table in state.tables():
        if table.void is None and not table.walked_over:
            yield from _rated_at(table)


def _rated_at(table: Table) -> Iterator[RatedResult]:
    finished = [(game.id, game.result) for game in table.games if game.result]
    if table.ruling:
        finished = [(game, table.ruling) for game, _ in finished[-1:]]
    away = {entry for entry, outcome in table.outcomes if outcome != "forfeit"}
    for game, result in finished:
        ranks = sorted((each.seat, each.rank) for each in result.placings)
        seats = [(seat, table.seats[seat], rank) for seat, rank in ranks]
        present = tuple((seat, who.player, rank) for seat, who, rank in seats if who.entry not in away)
        if len(present) > 1:
            yield RatedResult(game, present)


# ---- What they do --------------------------------------------------------------------------------


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


def history(
    games: Iterable[RatedGame], before: Mapping[str, Rating] | None = None
) -> Iterator[Mapping[str, Rating]]:
    """Yield for each game the ratings of its players after it; ``before`` are those before the first."""
    believed = dict(before or {})
    for game in games:
        changed = _after(game, believed)
        believed |= changed
        yield changed


def _after(game: RatedGame, believed: Mapping[str, Rating]) -> dict[str, Rating]:
    before = [[believed.get(player, NOTHING_KNOWN) for player in team] for team in game.teams]
    asked = [[MODEL.rating(mu=each.mean, sigma=each.deviation) for each in team] for team in before]
    answered = MODEL.rate(asked, ranks=list(game.ranks))
    return {
        player: Rating(after.mu, after.sigma, was.games + 1)
        for players, team, afters in zip(game.teams, before, answered, strict=True)
        for player, was, after in zip(players, team, afters, strict=True)
    }

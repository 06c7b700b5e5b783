"""What a player has done: results, meetings with each opponent, and ratings over time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from games.models import Game
from league import selectors
from league.models import ClubGame, GameRating, Player, Rating
from league.selectors import SeatedPlayer

RESULTS_SHOWN: Final = 50
RATINGS_SHOWN: Final = 100


@dataclass(frozen=True)
class Played:
    """A finished game of a player: rank 1 is best, and each opponent's rank beside the player's own."""

    place: ClubGame
    finished_at: datetime
    rank: int
    score: int
    against: tuple[tuple[Player, int], ...]

    @property
    def opponents(self) -> tuple[Player, ...]:
        """Return who sat there of other teams."""
        return tuple(opponent for opponent, _ in self.against)


@dataclass(frozen=True)
class Meetings:
    """How often two players met, and how often the first came out ahead, level and behind."""

    opponent: Player
    met: int
    ahead: int
    level: int
    behind: int


@dataclass(frozen=True)
class Course:
    """A player's rating in one game, and its course: the latest rated games, oldest first."""

    rating: Rating
    history: tuple[GameRating, ...]

    @property
    def latest_first(self) -> tuple[GameRating, ...]:
        """Return the rated games, the latest first."""
        return self.history[::-1]


@dataclass(frozen=True)
class Record:
    """A player's record."""

    player: Player
    results: tuple[Played, ...]
    head_to_head: tuple[Meetings, ...]
    ratings: tuple[Course, ...]


def of(player: Player) -> Record:
    """Return the player's record over all finished games, the latest results only.

    Five queries, and one more for each game that the player is rated in.
    """
    finished = selectors.games_of_player(player).filter(game__status=Game.Status.FINISHED)
    places = list(finished.order_by("-game__moved_at", "game"))
    seats = selectors.seated_at([place.game for place in places])
    played = [_played(place, seats[place.game_id], player) for place in places]
    return Record(player, tuple(played[:RESULTS_SHOWN]), _meetings(played), courses(player))


def courses(player: Player) -> tuple[Course, ...]:
    """Return the player's ratings with their courses, the game most often rated first."""
    return tuple(_course(rating) for rating in selectors.ratings_of(player))


def _course(rating: Rating) -> Course:
    latest = selectors.rating_history(rating.player_id, rating.ruleset)[:RATINGS_SHOWN]
    return Course(rating, tuple(reversed(latest)))


def _played(place: ClubGame, seats: Sequence[SeatedPlayer], player: Player) -> Played:
    result: Mapping[str, Any] = place.game.result or {}
    placings: Mapping[int, Mapping[str, int]] = {row["seat"]: row for row in result["seats"]}
    own = next(seat for seat in seats if seat.player == player)
    others = [(seat.player, seat.seat) for seat in seats if seat.player and seat.team != own.team]
    against = tuple((opponent, placings[seat]["rank"]) for opponent, seat in others)
    mine = placings[own.seat]
    return Played(place, place.game.moved_at, mine["rank"], mine["score"], against)


def _meetings(played: Sequence[Played]) -> tuple[Meetings, ...]:
    """Return the meetings with each opponent, whom the player met most often first."""
    found: dict[UUID, tuple[Player, list[int]]] = {}
    for game in played:
        for opponent, rank in game.against:
            found.setdefault(opponent.pk, (opponent, []))[1].append(rank - game.rank)
    meetings = [_counted(opponent, leads) for opponent, leads in found.values()]
    return tuple(sorted(meetings, key=lambda each: (-each.met, each.opponent.search_name, each.opponent.pk)))


def _counted(opponent: Player, leads: Sequence[int]) -> Meetings:
    ahead, behind = sum(lead > 0 for lead in leads), sum(lead < 0 for lead in leads)
    return Meetings(opponent, len(leads), ahead, len(leads) - ahead - behind, behind)

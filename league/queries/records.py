"""A player's record: results, meetings with each opponent, and ratings over time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import QuerySet

from games.models import Seat
from league.models import Account, ClubGame, GameRating, Player, Rating
from league.queries.games import (
    SeatedPlayer,
    games_of_player,
    placings_of,
    seated_at,
    with_result,
)
from league.queries.privacy import is_shown
from league.queries.ratings import rating_history, ratings_of

RESULTS_SHOWN: Final = 50
RATINGS_SHOWN: Final = 100


@dataclass(frozen=True)
class Played:
    """A finished game of a player: their rank, 1 the best, and score, and the rank of each opponent."""

    club_game: ClubGame
    finished_at: datetime
    rank: int
    score: int
    against: tuple[tuple[Player, int], ...]

    @property
    def opponents(self) -> tuple[Player, ...]:
        """Return the players of other teams."""
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
    """A player's rating in one ruleset, and its history: the latest rated games, oldest first."""

    rating: Rating
    history: tuple[GameRating, ...]

    @property
    def latest_first(self) -> tuple[GameRating, ...]:
        """Return the rated games, the latest first."""
        return self.history[::-1]


@dataclass(frozen=True)
class Record:
    """A player's record; empty where the player doesn't let the viewer see it, which ``shown`` says."""

    player: Player
    shown: bool
    results: tuple[Played, ...]
    head_to_head: tuple[Meetings, ...]
    ratings: tuple[Course, ...]


def of(player: Player, viewer: Account | None) -> Record:
    """Return the player's record over all games with a result, by a ruling too, the latest results only.

    Ten queries, and one more for each game that the player is rated in.
    """
    if not is_shown(player, viewer):
        return Record(player, False, (), (), ())
    finished = with_result(games_of_player(player))
    latest = list(_with_ranks(finished).order_by("-game__moved_at", "game_id")[:RESULTS_SHOWN])
    seats = seated_at([club_game.game for club_game in latest])
    played = tuple(_played(club_game, seats[club_game.game_id], player) for club_game in latest)
    return Record(player, True, played, meetings(player), courses(player))


def _with_ranks(games: QuerySet[ClubGame]) -> QuerySet[ClubGame]:
    """Return games with the ranks that rulings set; one query more for all."""
    return games.prefetch_related("table__seats")


def courses(player: Player) -> tuple[Course, ...]:
    """Return the player's ratings with their courses, the game most often rated first."""
    return tuple(_course(rating) for rating in ratings_of(player))


def _course(rating: Rating) -> Course:
    latest = rating_history(rating.player_id, rating.ruleset)[:RATINGS_SHOWN]
    return Course(rating, tuple(reversed(latest)))


def _played(club_game: ClubGame, seats: Sequence[SeatedPlayer], player: Player) -> Played:
    placings = placings_of(club_game)
    own = next(seat for seat in seats if seat.player == player)
    others = [(seat.player, seat.seat) for seat in seats if seat.player and seat.team != own.team]
    against = tuple((opponent, placings[seat]["rank"]) for opponent, seat in others)
    mine = placings[own.seat]
    return Played(club_game, club_game.game.moved_at, mine["rank"], mine["score"], against)


# ---- Meetings ------------------------------------------------------------------------------------


def meetings(player: Player) -> tuple[Meetings, ...]:
    """Return the meetings with each opponent, the most frequent one first; four queries."""
    leads = _leads(player)
    opponents = Player.objects.in_bulk(leads)
    counted = [_counted(opponents[key], ahead) for key, ahead in leads.items() if key in opponents]
    return tuple(sorted(counted, key=lambda each: (-each.met, each.opponent.search_name, each.opponent.pk)))


def _leads(player: Player) -> Mapping[UUID, Sequence[int]]:
    """Return by opponent, for each finished game, by how many ranks the player was ahead."""
    finished = with_result(games_of_player(player))
    placings = {each.game_id: placings_of(each) for each in _with_ranks(finished)}
    leads: dict[UUID, list[int]] = {}
    for game, seats in _seats(finished).items():
        ranks = {seat: each["rank"] for seat, each in placings[game].items()}
        own, team = next((number, team) for number, team, sits in seats if sits == player.pk)
        for number, its, sits in seats:
            if its != team:
                leads.setdefault(sits, []).append(ranks[number] - ranks[own])
    return leads


def _seats(games: QuerySet[ClubGame]) -> Mapping[UUID, Sequence[tuple[int, int, UUID]]]:
    """Return number, team and player of each seat that somebody has, by game."""
    seats: dict[UUID, list[tuple[int, int, UUID]]] = {}
    rows = Seat.objects.filter(game__in=games.order_by().values("game")).values_list(
        "game", "number", "team", "player"
    )
    for game, number, team, player in rows:
        if player:
            seats.setdefault(game, []).append((number, team, player))
    return seats


def _counted(opponent: Player, leads: Sequence[int]) -> Meetings:
    ahead, behind = sum(lead > 0 for lead in leads), sum(lead < 0 for lead in leads)
    return Meetings(opponent, len(leads), ahead, len(leads) - ahead - behind, behind)

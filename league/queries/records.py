"""A player's record: results, meetings with each opponent, and ratings over time."""

from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Final
from uuid import UUID

from django.db.models import Count, F, OuterRef, QuerySet, Subquery, UUIDField, Window
from django.db.models.functions import Coalesce

from games import log, rules
from games.models import Game, Seat
from league.models import Account, Club, ClubGame, GameRating, Player, Rating
from league.queries.games import (
    SeatedPlayer,
    games_of_player,
    placings_of,
    seated_at,
    sides_of_seats,
    with_result,
)
from league.queries.permissions import ids_of_shown, is_shown, shown_to

# ---- Ratings -------------------------------------------------------------------------------------

GAMES_FOR_A_RECORD: Final = 10
"""Before that many games a rating swings widely."""


def ratings_of(player: Player) -> QuerySet[Rating]:
    """Return the player's ratings, one for each game, the most often rated first."""
    return Rating.objects.filter(player=player).order_by("-games", "ruleset")


def rating_history(player_id: UUID, ruleset: str) -> QuerySet[GameRating]:
    """Return the rated games of a player in the game of a ruleset, the last that ended first."""
    rows = GameRating.objects.filter(player=player_id, ruleset=rules.game_key(ruleset))
    return rows.order_by("-ended_at", "-game_id")


def rating_after(game: Game, player: Player) -> GameRating | None:
    """Return the rating of a player after a rated game, None where the game is not rated, or not yet."""
    return GameRating.objects.filter(game=game, player=player).first()


def rating_list(club: Club, ruleset: str) -> QuerySet[Rating]:
    """Return the ratings of the club's active players in the game of a ruleset, by ``sure_points``."""
    rows = Rating.objects.filter(club=club, ruleset=rules.game_key(ruleset), player__active=True)
    rows = rows.select_related("player")
    return rows.order_by("-sure_points", "-points", "player__sort_name", "player_id")


def ratings_shown(club: Club, ruleset: str, viewer: Account | None) -> QuerySet[Rating]:
    """Return the club's rating list, with those of its players who let the viewer see them."""
    players = shown_to(viewer, Player.objects.filter(club=club))
    return rating_list(club, ruleset).filter(player__in=players)


@dataclass(frozen=True)
class RatingRecord:
    """The highest rating that anybody had in a game, and who played most, in so many rated games.

    There is no highest rating before somebody has played ``enough``. ``others`` played as many as ``most``.
    """

    enough: ClassVar[int] = GAMES_FOR_A_RECORD

    ruleset: str
    highest: GameRating | None
    most: Player
    games: int
    others: int


def rating_records(club: Club) -> Sequence[RatingRecord]:
    """Return the records in each rated game of a club, of players whom everybody may see; two queries."""
    players = shown_to(None, Player.objects.filter(club=club))
    rated = GameRating.objects.filter(club=club, player__in=players, games__gte=GAMES_FOR_A_RECORD)
    rated = rated.order_by("ruleset", "-mean", "ended_at", "game_id", "player_id").distinct("ruleset")
    highest = {each.ruleset: each for each in rated.select_related("player")}
    most = Rating.objects.filter(club=club, player__in=players).select_related("player")
    most = most.annotate(level=Window(Count("pk"), partition_by=["ruleset", "games"]))
    most = most.order_by("ruleset", "-games", "player__sort_name", "player_id").distinct("ruleset")
    return [
        RatingRecord(each.ruleset, highest.get(each.ruleset), each.player, each.games, each.level - 1)
        for each in most
    ]


def rated_rulesets(club: Club) -> Sequence[str]:
    """Return the rulesets in which the club has a rating list, the one with most players first."""
    counted = Rating.objects.filter(club=club, player__active=True).values("ruleset").order_by()
    found = counted.annotate(players=Count("pk")).order_by("-players", "ruleset")
    return [row["ruleset"] for row in found]


# ---- Records -------------------------------------------------------------------------------------

RESULTS_SHOWN: Final = 50
RATINGS_SHOWN: Final = 100
RIVALS_SHOWN: Final = 3
_LIKELY: Final = 20
"""How many of the best scores in a game are looked at for one that nobody left."""


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
class Best:
    """A player's best score in a game of cards, by its key, and where it was reached first."""

    game: str
    club_game: ClubGame
    score: int


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
    bests: tuple[Best, ...] = ()

    @property
    def games(self) -> Set[str]:
        """Return the keys of the games of ratings and best scores."""
        return {each.rating.ruleset for each in self.ratings} | {each.game for each in self.bests}


def of(player: Player, viewer: Account | None) -> Record:
    """Return the player's record over all games with a result, by a ruling too, the latest results only.

    Nine queries, and one more for each game that the player is rated in. Raises Player.DoesNotExist for who
    isn't shown to the viewer, and never played or has no public name.
    """
    if not is_shown(player, viewer):
        if not (player.appeared and player.has_page):
            raise Player.DoesNotExist
        return Record(player, False, (), (), ())
    outcomes = _outcomes(player)
    latest = _latest_first([outcome.club_game for outcome in outcomes])[:RESULTS_SHOWN]
    seats = seated_at([club_game.game for club_game in latest])
    played = tuple(_played(club_game, seats[club_game.game_id], player) for club_game in latest)
    return Record(player, True, played, _meetings(outcomes), courses(player), _bests(outcomes))


def rivals(record: Record, viewer: Account | None) -> tuple[Meetings, ...]:
    """Return the meetings with those the player met most, twice at least, if they let the viewer see them."""
    often = [each for each in record.head_to_head if each.met > 1][: 2 * RIVALS_SHOWN]
    shown = set(ids_of_shown([each.opponent.pk for each in often], viewer))
    return tuple(each for each in often if each.opponent.pk in shown)[:RIVALS_SHOWN]


def _latest_first(games: Sequence[ClubGame]) -> Sequence[ClubGame]:
    by_id = sorted(games, key=lambda club_game: club_game.pk)
    return sorted(by_id, key=lambda club_game: club_game.game.moved_at, reverse=True)


def courses(player: Player) -> tuple[Course, ...]:
    """Return the player's ratings with their courses, the game most often rated first."""
    return tuple(_course(rating) for rating in ratings_of(player))


def _course(rating: Rating) -> Course:
    latest = rating_history(rating.player_id, rating.ruleset)[:RATINGS_SHOWN]
    return Course(rating, tuple(reversed(latest)))


def _played(club_game: ClubGame, seats: Sequence[SeatedPlayer], player: Player) -> Played:
    placings = placings_of(club_game)
    own = next(seat for seat in seats if seat.player == player)
    sides = sides_of_seats(club_game, [(seat.seat, seat.team) for seat in seats])
    others = [
        (seat.player, seat.seat) for seat in seats if seat.player and sides[seat.seat] != sides[own.seat]
    ]
    against = tuple((opponent, placings[seat]["rank"]) for opponent, seat in others)
    mine = placings[own.seat]
    return Played(club_game, club_game.game.moved_at, mine["rank"], mine["score"], against)


# ---- All games ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Outcome:
    """A finished game of a player: the own score, and by how many ranks each opponent was behind."""

    club_game: ClubGame
    score: int
    leads: Sequence[tuple[UUID, int]]


def _outcomes(player: Player) -> Sequence[_Outcome]:
    """Return all games with a result, the last opened first; four queries."""
    finished = list(with_result(games_of_player(player)).prefetch_related("table__seats"))
    seats = _seats([each.game_id for each in finished])
    return [_outcome(each, seats[each.game_id], player) for each in finished]


def _outcome(club_game: ClubGame, seats: Sequence[tuple[int, int, UUID]], player: Player) -> _Outcome:
    placings = placings_of(club_game)
    own = next(number for number, _team, sits in seats if sits == player.pk)
    sides = sides_of_seats(club_game, [(number, team) for number, team, _sits in seats])
    leads = [
        (sits, placings[number]["rank"] - placings[own]["rank"])
        for number, _team, sits in seats
        if sides[number] != sides[own]
    ]
    return _Outcome(club_game, placings[own]["score"], leads)


def _meetings(outcomes: Sequence[_Outcome]) -> tuple[Meetings, ...]:
    """Return the meetings with each opponent, the most frequent one first."""
    leads: dict[UUID, list[int]] = {}
    for outcome in outcomes:
        for opponent, lead in outcome.leads:
            leads.setdefault(opponent, []).append(lead)
    opponents = Player.objects.in_bulk(leads)
    counted = [_counted(opponents[key], ahead) for key, ahead in leads.items() if key in opponents]
    return tuple(sorted(counted, key=lambda each: (-each.met, each.opponent.sort_name, each.opponent.pk)))


def _bests(outcomes: Sequence[_Outcome]) -> tuple[Best, ...]:
    """Return the best score in each game of cards that this server knows, by its key; one query.

    A game that somebody left says nothing, nor do no points where many are wanted.
    """
    scored: dict[str, list[_Outcome]] = {}
    for outcome in reversed(outcomes):
        key = rules.game_key(outcome.club_game.game.ruleset)
        with suppress(KeyError):
            if rules.find(key).low_wins or outcome.score > 0:
                scored.setdefault(key, []).append(outcome)
    likely = {key: _best_first(key, found)[:_LIKELY] for key, found in scored.items()}
    left = log.left_early(each.club_game.pk for found in likely.values() for each in found)
    whole = {key: [each for each in found if each.club_game.pk not in left] for key, found in likely.items()}
    firsts = {key: found[0] for key, found in sorted(whole.items()) if found}
    return tuple(Best(key, first.club_game, first.score) for key, first in firsts.items())


def _best_first(key: str, outcomes: Sequence[_Outcome]) -> Sequence[_Outcome]:
    sign = 1 if rules.find(key).low_wins else -1
    return sorted(outcomes, key=lambda outcome: sign * outcome.score)


def _seats(games: Sequence[UUID]) -> Mapping[UUID, Sequence[tuple[int, int, UUID]]]:
    """Return number, team and player of each seat that somebody has, by game; whoever was merged as now."""
    seats: dict[UUID, list[tuple[int, int, UUID]]] = {}
    # As a subquery the search for these games may be made for each seat where the tables are new.
    into = Player.objects.filter(pk=OuterRef("player")).values("merged_into")
    found = Seat.objects.filter(game__in=games).annotate(
        now=Coalesce(Subquery(into), F("player"), output_field=UUIDField())
    )
    rows = found.values_list("game", "number", "team", "now")
    for game, number, team, player in rows:
        if player:
            seats.setdefault(game, []).append((number, team, player))
    return seats


def _counted(opponent: Player, leads: Sequence[int]) -> Meetings:
    ahead, behind = sum(lead > 0 for lead in leads), sum(lead < 0 for lead in leads)
    return Meetings(opponent, len(leads), ahead, len(leads) - ahead - behind, behind)

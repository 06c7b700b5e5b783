"""Ratings of players, their history, and the rating lists of clubs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final
from uuid import UUID

from django.db.models import Count, QuerySet, Window

from league.models import Account, Club, GameRating, Player, Rating
from league.queries.privacy import shown_to

GAMES_FOR_A_RECORD: Final = 10
"""Before that many games a rating swings widely."""


def ratings_of(player: Player) -> QuerySet[Rating]:
    """Return the player's ratings, one for each game, the most often rated first."""
    return Rating.objects.filter(player=player).order_by("-games", "ruleset")


def rating_history(player_id: UUID, ruleset: str) -> QuerySet[GameRating]:
    """Return the rated games of a player, the last that ended first."""
    rows = GameRating.objects.filter(player=player_id, ruleset=ruleset)
    return rows.order_by("-ended_at", "-game_id")


def rating_list(club: Club, ruleset: str) -> QuerySet[Rating]:
    """Return the ratings of the club's active players in a game, by ``sure_points``."""
    rows = Rating.objects.filter(club=club, ruleset=ruleset, player__active=True).select_related("player")
    return rows.order_by("-sure_points", "-points", "player__search_name", "player_id")


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
    most = most.order_by("ruleset", "-games", "player__search_name", "player_id").distinct("ruleset")
    return [
        RatingRecord(each.ruleset, highest.get(each.ruleset), each.player, each.games, each.level - 1)
        for each in most
    ]


def rated_rulesets(club: Club) -> Sequence[str]:
    """Return the rulesets in which the club has a rating list, the one with most players first."""
    counted = Rating.objects.filter(club=club, player__active=True).values("ruleset").order_by()
    found = counted.annotate(players=Count("pk")).order_by("-players", "ruleset")
    return [row["ruleset"] for row in found]

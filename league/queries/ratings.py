"""Ratings of players, their history, and the rating lists of clubs."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Count, QuerySet

from league.models import Account, Club, GameRating, Player, Rating
from league.queries.privacy import shown_to


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


def rated_rulesets(club: Club) -> Sequence[str]:
    """Return the rulesets in which the club has a rating list, the one with most players first."""
    counted = Rating.objects.filter(club=club, player__active=True).values("ruleset").order_by()
    found = counted.annotate(players=Count("pk")).order_by("-players", "ruleset")
    return [row["ruleset"] for row in found]

"""How lists are narrowed and ordered."""

from typing import Any

from django.db.models import QuerySet
from django_filters import rest_framework as filters

from games.models import Game
from league.models import ClubGame


class TotalOrder(filters.OrderingFilter):
    """An order that a caller chooses, made total: equal rows stand in the order of their keys."""

    def filter(self, qs: QuerySet[Any], value: Any) -> QuerySet[Any]:
        return super().filter(qs, [*value, "pk"]) if value else qs


class GameFilter(filters.FilterSet):
    """Games by club, game, competition, table, player and status."""

    club = filters.CharFilter("club__slug", label="The club's slug.")
    competition = filters.UUIDFilter("competition", label="The competition's id.")
    table = filters.UUIDFilter("table", label="The table's id.")
    player = filters.UUIDFilter("game__seats__player", label="The id of a player at the table.")
    ruleset = filters.CharFilter(method="of_ruleset", label="A ruleset with or without its version.")
    status = filters.ChoiceFilter(field_name="game__status", choices=Game.Status.choices, label="The status.")
    ordering = TotalOrder(
        fields={"game__opened_at": "opened_at", "game__moved_at": "moved_at"}, label="The order."
    )

    class Meta:
        model = ClubGame
        fields: tuple[str, ...] = ()

    def of_ruleset(self, games: QuerySet[ClubGame], name: str, value: str) -> QuerySet[ClubGame]:
        """Return the games of a ruleset (``scoops@1``) or of all its versions (``scoops``)."""
        if "@" in value:
            return games.filter(game__ruleset=value)
        return games.filter(game__ruleset__startswith=f"{value}@")

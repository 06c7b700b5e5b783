"""How lists are narrowed and ordered."""

from typing import Any

from django.db.models import Q, QuerySet
from django_filters import rest_framework as filters

from games.models import Game
from league.models import ClubGame, Competition, Player
from league.models.names import search_key


def of_version(field: str, value: str) -> Q:
    """Return the condition that a field names a ruleset in that version, or in any where none is named."""
    return Q(**{field: value}) if "@" in value else Q(**{f"{field}__startswith": f"{value}@"})


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
        return games.filter(of_version("game__ruleset", value))


class PlayerFilter(filters.FilterSet):
    """Players by any part of the name, whatever its accents and case."""

    name = filters.CharFilter(method="named", label="Any part of the name.")
    active = filters.BooleanFilter(label="Whether the player still plays.")

    class Meta:
        model = Player
        fields: tuple[str, ...] = ()

    def named(self, players: QuerySet[Player], name: str, value: str) -> QuerySet[Player]:
        """Return the players whose names hold the value."""
        return players.filter(search_name__contains=search_key(value))


class CompetitionFilter(filters.FilterSet):
    """Competitions by club, game, status and address."""

    club = filters.CharFilter("club__slug", label="The club's slug.")
    slug = filters.CharFilter("slug", label="The competition's slug.")
    ruleset = filters.CharFilter(method="of_ruleset", label="A ruleset with or without its version.")
    status = filters.ChoiceFilter(choices=Competition.Status.choices, label="The status.")
    ordering = TotalOrder(
        fields={"opened_at": "opened_at", "changed_at": "changed_at", "name": "name"}, label="The order."
    )

    class Meta:
        model = Competition
        fields: tuple[str, ...] = ()

    def of_ruleset(self, rows: QuerySet[Competition], name: str, value: str) -> QuerySet[Competition]:
        """Return the competitions of a ruleset (``scoops@1``) or of all its versions (``scoops``)."""
        return rows.filter(of_version("ruleset", value))

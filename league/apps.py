"""The league application's place in Django."""

from django.apps import AppConfig


class LeagueConfig(AppConfig):
    """Clubs, competitions, standings and accounts."""

    name = "league"
    verbose_name = "League"

"""The games application's place in Django."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """What happens at a table."""

    name = "games"
    verbose_name = "Games"

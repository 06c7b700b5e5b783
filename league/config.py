"""The league application's place in Django."""

from importlib import import_module

from django.apps import AppConfig

from games import rules


class LeagueConfig(AppConfig):
    """Clubs, competitions, standings and accounts."""

    name = "league"
    verbose_name = "League"

    def ready(self) -> None:
        """Let every process know the broker, the tasks by name, and where the games of clubs are defined.

        Here and not in the package: `league.verify` and the pure modules need nothing but Python.
        """
        import_module("league.ops.celery")
        import_module("league.tasks")
        rules.look_up_in(import_module("league.queries.games").defining_options)

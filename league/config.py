"""The league application's place in Django."""

from importlib import import_module

from django.apps import AppConfig


class LeagueConfig(AppConfig):
    """Clubs, competitions, standings and accounts."""

    name = "league"
    verbose_name = "League"

    def ready(self) -> None:
        """Let every process know the broker, and the tasks by name, those that only queue them too.

        Here and not in the package: `league.verify` and the pure modules need nothing but Python.
        """
        import_module("league.ops.celery")
        import_module("league.tasks")

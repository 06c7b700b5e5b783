"""The configuration of the Django app."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = "Games"

    def ready(self) -> None:
        """Let each migration, also of an up-to-date database, make the coming partitions of the move log."""
        post_migrate.connect(_make_partitions, sender=self)


def _make_partitions(**_: Any) -> None:
    from django.db import connection

    from games import database_time, partitions

    if partitions.TABLE in connection.introspection.table_names():
        partitions.make_ahead(database_time.asked())

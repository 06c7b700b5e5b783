"""`manage.py grant`: lets a role of PostgreSQL that owns no table run the service."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from league.ops import prepare


class Command(BaseCommand):
    help = (
        "Let a role of PostgreSQL run the service: it reads and writes rows, and only adds to logs. "
        "To be run as the owner of the tables, after each migration."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("role", help="the name of the role, which exists already")

    def handle(self, *, role: str, **_: Any) -> None:
        prepare.grant(role)
        self.stdout.write(f"{role} can run the service.")

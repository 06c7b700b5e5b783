"""`manage.py up`: the whole service in one terminal."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from league.ops import up


class Command(BaseCommand):
    """Runs the service until Ctrl-C; `manage.py` goes to `league.ops.up` without Django."""

    help = up.HELP
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        up.add_arguments(parser)

    def handle(self, *, host: str, port: int, only: str | None, **_: Any) -> None:
        up.run(host, port, only)

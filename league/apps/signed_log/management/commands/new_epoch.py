"""`manage.py new_epoch`: declare that published heads of the signed log, or its key, are lost."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import CommandError
from django.core.management.base import BaseCommand

from league.apps.signed_log import signing


class Command(BaseCommand):
    """Begins a new epoch of the signed log, for all to see."""

    help = (
        "Begin a new epoch of the signed log: after a restore from behind its published head, or where that "
        "head or the key is lost. Run it where the key is: the one that is there signs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("reason", help="what happened; everybody can read it")

    def handle(self, *, reason: str, **_: Any) -> None:
        try:
            epoch = signing.declare_epoch(reason)
        except signing.CannotSign as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write(f"The signed log goes on as {epoch.origin}.")

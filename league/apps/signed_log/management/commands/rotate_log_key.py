"""`manage.py rotate_log_key`: replace the key that signs the heads of the signed log."""

from typing import Any

from django.core.management import CommandError
from django.core.management.base import BaseCommand

from league.apps.signed_log import signing


class Command(BaseCommand):
    """Makes a new key and announces it in the log; the old one signs that too."""

    help = (
        "Replace the key of the signed log by a new one, which is announced in it. Run it where the key is."
    )

    def handle(self, **_: Any) -> None:
        try:
            head = signing.rotate_key()
        except signing.CannotSign as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write(f"From {head.size} leaves on a new key signs {head.epoch.origin}.")

"""`manage.py witness URL`: watch the signed log of a site, from a machine that others run."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import httpx
from django.conf import settings
from django.core.management import CommandError
from django.core.management.base import BaseCommand

from games.transparency.merkle import WrongProof
from games.transparency.notes import WrongNote
from league.services.witnessing import Site, Witness, key_of


class Command(BaseCommand):
    """Keeps the last head of a site, refuses one that doesn't continue it, and signs those that do."""

    help = (
        "Watch the signed log of another site: keep its last head, refuse one that does not continue it, and "
        "sign those that do. It needs no database. Exits with 1 at the first head that is wrong."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url", help="the address of the site")
        parser.add_argument("--name", default="witness", help="the name under which this witness signs")
        parser.add_argument(
            "--key", default="", help="the key of the site’s log, where you know it from elsewhere"
        )
        parser.add_argument("--once", action="store_true", help="look once, instead of every minute")

    def handle(self, *, url: str, name: str, key: str, once: bool, **_: Any) -> None:
        folder = Path(settings.DATA_DIR) / "witness"
        witness = Witness(folder, name, key)
        self.stdout.write(f"The key of this witness: {key_of(folder, name)}")
        with httpx.Client(base_url=f"{url.rstrip('/')}/api/v1/", timeout=30) as client:
            while True:
                try:
                    self.stdout.write(witness.look(Site(client)))
                except (WrongNote, WrongProof) as refusal:
                    raise CommandError(f"Refused: {refusal}") from None
                except (httpx.HTTPError, ValueError, KeyError) as error:
                    if once:
                        raise CommandError(f"{url} did not answer as it should: {error}") from None
                    self.stdout.write(f"{url} did not answer as it should: {error}")
                if once:
                    return
                time.sleep(60)

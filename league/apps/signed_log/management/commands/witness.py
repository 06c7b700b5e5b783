"""`manage.py witness URL`: watch the signed log of a site, from a machine that others run."""

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import CommandError
from django.core.management.base import BaseCommand

from games.transparency.merkle import WrongProof
from games.transparency.notes import WrongNote, read_key
from league.ops.posting import Unreachable
from league.ops.secret import Damaged
from league.services.witnessing import NotAnswered, Site, Witness, key_of


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
        parser.add_argument(
            "--accept",
            metavar="ORIGIN",
            default="",
            help="accept this epoch, though it contradicts what was seen or is of another log; the last head "
            "of before is kept",
        )
        parser.add_argument("--once", action="store_true", help="look once, instead of every minute")

    def handle(self, *, url: str, name: str, key: str, accept: str, once: bool, **_: Any) -> None:
        folder = Path(settings.DATA_DIR) / "witness"
        try:
            witness = Witness(folder, name, read_key(key) if key else None, accept)
            self.stdout.write(f"The key of this witness: {key_of(folder, name)}")
            self._watch(witness, Site(url), once=once)
        except (WrongNote, WrongProof) as refusal:
            raise CommandError(f"Refused: {refusal}") from None
        except (Damaged, NotAnswered, OSError, Unreachable) as error:
            raise CommandError(str(error)) from None

    def _watch(self, witness: Witness, site: Site, *, once: bool) -> None:
        """Look every minute, also at a site that doesn't answer as it should; or look once."""
        while True:
            try:
                self.stdout.write(witness.look(site))
            except NotAnswered as error:
                if once:
                    raise
                self.stdout.write(str(error))
            if once:
                return
            time.sleep(60)

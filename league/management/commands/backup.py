"""`manage.py backup`: write the whole database to a file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import CommandError
from django.core.management.base import BaseCommand
from django.db import connection

from games import database_time
from league.management.shared import passphrase
from league.models import PeriodicRun
from league.ops import backups
from league.ops.secret import Damaged
from league.services import keys as packing


class Command(BaseCommand):
    """Writes the file for `restore`. It contains all seeds, addresses and password hashes."""

    help = "Write the whole database to a file, for `manage.py restore`. The service can keep running."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            type=Path,
            nargs="?",
            help="the file to write; else a new one in BACKUP_FOLDER",
        )
        parser.add_argument(
            "--keys", type=Path, help="pack the keys beside the database into this file, with KEYS_PASSPHRASE"
        )
        parser.add_argument("--replace", action="store_true", help="replace an existing file")

    def handle(self, *, file: Path | None, keys: Path | None, replace: bool, **_: Any) -> None:
        secret = passphrase() if keys else ""
        began = database_time.asked()
        if file is None:
            if not settings.BACKUP_FOLDER:
                raise CommandError("Name a file, or set BACKUP_FOLDER.")
            file = Path(settings.BACKUP_FOLDER) / f"trefoil-{began:%Y-%m-%d-%H%M}.dump"
        try:
            backups.dump(connection.settings_dict, file, replace=replace)
            if keys:
                packing.pack(keys, secret, replace=replace)
        except (backups.NoBackup, Damaged) as refusal:
            raise CommandError(str(refusal)) from None
        except OSError as error:
            raise CommandError(f"{keys} could not be brought to the disk: {error.strerror}.") from None
        PeriodicRun.objects.update_or_create(name="backup", defaults={"began_at": began})
        self.stdout.write(f"{file}: {file.stat().st_size} bytes. Keep it where nobody else can read it.")
        if keys:
            self.stdout.write(f"{keys}: the keys. Keep it and its passphrase in different places.")
        else:
            beside = ", ".join(map(str, packing.here()))
            self.stdout.write(f"It does not hold {beside}: copy them too, or pack them with --keys FILE.")

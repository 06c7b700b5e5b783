"""`manage.py restore`: restore the database from a backup."""

import json
import os
import signal
from argparse import ArgumentParser
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
from django.core.management import CommandError
from django.core.management.base import BaseCommand
from django.db import connection

from league.hooks import upkeep
from league.management.shared import passphrase
from league.models import Account
from league.ops import backups, folders, processes
from league.ops.backups import NoBackup
from league.services import keys as packing


class Command(BaseCommand):
    """Restores a file of `backup`, migrated to this release and verified."""

    help = (
        "Restore the database from a file of `manage.py backup`: beside, and in place of the present one "
        "once everything in it is verified. The present data are lost."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="replace a database that has data")
        parser.add_argument(
            "--keys", type=Path, help="a file of `backup --keys`, to be unpacked with KEYS_PASSPHRASE"
        )
        parser.add_argument("--unverified", action="store_true", help="only migrate what is restored")

    def handle(self, *, file: Path, keys: Path | None, replace: bool, unverified: bool, **_: Any) -> None:
        if not file.is_file():
            raise CommandError(f"There is no file {file}.")
        if not replace and has_data():
            raise CommandError("The database has data. With --replace all of them are lost.")
        database, steps = dict(connection.settings_dict), ("migrate" if unverified else "upgrade",)
        try:
            unpacked = packing.unpacked(keys, passphrase()) if keys else {}
            if backups.has_room_beside(database):
                with backups.beside(database, "_restored") as fresh:
                    fill(fresh, file, *steps)
                    connection.close()
                    backups.put_in_its_place(database, fresh)
            else:
                require_alone(database)
                fill(database, file, *steps)
        except (NoBackup, packing.WrongKeys, psycopg.Error) as refusal:
            raise CommandError(f"Nothing was restored: {refusal}") from None
        self._put_keys(unpacked)
        start_parts_anew()
        self.stdout.write(
            "The database is restored." if unverified else "The database is restored and verified."
        )

    def _put_keys(self, unpacked: Mapping[str, str]) -> None:
        for path in packing.put(unpacked):
            self.stdout.write(f"{path} was put in place.")
        for each in upkeep.KEYS:
            for said in each.restored():
                self.stdout.write(said)


def fill(database: Mapping[str, Any], file: Path, command: str) -> None:
    """Restore a file into a database and migrate or upgrade that. Raises NoBackup."""
    backups.load(database, file)
    if said := backups.run_on(database, command):
        raise NoBackup(f"{said}\nWith --unverified it is restored all the same.")


def require_alone(database: Mapping[str, Any]) -> None:
    """Raise NoBackup where others are connected: here they would go on with another database's rows."""
    with connection.cursor() as cursor:
        cursor.execute(backups.OTHERS, [database["NAME"]])
        if cursor.fetchone() != (0,):
            raise NoBackup(
                "Stop the service first, on all machines; a role that may create databases needs not to."
            )


def has_data() -> bool:
    """Return whether the database has an account."""
    known = Account._meta.db_table in connection.introspection.table_names()
    return known and Account.objects.exists()


def start_parts_anew() -> None:
    """Let each `up` on this machine restart its parts: what they remember is of the other database."""
    for note in folders.data_folder().glob("parts-*.json"):
        with suppress(OSError, ValueError):
            supervisor = json.loads(note.read_text())["supervisor"]
            if "league.ops.up" in processes.command_of(supervisor):
                os.kill(supervisor, signal.SIGUSR1)

"""`manage.py upgrade`: migrate, verify everything, rebuild what differs, and verify that."""

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management import CommandError, call_command
from django.core.management.base import BaseCommand

from league.ops.prepare import migrate
from league.ops.servers import CannotServe
from league.services.rebuilding import warm


class Command(BaseCommand):
    """Brings the database to this release, and ends with everything verified."""

    help = (
        "Migrate the database and verify every log and all derived data; rebuild the data where they differ, "
        "and verify again. Exits with 1 if something is wrong then."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        cores = os.cpu_count() or 1
        parser.add_argument("--processes", type=int, default=cores, help=f"processes that share it ({cores})")

    def handle(self, *, processes: int, **_: Any) -> None:
        try:
            migrate()
        except CannotServe as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write("The database is migrated. Verifying …")
        if not self._is_right("verify_logs", processes, stopped=True):
            self.stdout.write("Rebuilding all derived data …")
            # What is good stays so: it was verified to be what a rebuild gives.
            rebuilt = self._is_right("rebuild", processes)
            if not (rebuilt and self._is_right("verify_logs", processes, stopped=True, changed=True)):
                raise CommandError("Something is wrong: see above. Restore the backup, or ask for help.")
        warm()
        self.stdout.write("The database is upgraded and verified.")

    def _is_right(self, command: str, processes: int, **more: Any) -> bool:
        try:
            call_command(command, processes=processes, anew=True, stdout=self.stdout, **more)
        except SystemExit as ended:
            return not ended.code
        return True

"""`python -m league.ops.prepare`: makes the database ready for the parts that `up` then starts."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import django
from django.core.management import call_command, get_commands
from django.db import ProgrammingError, connection

from league.ops import checks, environment, schema
from league.ops.environment import BadSetting
from league.ops.servers import CannotServe, needing_files

# Any number that nothing else in the database locks.
_MIGRATING = 7_366_051
TERMINAL: Final = "terminal"
"""The argument by which somebody reads the output, and nothing keeps it."""


def prepare(*, terminal: bool) -> None:
    """Check database and broker, migrate, and make the first club, which is told on the standard output.

    Its password is told to a terminal alone: any other output may be kept. Raises CannotServe.
    """
    checks.check()
    with _only_one():
        try:
            migrate()
        except ProgrammingError as error:
            raise CannotServe(
                f"The database cannot be migrated: {error}\n"
                "Run `manage.py migrate` as the owner of its tables, and then `manage.py grant ROLE`."
            ) from error
        if "first_club" in get_commands():
            call_command("first_club", terminal=terminal)


def migrate() -> None:
    """Migrate the database; several machines may start at once, on an empty one.

    Raises CannotServe where it is not as this release needs it then.
    """
    with _only_one():
        schema.refuse_older()
        call_command("migrate", verbosity=0)
    schema.check_schema()


@contextmanager
def _only_one() -> Iterator[None]:
    """Wait until no other machine prepares the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [_MIGRATING])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_MIGRATING])


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.ops.settings")
    try:
        # A pooler would give the lock to others.
        environment.connect_directly()
        with needing_files():
            django.setup()
            prepare(terminal=TERMINAL in sys.argv)
    except (CannotServe, BadSetting) as refusal:
        sys.stdout.write(f"{refusal}\n")
        sys.exit(1)

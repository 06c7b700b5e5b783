"""The pooler for tests, PgBouncer, installed if there is none."""

import shutil
import sys
from pathlib import Path

from league.ops import debian
from league.ops.servers import CannotServe


def found() -> Path | None:
    """Return the path of PgBouncer's program, None for none."""
    # Debian puts it where only root's PATH leads.
    program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin:/opt/homebrew/bin")
    return Path(program) if program else None


def installed() -> Path:
    """Return the path of PgBouncer's program, which is installed if none was found. Raises CannotServe."""
    if program := found():
        return program
    sys.stderr.write("No PgBouncer was found. Installing one for the tests.\n")
    if debian.install("pgbouncer") and (program := found()):
        return program
    raise CannotServe(
        "The tests need PgBouncer, and it could not be installed: install the package pgbouncer."
    )

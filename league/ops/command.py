"""Runs a command of manage.py inside the environment."""

import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import NoReturn

import django
from django.core.management import execute_from_command_line
from django.db import DatabaseError

from league.ops import environment, folders, logs, prepare, processes
from league.ops.embedded import EmbeddedServers
from league.ops.environment import BadSetting
from league.ops.servers import CannotServe, needing_files

# These need only files.
_NEED_NO_SERVICES = {"check", "help", "messages", "spectacular", "version", "witness"}
# These start their services themselves.
_START_THEIR_OWN = {"demo", "up"}
# Three on two processors, for tests of servers mostly wait. The user's options come later and win.
_TEST_OPTIONS = ("-n", "3", "--dist", "worksteal")


def run(argv: Sequence[str]) -> None:
    """Run a command of manage.py, with the embedded servers running if it may need them."""
    processes.end_when_asked()
    # Django finds a command by its module: `restore-drill` is in restore_drill.py.
    argv = [*argv[:1], *(each.replace("-", "_") for each in argv[1:2] if each[0] != "-"), *argv[2:]]
    name = argv[1] if len(argv) > 1 else "help"
    try:
        if name == "test":
            _test(argv[2:])
        alone = name in _START_THEIR_OWN | _NEED_NO_SERVICES or {"--help", "-h", "--version"} & set(argv[1:])
        with ExitStack() as stack:
            with needing_files():
                if not alone:
                    # Commands lock for longer than a transaction, migrate, or read large tables row by row.
                    environment.connect_directly()
                    stack.enter_context(EmbeddedServers(folders.data_folder()).used())
                django.setup()
            if not alone:
                prepare.check_database()
            execute_from_command_line([*argv])
    except (CannotServe, BadSetting) as refusal:
        sys.exit(str(refusal))
    except (DatabaseError, OSError) as error:
        if not logs.is_away(error):
            raise
        sys.exit(f"This could not be done: {str(error).partition(chr(10))[0]}")


def _test(arguments: Sequence[str]) -> NoReturn:
    """Replace this process by pytest."""
    # Tests start hundreds of processes: without compiled modules each of them compiles all of ours again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.chdir(folders.TOP)
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *_TEST_OPTIONS, *arguments])

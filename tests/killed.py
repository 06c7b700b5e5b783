"""Work that is killed in its midst, in a process that is forked from one with the application loaded."""

import os
import re
import signal
import sys
from collections.abc import Callable
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import django
import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from games import rules
from tests.league.tally import Tally

_FORKED = get_context("forkserver")
_FORKED.set_forkserver_preload(["tests.killed"])
if not django.apps.apps.ready:
    django.setup()


def killed(do: Callable[..., object], *given: object, at: str = "", after: int = 0) -> bool:
    """Do something with the test's database; return whether it came to where it is killed by SIGKILL.

    That is before the statement, change of a file's name, fsync or start of a program that ``at`` is found
    in, once ``after`` such have been let pass.
    """
    where = connection.settings_dict["NAME"], settings.DATA_DIR, settings.LOG_KEY_FILE
    process = _FORKED.Process(target=_do, args=(where, at, after, do, *given))
    process.start()
    process.join()
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode != 0


def command(*arguments: str) -> None:
    """Run a command of manage.py."""
    call_command(*arguments, stdout=StringIO())


def _do(where: tuple[str, Path, str], at: str, after: int, do: Callable[..., object], *given: object) -> None:
    left = after

    def happens(what: str) -> None:
        nonlocal left
        if re.search(at, what):
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

    execute, fsync = psycopg.Cursor.execute, os.fsync

    def executed(cursor: Any, query: Any, *more: Any, **named: Any) -> Any:
        happens(query if isinstance(query, str) else str(query))
        return execute(cursor, query, *more, **named)

    def synced(descriptor: int) -> None:
        happens("fsync")
        fsync(descriptor)

    psycopg.Cursor.execute = executed  # type: ignore[assignment, method-assign]
    os.fsync = synced  # type: ignore[assignment]
    connection.settings_dict["NAME"], settings.DATA_DIR, settings.LOG_KEY_FILE = where
    sys.addaudithook(
        lambda event, args: (
            happens(f"{event} {args}")
            if event in ("os.rename", "os.link", "os.remove", "subprocess.Popen")
            else None
        )
    )
    with rules.registered(Tally()):
        do(*given)

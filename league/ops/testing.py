"""`manage.py test`: installs what the tests need, then runs them. Nothing is skipped."""

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from league.ops import browser, folders, pooler, typescript

# Three on two processors, for tests of servers mostly wait. The user's options come later and win.
_OPTIONS = ("-n", "3", "--dist", "worksteal")


def run(arguments: Sequence[str]) -> NoReturn:
    """Replace this process by pytest. Raises CannotServe if there is no browser, compiler or pooler."""
    os.environ[browser.VARIABLE] = browser.installed()
    pooler.installed()
    typescript.installed()
    # Tests start hundreds of processes: without compiled modules each of them compiles all of ours again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.chdir(folders.TOP)
    command = [sys.executable, "-m", "pytest", *_OPTIONS, *arguments]
    os.execv(sys.executable, command)

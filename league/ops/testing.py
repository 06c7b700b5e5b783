"""`manage.py test`: installs what the tests need, then runs them. Nothing is skipped."""

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from league.ops import browser, folders, pooler, typescript

# The user's options come later and win.
_OPTIONS = ("-n", "2", "--dist", "worksteal")


def run(arguments: Sequence[str]) -> NoReturn:
    """Replace this process by pytest. Raises CannotServe if there is no browser, compiler or pooler."""
    os.environ[browser.VARIABLE] = browser.installed()
    pooler.installed()
    typescript.installed()
    os.chdir(folders.TOP)
    command = [sys.executable, "-m", "pytest", *_OPTIONS, *arguments]
    os.execv(sys.executable, command)

"""`manage.py test`: gets what the tests need, then runs them. Nothing is skipped for a missing part."""

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from league.house import browser, places

# Later options of the user's own win over these.
_OPTIONS = ("-n", "2")


def run(arguments: Sequence[str]) -> NoReturn:
    """Become pytest, with its arguments. Raises CannotServe where a browser can't be had."""
    os.environ[browser.VARIABLE] = browser.installed()
    os.chdir(places.TOP)
    command = [sys.executable, "-m", "pytest", *_OPTIONS, *arguments]
    os.execv(sys.executable, command)

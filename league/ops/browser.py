"""The browser for tests, installed if there is none."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from league.ops import debian, environment
from league.ops.servers import CannotServe

VARIABLE = "TREFOIL_CHROMIUM"

# Tests open hundreds of windows: the shell takes a fifth of a whole browser's time to open one.
_SHELL = "chromium-headless-shell"
_NAMES = (_SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
_PLAYWRIGHT = (sys.executable, "-m", "playwright", "install")


def found() -> str | None:
    """Return the path of a working Chromium: the named one, the system's or Playwright's; None for none."""
    named = environment.text(VARIABLE)
    candidates = [named] if named else _candidates()
    return next((program for program in candidates if _runs(program)), None)


def installed() -> str:
    """Return the path of a Chromium, which is installed if none was found. Raises CannotServe."""
    if program := found():
        return program
    sys.stderr.write("No Chromium was found. Installing one for the tests.\n")
    if not (debian.install(_SHELL) and found()):
        _succeeds((*_PLAYWRIGHT, *(("--with-deps",) if debian.can_install() else ()), _SHELL))
    if program := found():
        return program
    raise CannotServe(
        "The tests need Chromium, and it could not be installed; the lines above say why. "
        f"Install {_SHELL}, chromium or google-chrome, or name one in {VARIABLE}."
    )


def _candidates() -> Iterator[str]:
    yield from filter(None, map(shutil.which, _NAMES))
    yield str(_MAC)
    yield from map(str, _of_playwright())


def _of_playwright() -> list[Path]:
    """Return the browsers in Playwright's cache, shells before whole ones, the newest first."""
    cache = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    folder = Path(environment.text("PLAYWRIGHT_BROWSERS_PATH", str(cache / "ms-playwright")))
    patterns = (
        "chromium_headless_shell-*/chrome-headless-shell-*/chrome-headless-shell",
        "chromium-*/chrome-linux*/chrome",
        "chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
    )
    return [path for pattern in patterns for path in sorted(folder.glob(pattern), reverse=True)]


def _runs(program: str) -> bool:
    # A distribution may have a placeholder that exists but does not run.
    try:
        return subprocess.run([program, "--version"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _succeeds(command: Sequence[str]) -> bool:
    return subprocess.run(command, stdout=sys.stderr, check=False).returncode == 0

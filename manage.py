#!/usr/bin/env python3
"""Trefoil's one command: `python3 manage.py up`, `python3 manage.py test`, or any Django command.

Until `.venv` holds exactly what the hashed lock names, this file runs on the standard library alone: it makes
the environment (with uv where that is installed, else with venv and pip) and runs itself again inside.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):
    sys.exit("Trefoil needs Python 3.11 or later; this is {}.{}.".format(*sys.version_info[:2]))
if sys.platform == "win32":
    sys.exit("Trefoil runs on Linux and macOS. On Windows, use the Windows Subsystem for Linux (WSL).")

import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

TOP = Path(__file__).resolve().parent
VENV = Path(os.environ.get("TREFOIL_VENV") or TOP / ".venv").absolute()
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "lock.sha256"
LOCK = TOP / "requirements.lock"
DEV_LOCK = TOP / "requirements-dev.lock"
INSTALL = ["install", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--quiet", "-r"]


def main(argv: list[str]) -> None:
    """Run the command that `argv` names, inside the environment that the lock describes."""
    lock = DEV_LOCK if argv[1:2] in (["develop"], ["messages"], ["test"]) else LOCK
    try:
        if not installed(lock):
            with only_one():
                if not installed(lock):
                    install(lock)
    except OSError as error:
        sys.exit(
            f"{VENV} can't be used: {error.strerror or error}. Is this another user's checkout, or the disk "
            "full or read-only? TREFOIL_VENV can name another folder for the packages."
        )
    if argv[1:2] == ["develop"]:
        return
    if argv[1:2] == ["up"]:
        # It runs for long, and needs nothing of what is loaded here. Its parts find the code by PYTHONPATH.
        path = os.pathsep.join(filter(None, [str(TOP), os.environ.get("PYTHONPATH")]))
        os.environ["PYTHONPATH"] = path
        os.execv(PYTHON, [str(PYTHON), "-m", "league.ops.up", *argv[2:]])
    if argv[1:2] in (["cluster-test"], ["crash-test"]):
        os.chdir(TOP)
        package = "tests." + argv[1].partition("-")[0]
        os.execv(PYTHON, [str(PYTHON), "-m", package, *argv[2:]])
    if Path(sys.prefix).resolve() != VENV.resolve():
        os.execv(PYTHON, [str(PYTHON), str(TOP / "manage.py"), *argv[1:]])
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.ops.settings")
    from league.ops.command import run

    run(argv)


def fingerprint(lock: Path) -> str:
    """Return the SHA-256 of a lock file, in hexadecimal."""
    return hashlib.sha256(lock.read_bytes()).hexdigest()


def installed(lock: Path) -> bool:
    """Say whether the environment holds what `lock` says."""
    return PYTHON.exists() and STAMP.exists() and fingerprint(lock) in STAMP.read_text().split()


@contextmanager
def only_one() -> Iterator[None]:
    """Hold the right to change the environment; wait for whoever holds it now."""
    VENV.parent.mkdir(parents=True, exist_ok=True)
    with VENV.with_name(f"{VENV.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def install(lock: Path) -> None:
    """Bring the environment to what `lock` says and stamp it. Exits with a sentence where it can't."""
    print(f"Installing what {lock.name} names into {VENV} …", file=sys.stderr, flush=True)
    STAMP.unlink(missing_ok=True)
    if not with_uv(lock):
        with_pip(lock)
    # The dev lock pins everything that the runtime lock pins, in the same versions.
    held = {LOCK, lock}
    STAMP.write_text("".join(f"{fingerprint(each)}\n" for each in held))


def with_uv(lock: Path) -> bool:
    """Install with uv. Returns False where there is no uv or it failed, and pip should try."""
    uv = shutil.which("uv")
    if uv is None:
        return False
    made = PYTHON.exists() or succeeds(
        [uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(VENV)]
    )
    return made and succeeds([uv, "pip", *INSTALL, str(lock), "--python", str(PYTHON)])


def with_pip(lock: Path) -> None:
    """Install with venv and pip, wherever this Python has its pip. Exits when that fails."""
    if not PYTHON.exists():
        make_venv()
    inside = [str(PYTHON), "-m", "pip"]
    # Debian's Python without python3-venv can still have a pip that serves another environment.
    pip = inside if runs([*inside, "--version"]) else [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    if not succeeds([*pip, "--disable-pip-version-check", *INSTALL, str(lock)]):
        sys.exit("The packages could not be installed. Is there a network? The lines above say what pip met.")


def make_venv() -> None:
    """Make an empty virtual environment, with a pip of its own where Python can give it one."""
    shutil.rmtree(VENV, ignore_errors=True)
    options: Sequence[str] = ()
    if importlib.util.find_spec("ensurepip") is None:
        if runs([sys.executable, "-m", "pip", "--python", sys.executable, "--version"]):
            options = ("--without-pip",)
        else:
            install_ensurepip()
    if not succeeds([sys.executable, "-m", "venv", *options, str(VENV)]):
        sys.exit(f"{sys.executable} could not make a virtual environment; the lines above say why.")


def install_ensurepip() -> None:
    """Fetch the system package that Debian and Ubuntu keep `ensurepip` in. Exits where only the user can."""
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        sys.exit(
            f"This Python has neither pip nor ensurepip. Install them first: sudo apt-get install {package}"
        )
    print(
        f"This Python has neither pip nor ensurepip: installing the system package {package}.",
        file=sys.stderr,
    )
    fetch = ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", package]
    if not (succeeds(["apt-get", "update", "--quiet"]) and succeeds(fetch)):
        sys.exit(f"apt-get could not install {package}; the lines above say why.")


def succeeds(command: Sequence[str]) -> bool:
    """Run a command whose complaints the user should see, and say whether it went well."""
    return subprocess.run(command, stdout=sys.stderr, check=False).returncode == 0


def runs(command: Sequence[str]) -> bool:
    """Say whether a command works at all; what it prints is of no interest."""
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    main(sys.argv)

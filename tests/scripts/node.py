"""Runs modules of the pages in node, and the compiler that checks their types."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from league.ops import folders
from tests import installing

HERE: Final = Path(__file__).parent
SCRIPTS: Final = folders.TOP / "static" / "trefoil"

_PROGRAM: Final = """
import { readFileSync } from "node:fs";
const [module, code] = process.argv.slice(1);
const work = new Function("made", "given", code);
process.stdout.write(JSON.stringify(await work(await import(module), JSON.parse(readFileSync(0, "utf8")))));
"""


def found(module: str, code: str, given: Any) -> Any:
    """Return what the code, a function's body, returns or promises of ``made``, the module, and ``given``."""
    path = (SCRIPTS / module).as_uri()
    return json.loads(run("--input-type=module", "-e", _PROGRAM, path, code, text=json.dumps(given)))


def run(*arguments: str, text: str = "") -> str:
    """Return what node prints; raise AssertionError with what it says if it fails."""
    command = (*installing.node_command(), *arguments)
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def vendored() -> Mapping[str, Path]:
    """Return where each vendored package lies, by its folder here, in the packages of the lock file."""
    modules = installing.node_packages()
    return {
        "idiomorph": modules / "idiomorph" / "dist",
        "noble-hashes": modules / "@noble" / "hashes",
        "sortable": modules / "sortablejs" / "modular",
        "uplot": modules / "uplot" / "dist",
    }

"""Keeps a data folder and a backup of this release, for later ones: ``python -m tests.ops.upgrades``."""

import signal
import sys
import tempfile
import tomllib
from pathlib import Path

from league.ops import folders
from tests.ops.service import manage, running
from tests.ops.upgrades import FILES, pack

RULESETS = ("scamper", "scram", "scoops")


def run(data: Path, *arguments: str) -> None:
    """Run a command of manage.py on the data folder, and exit with what it said if it fails."""
    command = manage(data, *arguments)
    said, _ = command.communicate()
    if command.returncode:
        sys.exit(said)


version = tomllib.loads((folders.TOP / "pyproject.toml").read_text())["project"]["version"]
with tempfile.TemporaryDirectory(prefix="trefoil-kept-") as top:
    Path(top).chmod(0o711)
    data = Path(top) / "data"
    with running(data) as up:
        up.hear("READY")
        for ruleset in RULESETS:
            small = ("--players", "4", "--rounds", "1", "--processes", "1")
            run(data, "demo", "--ruleset", ruleset, *small)
        run(data, "backup", "--replace", str(FILES / f"{version}.dump"))
        up.end(signal.SIGTERM)
    pack(data, FILES / f"{version}.tar.xz")
for file in sorted(FILES.glob(f"{version}.*")):
    sys.stdout.write(f"{file.name}: {file.stat().st_size} bytes\n")

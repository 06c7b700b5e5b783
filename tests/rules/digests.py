"""The digests of all golden games: `python -m tests.rules.digests` writes them to `digests.txt`.

A line for each game has its edition and name, the hash of its last entry, which covers the whole log, and the
SHA-256 of its result, ranks and score sheet.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from games.engine import chain
from tests.rules.folders import HERE, golden_of
from tests.toys import EVERY

FILE: Final = HERE / "digests.txt"


def computed() -> dict[str, str]:
    """Return the digests of each golden game by edition and name."""
    return {f"{ruleset.name} {path.stem}": digests(path) for ruleset in EVERY for path in golden_of(ruleset)}


def digests(path: Path) -> str:
    """Return the head and the digest of the result of a golden game."""
    *_, last, end = path.read_text("utf-8").splitlines()
    result = hashlib.sha256(chain.canonical(json.loads(end)["result"])).hexdigest()
    return f"{json.loads(last)['hash']} {result}"


def recorded() -> dict[str, str]:
    """Return what the file holds."""
    lines = (line.split(" ", 2) for line in FILE.read_text("utf-8").splitlines())
    return {f"{edition} {name}": digests for edition, name, digests in lines}


def differences(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Return a sentence for each game that is not the one that was recorded."""
    changed = [name for name in before if name in now and now[name] != before[name]]
    return [
        *(f"{name} has changed: what alters a recorded game is a new edition." for name in changed),
        *(f"{name} is gone: golden games of a released edition stay." for name in before if name not in now),
        *(f"{name} is new: run python -m tests.rules.digests." for name in now if name not in before),
    ]


if __name__ == "__main__":
    FILE.write_text("".join(f"{name} {line}\n" for name, line in computed().items()), "utf-8")

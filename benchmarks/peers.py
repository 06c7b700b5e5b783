"""Card-game and chess libraries as yardsticks: ``python -m benchmarks.peers [--rounds 7]``.

They are installed into an environment of their own, which is kept below the user's cache folder, and run
there (`benchmarks/yardsticks/step_*.py`): chess tests and pushes moves, rlcard and OpenSpiel play gin rummy.
Printed are moves a second of processor time, of each the best of the rounds.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from benchmarks.machine import described

YARDSTICKS: Final = Path(__file__).parent / "yardsticks"
PACKAGES: Final = ("chess==1.11.2", "rlcard==1.2.0", "open_spiel==2.0.2")
PEERS: Final = {
    "python-chess, legality and push": "step_chess.py",
    "rlcard, gin rummy through its environment": "step_rlcard.py",
    "OpenSpiel, gin rummy": "step_openspiel.py",
}


class NoPeers(Exception):
    """The libraries cannot be installed here."""


@dataclass(frozen=True)
class Peer:
    """A library in a process of its own, and how many moves a run of it makes."""

    moves: int
    asked: IO[str]
    told: IO[str]

    def run(self) -> float:
        """Make the moves once; return the seconds of processor time."""
        self.asked.write("\n")
        self.asked.flush()
        return float(self.told.readline())


def python() -> Path:
    """Return the Python that has the libraries, installed if they are not yet; raise `NoPeers`."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    name = hashlib.sha256(" ".join((*PACKAGES, sys.version)).encode()).hexdigest()[:12]
    folder = cache / "trefoil-benchmarks" / name
    installed, done = folder / "bin" / "python", folder / "installed"
    if not done.exists():
        venv.create(folder, with_pip=True, clear=True)
        pip = [str(installed), "-m", "pip", "install", "--quiet", *PACKAGES]
        if subprocess.run(pip, check=False).returncode != 0:
            raise NoPeers(f"{', '.join(PACKAGES)} cannot be installed: pip says why above.")
        done.touch()
    return installed


@contextmanager
def peer(script: str) -> Iterator[Peer]:
    """Run a script of `benchmarks/yardsticks` among the libraries."""
    command = [str(python()), str(YARDSTICKS / script)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin and process.stdout
        yield Peer(int(process.stdout.readline()), process.stdin, process.stdout)
        process.stdin.close()


def main() -> None:
    """Measure and print; exit with 1 where the libraries cannot be installed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    asked = parser.parse_args()
    sys.stdout.write(f"{described()}\n")
    try:
        python()
    except NoPeers as refusal:
        sys.exit(str(refusal))
    with ExitStack() as stack:
        peers = {name: stack.enter_context(peer(script)) for name, script in PEERS.items()}
        best = dict.fromkeys(peers, float("inf"))
        for _ in range(asked.rounds):
            best = {name: min(best[name], each.run()) for name, each in peers.items()}
        for name, each in peers.items():
            sys.stdout.write(f"{name:>42} {each.moves / best[name]:9,.0f}/s\n")


if __name__ == "__main__":
    main()

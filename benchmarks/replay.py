"""What it costs to verify and to replay a log: ``python -m benchmarks.replay [--games 3] [--rounds 15]``.

Four bots play each of the dealt games, with more rounds than usual so that a log has 500 entries or more.
In each round, every log is verified from its text, replayed without its chain from parsed JSON, and, as the
yardstick, each of its entries is written as canonical JSON and hashed. Times are of the processor; of each
log the best of the rounds counts, and all are interleaved, so that a busy machine slows all down alike.

The libraries of `benchmarks.peers` make their moves in the same rounds, in an environment of their own.
"""

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from hashlib import sha256
from typing import Any, Final, TypeAlias

from tqdm import tqdm

from benchmarks.machine import described
from benchmarks.peers import PEERS, Peer, peer
from games import rules, verifier
from games.engine import replay
from games.engine.replay import Actor
from tests.rules.recording import Recorder

Log: TypeAlias = list[str]
Run: TypeAlias = Callable[[], float]
"""Does something once and returns the seconds of processor time that it took."""

SEATS: Final = 4
SHORTEST: Final = 500
OPTIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    "scamper": {},
    "scoops": {"target": 10, "round_limit": 100},
    "scram": {"rounds": 10},
}


def recorded(ruleset: str, count: int) -> list[Log]:
    """Return the logs of so many seeded games among bots, each long enough."""
    logs: list[Log] = []
    seeds = random.Random(1)
    with tqdm(total=count, desc=ruleset, leave=False) as shown:
        while len(logs) < count:
            game = Recorder(ruleset, SEATS, OPTIONS[ruleset], secret=seeds.randbytes(32))
            game.play()
            if len(game.entries) >= SHORTEST:
                logs.append([*game.lines()])
                shown.update()
    return logs


def runs(logs: Sequence[Log]) -> dict[str, list[Run]]:
    """Return what is measured, a run for each log, the yardstick first."""
    parsed = [[json.loads(line) for line in log] for log in logs]
    return {
        "canonical JSON and SHA-256": [timed(hashed, each) for each in parsed],
        "full verification, text in": [timed(verifier.check, each) for each in logs],
        "replay without chain": [timed(replayed, each) for each in parsed],
    }


def timed(do: Callable[[Any], object], log: Any) -> Run:
    def run() -> float:
        begun = time.process_time()
        do(log)
        return time.process_time() - begun

    return run


def hashed(entries: Sequence[Mapping[str, Any]]) -> None:
    """Write each entry and hash it, with nothing checked."""
    head = bytes(32)
    for entry in entries:
        text = json.dumps(entry, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        head = sha256(head + text.encode()).digest()


def replayed(entries: Sequence[Mapping[str, Any]]) -> None:
    """Replay a parsed log as `games.log` does; its last line has the seed."""
    first, *later, end = entries
    opening = replay.read_opening(first["move"])
    position = replay.opened(rules.find(opening.ruleset), opening, bytes.fromhex(end["seed"]))
    replay.folded(position, ((Actor(each["role"], each["seat"]), each["move"]) for each in later))


def best(measured: Mapping[str, Sequence[Run]], rounds: int) -> dict[str, float]:
    """Return the seconds of each over all logs, of every log the shortest of the rounds."""
    shortest = {name: [math.inf] * len(each) for name, each in measured.items()}
    for _ in range(rounds):
        for name, each in measured.items():
            shortest[name] = [min(before, run()) for before, run in zip(shortest[name], each, strict=True)]
    return {name: sum(seconds) for name, seconds in shortest.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--alone", action="store_true", help="without the libraries of benchmarks.peers")
    asked = parser.parse_args()
    sys.stdout.write(f"{described()}\n")
    with ExitStack() as stack:
        names = {} if asked.alone else PEERS
        peers = {n: stack.enter_context(peer(script)) for n, script in names.items()}
        for ruleset in OPTIONS:
            logs = recorded(ruleset, asked.games)
            report(ruleset, logs, asked.rounds, peers)


def report(ruleset: str, logs: Sequence[Log], rounds: int, peers: Mapping[str, Peer]) -> None:
    """Write entries a second and an entry's microseconds for each run, and its ratio to the yardstick."""
    entries = sum(len(log) - 1 for log in logs)
    measured = runs(logs) | {name: [each.run] for name, each in peers.items()}
    counts = {name: each.moves for name, each in peers.items()}
    seconds = best(measured, rounds)
    sys.stdout.write(f"\n{ruleset}: {len(logs)} logs of {entries // len(logs)} entries on average\n")
    yardstick = next(iter(seconds.values())) / entries
    for name, taken in seconds.items():
        each = taken / counts.get(name, entries)
        sys.stdout.write(
            f"{name:>42} {1 / each:9,.0f}/s {each * 1e6:7.1f} µs {each / yardstick:6.2f} of the yardstick\n"
        )


if __name__ == "__main__":
    main()

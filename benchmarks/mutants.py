"""Mutation run: how many faults of the rules do the fast tests notice?

``python -m benchmarks.mutants [--sample 2000] [--seed 1] [--part 1/2] [--only games/rules]`` changes one
thing in a function of rules, replay, chain, chance or scoring, runs the fast tests of that game or package,
the shortest first, and prints the changes that no test notices as diffs. Wording is left as it is. The
operators are mutmut's (`pip install mutmut==3.8.1`). The run is ours: modules are loaded and tests collected
once, and each mutant is a fork that exchanges the code of one function. No database is needed.
"""

import argparse
import contextlib
import io
import os
import random
import resource
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from _pytest.runner import runtestprotocol

from benchmarks.mutating import Mutant, exchange, mutants_of

TOP: Final = Path(__file__).parents[1]
SOURCES: Final = ("games/engine/*.py", "games/rules/**/*.py", "league/core/scoring.py")
LEFT_OUT: Final = ("bot", "describing", "form", "messages", "clocks", "textinput", "policy", "jsontypes")
"""Modules of strategy, wording and forms."""
TESTS: Final = (
    *("tests/engine", "tests/core/test_scoring.py", "tests/conformance/test_kit.py"),
    "tests/rules/test_golden.py",
    *(f"tests/rules/{game}" for game in ("scoops", "scamper", "scram", "scamper_scorecard")),
    *(f"tests/rules/{game}" for game in ("scoops_scorecard", "scram_scorecard")),
)
ALONE: Final = (
    *("-c", os.devnull, "--rootdir", str(TOP), "--noconftest", "--import-mode=importlib", "-q"),
    *("-p", "no:cacheprovider", "-p", "no:django", "-p", "no:xdist", "-p", "tests.rules.conftest"),
    *("--ignore-glob=*/test_web*.py", "--ignore-glob=*/test_page.py", "--ignore-glob=*/test_bot.py"),
    *("--ignore-glob=*/test_finder.py", "--ignore-glob=*/test_golden_games.py"),
    *("-k", "not standard_input and not wrong_engine and not bots_play and not given_up"),
)
PATIENCE: Final = 5.0
"""A mutant may take this many times the processor time of its tests, and as many seconds more."""
MEMORY: Final = 4 << 30


class Judge:
    """A pytest plugin that runs mutants in place of tests."""

    def __init__(self, mutants: Sequence[Mutant]) -> None:
        self.mutants = mutants
        self.survivors: list[Mutant] = []
        self.skipped: list[Mutant] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Judge all mutants by the collected tests."""
        started = time.monotonic()
        wanted = [item for item in session.items if self._wants(item)]
        seconds = baseline(wanted)
        say(f"{len(seconds)} tests, {sum(seconds.values()):.0f} s")
        begun = time.monotonic()
        for number, mutant in enumerate(self.mutants, 1):
            self._judge(mutant, wanted, seconds)
            if number % 100 == 0:
                say(f"{number} mutants, {len(self.survivors)} survive, {time.monotonic() - begun:.0f} s")
        took = time.monotonic() - begun
        say(f"{took / max(1, len(self.mutants)):.2f} s a mutant, {time.monotonic() - started:.0f} s in all")
        return True

    def _wants(self, item: pytest.Item) -> bool:
        return any(concerns(path, item.nodeid) for path in {mutant.path for mutant in self.mutants})

    def _judge(self, mutant: Mutant, items: Sequence[pytest.Item], seconds: Mapping[int, float]) -> None:
        own = [number for number in seconds if concerns(mutant.path, items[number].nodeid)]
        numbers = sorted(own, key=lambda number: seconds[number])
        limit = PATIENCE * (1 + sum(seconds[number] for number in numbers))
        match forked(lambda: noticed(mutant, [items[each] for each in numbers]), limit):
            case 0:
                self.survivors.append(mutant)
                say(f"survived {len(numbers)} tests: {mutant.path}, {mutant.function}\n{mutant.diff()}")
            case 2:
                self.skipped.append(mutant)


def baseline(items: Sequence[pytest.Item]) -> dict[int, float]:
    """Return the processor time of each test that passes, by its number.

    The tests run in a fork, so that nothing that they keep in memory is seen by the mutants.
    """
    reading, writing = os.pipe()
    if os.fork() == 0:
        with contextlib.suppress(BaseException), os.fdopen(writing, "w") as stream, quiet():
            for number, item in enumerate(items):
                started = time.process_time()
                passed = passes(item)
                stream.write(f"{number} {int(passed)} {time.process_time() - started}\n")
        os._exit(0)
    os.close(writing)
    seconds = {}
    with os.fdopen(reading) as stream:
        for number, passed, took in map(str.split, stream):
            if passed == "1":
                seconds[int(number)] = float(took)
            else:
                say(f"fails without a mutant and is left out: {items[int(number)].nodeid}")
    os.wait()
    return seconds


def concerns(path: Path, test: str) -> bool:
    """Return whether a test is of the game, or of the package, that the file belongs to."""
    if path.parts[:2] == ("league", "core"):
        return test.startswith("tests/core/")
    if path.parts[:2] != ("games", "rules") or len(path.parts) == 3:
        return not test.startswith("tests/core/")
    folder = path.parts[2]
    return f"rules/{folder}/" in test or f"[{folder.replace('_', '-')}" in test


def passes(item: pytest.Item) -> bool:
    """Run a test; return whether it passes."""
    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


def noticed(mutant: Mutant, items: Sequence[pytest.Item]) -> int:
    """Return 1 if a test notices the mutant, 0 if none does, 2 if the code could not be exchanged."""
    try:
        exchange(mutant)
    except (AttributeError, SyntaxError, ValueError):
        return 2
    with quiet():
        return int(not all(passes(item) for item in items))


def forked(judge: Any, seconds: float) -> int:
    """Return what ``judge`` returns in a fork; 1 if it takes more processor time or is killed."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.setitimer(signal.ITIMER_PROF, seconds)
        code = 1
        with contextlib.suppress(BaseException):
            code = judge()
        os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 1


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Swallow what tests print."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def say(sentence: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


def sources(only: str) -> list[Path]:
    """Return the files to mutate, relative to the top."""
    found = {path.relative_to(TOP) for pattern in SOURCES for path in TOP.glob(pattern)}
    return sorted(path for path in found if str(path).startswith(only) and not {*parts(path)} & {*LEFT_OUT})


def parts(path: Path) -> Sequence[str]:
    """Return the names of the folders and of the module."""
    return path.with_suffix("").parts


def main() -> int:
    """Judge a sample of all mutants and print the survivors."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--sample", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="mutate files below this folder only")
    parser.add_argument(
        "--part", default="1/1", help="judge this part of the sample, as 1/2 and 2/2 side by side"
    )
    given = parser.parse_args()
    every = [mutant for path in sources(given.only) for mutant in mutants_of(TOP, path)]
    sample = random.Random(given.seed).sample(every, min(given.sample, len(every)))
    part, parts_ = map(int, given.part.split("/"))
    sample = sample[part - 1 :: parts_]
    say(f"{len(every)} mutants, {len(sample)} of them judged")
    judge = Judge(sample)
    code = pytest.main([*ALONE, *(str(TOP / test) for test in TESTS if (TOP / test).exists())], [judge])
    judged = len(sample) - len(judge.skipped)
    killed = judged - len(judge.survivors)
    share = 100 * killed / max(1, judged)
    say(f"{killed} of {judged} killed ({share:.1f} %), {len(judge.skipped)} not applicable")
    return int(code not in (0, 5))


if __name__ == "__main__":
    sys.exit(main())

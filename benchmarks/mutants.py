"""Mutation run: how many faults of the rules do the fast tests notice?

``python -m benchmarks.mutants [--sample 2000] [--seed 1] [--part 1/2] [--only games/rules] [--again FILE]``
changes one thing in a function of rules, replay, chain, chance or scoring, runs the tests that run the
changed statement, the shortest first, and prints the changes that no test notices as diffs. Wording is left
as it is. ``--again`` judges only those that a file names, such as what an earlier run has printed. What no
test runs, since modules run it when they are imported, is judged by the tests in a process of its own.
The operators are mutmut's (`pip install mutmut==3.8.1`). The run is ours: modules are loaded and tests
collected once, and each mutant is a fork that exchanges the code of one function. No database is needed.
"""

import argparse
import contextlib
import functools
import hashlib
import io
import os
import pickle
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from itertools import accumulate
from pathlib import Path
from types import CodeType
from typing import Any, Final

import coverage
import pytest
from _pytest.runner import runtestprotocol

from benchmarks.mutating import Mutant, exchange, mutants_of

TOP: Final = Path(__file__).parents[1]
SOURCES: Final = ("games/engine/*.py", "games/rules/**/*.py", "league/core/scoring.py")
LEFT_OUT: Final = ("bot", "describing", "form", "messages", "clocks", "textinput", "policy", "jsontypes")
"""Modules of strategy, wording and forms."""
TESTS: Final = (
    *("tests/engine", "tests/core/test_scoring.py", "tests/core/formats", "tests/conformance/test_kit.py"),
    *(f"tests/core/test_{name}.py" for name in ("cross_table", "outlook", "published", "tie_breaks")),
    *(f"tests/rules/test_{name}.py" for name in ("golden", "contract", "schemas", "digests", "named_cards")),
    *(f"tests/rules/{game}" for game in ("scoops", "scamper", "scram", "scamper_scorecard")),
    *(f"tests/rules/{game}" for game in ("scoops_scorecard", "scram_scorecard")),
    *("tests/rules/high_card", "tests/rules/high_card_on_paper"),
)
SLOW_TESTS: Final = (
    *("standard_input", "wrong_engine", "bots_play", "given_up", "no_file_is", "meet_in_a_line"),
    *("every_value_of_every_option", "6-defaults", "8-defaults", "9-defaults", "10-defaults"),
    *("games_show", "every_rule_is_touched"),
)
ALONE: Final = (
    *("-c", os.devnull, "--rootdir", str(TOP), "--noconftest", "--import-mode=importlib", "-q"),
    *("-p", "no:cacheprovider", "-p", "no:django", "-p", "no:xdist", "-p", "tests.rules.conftest"),
    *("--assert=plain", "--tb=native"),
    *("--ignore-glob=*/test_web*.py", "--ignore-glob=*/test_page.py", "--ignore-glob=*/test_bot*.py"),
)
SLOW: Final = 1.5
"""A test that takes more seconds of processor time, while its lines are recorded, is left out."""
PATIENCE: Final = 5.0
"""A mutant may take this many times the processor time of its tests, and as many seconds more."""
MEMORY: Final = 4 << 30
COLLECTED: Final[dict[type, object]] = {}
"""The shapes that `games.engine.shapes` has made of declarations before the first test."""


@dataclass(frozen=True)
class Test:
    """A test, and the processor time that it takes."""

    item: pytest.Item
    seconds: float


class Judge:
    """A pytest plugin that runs mutants in place of tests."""

    def __init__(self, mutants: Sequence[Mutant], most: float) -> None:
        self.mutants = mutants
        self.most = most
        self.survivors: list[Mutant] = []
        self.skipped: list[Mutant] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Judge all mutants by the collected tests."""
        started = time.monotonic()
        wanted = [item for item in session.items if self._wants(item)]
        tests = {name: shortest(found, self.most) for name, found in tests_of(self.mutants, wanted).items()}
        say(f"{len(wanted)} tests run in {time.monotonic() - started:.0f} s")
        begun = time.monotonic()
        for number, mutant in enumerate(self.mutants, 1):
            self._judge(mutant, tests[mutant.name])
            if number % 100 == 0:
                say(f"{number} mutants, {len(self.survivors)} survive, {time.monotonic() - begun:.0f} s")
        took = time.monotonic() - begun
        say(f"{took / max(1, len(self.mutants)):.2f} s a mutant, {time.monotonic() - started:.0f} s in all")
        return True

    def _wants(self, item: pytest.Item) -> bool:
        return any(concerns(path, item.nodeid) for path in {mutant.path for mutant in self.mutants})

    def _judge(self, mutant: Mutant, tests: Sequence[Test]) -> None:
        limit = PATIENCE * (1 + sum(test.seconds for test in tests))
        match forked(lambda: noticed(mutant, tests), limit) if tests else afresh(mutant):
            case 0:
                self.survivors.append(mutant)
                say(f"survived {len(tests)} tests: {mutant.name}\n{mutant.diff()}")
            case 2:
                self.skipped.append(mutant)


def tests_of(mutants: Sequence[Mutant], items: Sequence[pytest.Item]) -> dict[str, list[Test]]:
    """Return for each mutant the tests that run its statement and pass, the shortest first.

    The tests run in a fork, so that nothing that they keep in memory is seen by the mutants.
    """
    reading, writing = os.pipe()
    if os.fork() == 0:
        with contextlib.suppress(BaseException), os.fdopen(writing, "wb") as stream, quiet():
            pickle.dump(measured(mutants, items), stream)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        found, failed = pickle.load(stream)
    os.wait()
    for number in failed:
        say(f"fails without a mutant, or is slow, and is left out: {items[number].nodeid}")
    return {
        name: [Test(items[number], seconds) for seconds, number in sorted(tests)]
        for name, tests in found.items()
    }


def shortest(tests: Sequence[Test], most: float) -> Sequence[Test]:
    """Return the first tests, as many as take at most so many seconds."""
    sums = accumulate(test.seconds for test in tests)
    return [test for test, seconds in zip(tests, sums, strict=True) if seconds <= most]


def measured(
    mutants: Sequence[Mutant], items: Sequence[pytest.Item]
) -> tuple[dict[str, list[tuple[float, int]]], list[int]]:
    """Run the tests; return for each mutant (seconds, number) of those that reach it, and those that fail."""
    watch = coverage.Coverage(
        data_file=None, config_file=False, include=[*{str(TOP / m.path) for m in mutants}]
    )
    seconds: dict[int, float] = {}
    watch.start()
    for number, item in enumerate(items):
        forget()
        watch.switch_context(str(number))
        started = time.process_time()
        if passes(item) and time.process_time() - started <= SLOW:
            seconds[number] = time.process_time() - started
    watch.stop()
    data, found = watch.get_data(), {}
    for path in {mutant.path for mutant in mutants}:
        run = data.contexts_by_lineno(str(TOP / path))
        for mutant in mutants:
            if mutant.path == path:
                reached = {int(number) for line in mutant.lines for number in run.get(line, ()) if number}
                found[mutant.name] = [(seconds[number], number) for number in reached & {*seconds}]
    return found, [number for number in range(len(items)) if number not in seconds]


def forget() -> None:
    """Empty the caches of functions, which the collection of tests, or another test, has filled."""
    for name, module in [*sys.modules.items()]:
        if name.startswith(("games.", "league.core", "tests.")):
            for value in [*vars(module).values()]:
                if isinstance(value, functools._lru_cache_wrapper):
                    value.cache_clear()
    known, collected = sys.modules["games.engine.shapes"]._RECORDS, COLLECTED
    collected.update(() if collected else known)
    known.clear()
    known.update(collected)


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


def noticed(mutant: Mutant, tests: Sequence[Test]) -> int:
    """Return 1 if a test notices the mutant, 0 if none does, 2 if the code could not be exchanged."""
    forget()
    try:
        exchange(mutant)
    except (AttributeError, SyntaxError, ValueError):
        return 2
    with quiet():
        return int(not all(passes(test.item) for test in tests))


def afresh(mutant: Mutant) -> int:
    """Return 1 if a test notices a mutant that runs when modules are imported, or tests collected."""
    command = [sys.executable, "-m", "benchmarks.mutants", "--import", mutant.name]
    return subprocess.run(command, cwd=TOP, capture_output=True, check=False).returncode


class Imported:
    """A pytest plugin that imports the changed module, and runs the tests of its game or package."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        unchanged = SourceFileLoader.get_code
        text = mutant.after

        def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
            return compile(text, loader.path, "exec") if name == mutant.module else unchanged(loader, name)

        SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the tests that concern the mutant."""
        items[:] = [item for item in items if concerns(self.mutant.path, item.nodeid)]

    def noticed(self) -> int:
        """Return 1 if a test fails, or if the tests cannot be collected."""
        return int(pytest.main([*arguments(TESTS), "--exitfirst"], [self]) != 0)


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


def sampled(every: Sequence[Mutant], seed: int) -> list[Mutant]:
    """Return the mutants in an order by chance in which each keeps its place when others come and go."""
    return sorted(every, key=lambda mutant: hashlib.sha256(f"{seed} {mutant.name}".encode()).digest())


def parts(path: Path) -> Sequence[str]:
    """Return the names of the folders and of the module."""
    return path.with_suffix("").parts


def arguments(tests: Sequence[str], without: str = "") -> list[str]:
    """Return the arguments of pytest; tests with one of the words ``without`` in their names are left out."""
    left_out = " and ".join(f"not {name}" for name in (*SLOW_TESTS, *without.split()))
    return [*ALONE, "-k", left_out, *(str(TOP / test) for test in tests)]


def main() -> int:
    """Judge a sample of all mutants and print the survivors."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--sample", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--skip", type=int, default=0, help="leave out the first mutants of the sample")
    parser.add_argument("--only", default="", help="mutate files below this folder only")
    parser.add_argument("--part", default="1/1", help="judge this part, as 1/2 and 2/2 side by side")
    parser.add_argument("--again", type=Path, help="judge only mutants that this file names")
    parser.add_argument("--seconds", type=float, default=20.0, help="of tests for a mutant, at most")
    parser.add_argument("--without", default="", help="words in the names of tests that are left out")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="files and folders of tests")
    parser.add_argument("--import", dest="imported", help="judge one mutant in this process")
    given = parser.parse_args()
    if given.imported:
        path = Path(given.imported.partition(":")[0])
        return Imported(next(each for each in mutants_of(TOP, path) if each.name == given.imported)).noticed()
    every = [mutant for path in sources(given.only) for mutant in mutants_of(TOP, path)]
    sample = sampled(every, given.seed)[given.skip : given.sample]
    if given.again:
        named = {*re.findall(r"[\w/]+\.py:[\w.]+:\d+", given.again.read_text("utf-8"))}
        sample = [mutant for mutant in sample if mutant.name in named]
    part, parts_ = map(int, given.part.split("/"))
    sample = sample[part - 1 :: parts_]
    say(f"{len(every)} mutants, {len(sample)} of them judged")
    judge = Judge(sample, given.seconds)
    code = pytest.main(arguments(given.tests, given.without), [judge])
    judged = len(sample) - len(judge.skipped)
    killed = judged - len(judge.survivors)
    share = 100 * killed / max(1, judged)
    say(f"{killed} of {judged} killed ({share:.1f} %), {len(judge.skipped)} not applicable")
    return int(code not in (0, 5))


if __name__ == "__main__":
    sys.exit(main())

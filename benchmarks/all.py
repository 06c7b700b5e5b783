"""The table of `docs/performance.md`: ``python -m benchmarks.all [--only NAME …] [--write]``.

It runs each benchmark with its yardsticks, which are measured in turns with it, prints what it says, and then
a line for each goal. With ``--write`` the table in the page is replaced; lines of other benchmarks stay in it
as they were. A benchmark that fails, such as one whose libraries cannot be installed, fails its lines and the
command.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from benchmarks.machine import described

PAGE: Final = Path(__file__).parents[1] / "docs" / "performance.md"
BEGIN, END = "<!-- measured by benchmarks.all -->", "<!-- end -->"
RULESETS: Final = ("scamper", "scoops", "scram")
COMMANDS: Final[Mapping[str, Sequence[str]]] = {
    "replay": ("benchmarks.replay", "--peers"),
    "moves": ("benchmarks.moves",),
    "pooled": ("benchmarks.pooled",),
    "latency": ("benchmarks.latency",),
    "standings": ("benchmarks.standings",),
    "draws": ("benchmarks.draws", "2000000", "1", "1", "500"),
    "rebuild": ("benchmarks.rebuild",),
    "growth": ("benchmarks.growth",),
    "memory": ("benchmarks.memory",),
    "streams": ("benchmarks.streams",),
    "burst": ("benchmarks.burst",),
}
"""The modules that are run, with their arguments."""


@dataclass(frozen=True)
class Line:
    """A line of the table: a goal, and where the output of a benchmark says what was measured.

    The groups of the pattern are joined by blanks.
    """

    what: str
    benchmark: str
    pattern: str
    goal: str


def _lines() -> Iterator[Line]:
    for name in RULESETS:
        within = rf"(?s:\n{name}: .*?)"
        verified, replayed = "full verification, text in", "replay without chain"
        measured = r" +([\d,]+/s) +[\d.]+ µs +([\d.]+) of the yardstick"
        yield Line(f"{name}: {verified}", "replay", within + verified + measured, "50,000/s")
        yield Line(f"{name}: {replayed}", "replay", within + replayed + measured, "65,000/s")
    for name in ("rlcard", "OpenSpiel", "python-chess"):
        yield Line(f"yardstick: {name}", "replay", rf"{name}.*? ([\d,]+/s)", "–")
    yield Line("a move over HTTP", "moves", r"ours +(.*)", "0.5 of idiomatic, 2.5 of bare")
    for name in ("a move", "GET game"):
        yield Line(f"{name} through PgBouncer", "pooled", rf"{name}, PgBouncer: (.*)", "–")
    for name, goal in (
        ("GET game, warm", "1 ms"),
        ("GET game, not modified", "0.3 ms"),
        ("first look at a cold game of 2000 entries", "10 ms"),
        ("first look at a cold game of 5000 entries", "10 ms"),
    ):
        yield Line(name, "moves", rf"{name}: ([\d.]+ ms)", goal)
    for length in (2000, 5000):
        measured = rf"at/2000/ of a game of {length} entries: ([\d.]+ ms)"
        yield Line(f"at/2000/ of a game of {length} entries", "moves", measured, "10 ms")
    for size in (48, 200, 500):
        measured = rf"field of {size}: one more result ([\d.]+ ms), aggregate [\d.]+ ms, ([\d.]+ times)"
        yield Line(f"one more result in a field of {size}", "standings", measured, "10 times the aggregate")
    yield Line("folding a competition, an event", "standings", r"of 500: .* events ([\d.]+ µs) each", "30 µs")
    for what, pattern, goal in (
        ("made anew", r"([\d.]+ ms) made anew", "50 ms"),
        ("kept", r"([\d.]+ ms) kept", "1 ms"),
        ("compressed", r"([\d.]+ kB) compressed", "60 kB"),
    ):
        yield Line(f"page of 500 entries, {what}", "standings", f"page of 500: .*?{pattern}", goal)
    late = r"\n +500 .* ([+-][\d.]+)\n"
    yield Line("late Swiss round of 500 entries, per cent above annealing", "draws", late, "5")
    uneven = r"{}: .* ([\d.]+ times)"
    yield Line("a move of 8 clients, p99 in medians", "latency", uneven.format("ours"), "4")
    yield Line("yardstick: bare view, p99 in medians", "latency", uneven.format("bare"), "–")
    pace = r"(?s:.*)processor: .*, ([\d,]+) entries a second"
    yield Line("rebuild of everything, entries a second and core", "rebuild", pace, "24,000")
    extrapolated = r"entries: .*, ([\d.]+) on 2 free cores"
    yield Line("rebuild of 23 million entries, minutes", "rebuild", extrapolated, "8")
    for what in ("append", "read"):
        last = rf"{what} in the full log, .*: ([\d.]+)"
        yield Line(f"{what} at 10 million entries, of that in an empty log", "growth", last, "1")
    for name, goal in (("all", "450 MB"), ("supervisor", "15 MB")):
        yield Line(f"memory after load: {name}", "memory", rf"\n +{name} +(\d+ MB)", goal)
    yield from _streams()
    taken = r"(?s:.*)results: ([\d.]+ s) until .*?, processor ([\d.]+ worker \+ [\d.]+ database s)"
    yield Line("200 results at once, until all are ranked", "burst", taken, "3 s")


def _streams() -> Iterator[Line]:
    measured = r": .*?(p95 \d+ ms).*; (processor .* ms) an event"
    for name in ("one game", "one club", "as many accounts"):
        yield Line(f"an event to 300 listeners: {name}", "streams", name + measured, "p95 100 ms")
    yield Line("yardstick: bare ASGI server", "streams", "bare ASGI" + measured, "–")
    yield Line("1,000 idle streams", "streams", r"(\d+ MB) more after", "200 MB")


LINES: Final = (*_lines(),)


def output(name: str) -> str:
    """Run a benchmark, show what it says, and return it; empty where it fails."""
    sys.stdout.write(f"\n$ python -m {' '.join(COMMANDS[name])}\n")
    sys.stdout.flush()
    command = [sys.executable, "-m", *COMMANDS[name]]
    answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    sys.stdout.write(answer.stdout)
    return answer.stdout if answer.returncode == 0 else ""


def table(outputs: Mapping[str, str], before: str) -> Iterator[str]:
    """Yield the lines of the table in Markdown; those of benchmarks that were not run are as before."""
    yield f"{described()}; {datetime.now(UTC):%d %B %Y}.\n"
    yield "| | measured | goal |"
    yield "|---|---|---|"
    for line in LINES:
        kept = re.search(rf"^\| {re.escape(line.what)} \|.*$", before, re.MULTILINE)
        if line.benchmark in outputs:
            yield f"| {line.what} | {measured(line, outputs[line.benchmark])} | {line.goal} |"
        elif kept:
            yield kept[0]


def measured(line: Line, said: str) -> str:
    """Return what a benchmark said of a line."""
    found = re.search(line.pattern, said)
    return " · ".join(found.groups()) if found else "failed"


def main() -> None:
    """Run, print, and write the page where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=COMMANDS, default=[*COMMANDS])
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    outputs = {name: output(name) for name in asked.only}
    before, begin, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    old, end, after = rest.partition(END)
    made = "\n".join(table(outputs, old))
    sys.stdout.write(f"\n{made}\n")
    if asked.write:
        PAGE.write_text(f"{before}{begin}\n{made}\n{end}{after}", encoding="utf-8")
    sys.exit(0 if all(outputs.values()) else 1)


if __name__ == "__main__":
    main()

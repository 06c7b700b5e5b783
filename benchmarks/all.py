"""The table of `docs/performance.md`: ``python -m benchmarks.all [--only NAME …] [--write]``.

It runs each benchmark with its yardsticks, which are measured in turns with it, prints what it says, and then
a line for each goal. With ``--write`` the table in the page is replaced; lines of other benchmarks stay in it
as they were. Each line says when it was measured, and each run on which machine. A benchmark that fails, such
as one whose libraries cannot be installed, and a line that what was said doesn't have, fail the command.
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
from benchmarks.moves import LONG

PAGE: Final = Path(__file__).parents[1] / "docs" / "performance.md"
FAILED: Final = "failed"
BEGIN, END = "<!-- measured by benchmarks.all -->", "<!-- end -->"
RULESETS: Final = ("scamper", "scoops", "scram")
COMMANDS: Final[Mapping[str, Sequence[str]]] = {
    "replay": ("benchmarks.replay",),
    "moves": ("benchmarks.moves",),
    "pooled": ("benchmarks.pooled",),
    "latency": ("benchmarks.latency",),
    "standings": ("benchmarks.standings",),
    "series": ("benchmarks.series",),
    "draws": ("benchmarks.draws", "2000000", "1", "1", "500"),
    "rebuild": ("benchmarks.rebuild", "--entries", "2300000"),
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
    yield from _replays()
    yield from _moves()
    yield from _looks()
    yield from _standings()
    uneven = r"{}: .* ([\d.]+ times)"
    yield Line("a move of 8 clients, p99 in medians", "latency", uneven.format("ours"), "4")
    yield Line("yardstick: bare view, p99 in medians", "latency", uneven.format("bare"), "–")
    yield from _logs()
    for name, goal in (("all", "600 MB"), ("supervisor", "15 MB")):
        yield Line(f"memory after load: {name}", "memory", rf"\n +{name} +(\d+ MB)", goal)
    yield from _streams()
    taken = r"(?s:.*)results: ([\d.]+ s) until .*?, processor ([\d.]+ worker \+ [\d.]+ database s)"
    yield Line("200 results at once, until all are ranked", "burst", taken, "3 s")


def _replays() -> Iterator[Line]:
    for name in RULESETS:
        within = rf"(?s:\n{name}: .*?)"
        verified, replayed = "full verification, text in", "replay without chain"
        measured = r" +([\d,]+/s) +[\d.]+ µs +([\d.]+) of the yardstick"
        yield Line(f"{name}: {verified}", "replay", within + verified + measured, "50,000/s")
        yield Line(f"{name}: {replayed}", "replay", within + replayed + measured, "65,000/s")
    for name in ("rlcard", "OpenSpiel", "python-chess"):
        yield Line(f"yardstick: {name}", "replay", rf"{name}.*? ([\d,]+/s)", "–")


def _moves() -> Iterator[Line]:
    yield Line("a move over HTTP", "moves", r"ours +(web .*)", "0.6 of idiomatic, 2.5 of bare")
    for name, subject, goal in (
        ("a move", "ours", "1 and 1"),
        ("yardstick: idiomatic view", "idiomatic", "–"),
    ):
        yield Line(f"{name}: statements", "moves", rf"{subject} +(\d+ statements, \d+ round trips)", goal)
    for name in ("a move", "GET game"):
        yield Line(f"{name} through PgBouncer", "pooled", rf"{name}, PgBouncer: (.*)", "–")


def _looks() -> Iterator[Line]:
    for name, goal in (
        ("GET game, warm", "1 ms"),
        ("GET game, not modified", "0.6 ms"),
        *((f"first look at a cold game of {length} entries", "10 ms") for length in LONG),
        *((f"at/{seq}/ of a game of 5099 entries", "10 ms") for seq in (2000, 2099)),
    ):
        yield Line(name, "moves", rf"{name}: ([\d.]+ ms), ([\d.]+ of [\d,]+ hashed entries)", goal)


def _standings() -> Iterator[Line]:
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
    year = r"slowest of all presets: ([\d.]+ ms), ([\d.]+ times)"
    yield Line("table of a year: 60 evenings, 40 people", "series", year, "20 ms")
    yield Line("one more result in it, to its row", "series", r"result: row ([\d.]+ ms)", "20 ms")
    yield Line("the table from its rows, cold", "series", r"from the rows ([\d.]+ ms)", "40 ms")
    page = r"\npage: ([\d.]+ ms) made anew, ([\d.]+ times)"
    yield Line("page of such a series, made anew", "series", page, "50 ms")
    late = r"\n +500 .* ([+-][\d.]+)\n"
    yield Line("late Swiss round of 500 entries, per cent above annealing", "draws", late, "5")


def _logs() -> Iterator[Line]:
    pace = r"([\d,]+ entries) of .* games(?s:.*)processor: .*, ([\d,]+) entries a second"
    yield Line("rebuild of everything, entries a second and core", "rebuild", pace, "24,000")
    extrapolated = r"entries: .*, ([\d.]+) on 2 free cores"
    yield Line("rebuild of 23 million entries, minutes", "rebuild", extrapolated, "8")
    for what in ("append", "read"):
        last = rf"{what} in the full log, .*: ([\d.]+)"
        yield Line(f"{what} at 10 million entries, of that in an empty log", "growth", last, "1")


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


@dataclass(frozen=True)
class Measured:
    """What was measured of a line, and the name of its run, by which the page tells the machine."""

    measured: str
    run: str


def measured(line: Line, said: str) -> str:
    """Return what a benchmark said of a line, `FAILED` where it did not say it."""
    found = re.search(line.pattern, said)
    return " · ".join(found.groups()) if found else FAILED


def kept(page: str) -> tuple[dict[str, Measured], dict[str, str]]:
    """Return the lines of a table, each by what it measures, and the machine of each run."""
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| [^|]+ \| ([^|]+) \|$", page, re.MULTILINE)
    lines = {what: Measured(measured, run) for what, measured, run in rows}
    return lines, dict(re.findall(r"^- ([^:]+(?::\d\d)?): (.+)$", page, re.MULTILINE))


def table(lines: Mapping[str, Measured], machines: Mapping[str, str]) -> Iterator[str]:
    """Yield the table in Markdown, and the machines of its runs."""
    yield "| | measured | goal | run |"
    yield "|---|---|---|---|"
    shown = [(line, lines[line.what]) for line in LINES if line.what in lines]
    for line, found in shown:
        yield f"| {line.what} | {found.measured} | {line.goal} | {found.run} |"
    yield "\nThe machines of these runs:\n"
    for run in dict.fromkeys(found.run for _line, found in shown):
        yield f"- {run}: {machines[run]}"


def main() -> None:
    """Run, print, and write the page where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=COMMANDS, default=[*COMMANDS])
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    run, machine = f"{datetime.now(UTC):%d %b %Y, %H:%M}", described()
    outputs = {name: output(name) for name in asked.only}
    before, begin, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    old, end, after = rest.partition(END)
    new = {
        line.what: Measured(measured(line, outputs[line.benchmark]), run)
        for line in LINES
        if line.benchmark in outputs
    }
    lines, machines = kept(old)
    made = "\n".join(table(lines | new, machines | {run: machine}))
    sys.stdout.write(f"\n{made}\n")
    if asked.write:
        PAGE.write_text(f"{before}{begin}\n{made}\n{end}{after}", encoding="utf-8")
    failed = [what for what, found in new.items() if found.measured == FAILED]
    sys.exit(f"Not measured: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()

"""Benchmarks still run, on the smallest that they can measure: their own runs are rare and long."""

import os
import pkgutil
import re
from importlib import import_module
from random import Random
from typing import Final

import pytest

import benchmarks
from benchmarks import all as table
from benchmarks import (
    bot_moves,
    bots,
    burst,
    draw_times,
    draws,
    finder,
    levels,
    moves,
    parts,
    replay,
    standings,
)
from benchmarks.all import FAILED, LINES, Measured
from games import rules
from league.services.accounts import create_account
from league.services.clubs import create_club
from tests.rules.folders import HERE

OTHERS: Final = {"mutants", "mutating"}
"""Those whose libraries are installed by whoever runs them."""
MOVES: Final = 14


def missing(said: str, *named: str) -> list[str]:
    """Return the lines of the table about what is named that are not in what a benchmark said."""
    lines = [line for line in LINES if any(name in line.what for name in named)]
    assert lines
    return [line.what for line in lines if table.measured(line, said) == FAILED]


def test_each_is_imported() -> None:
    names = {module.name for module in pkgutil.iter_modules(benchmarks.__path__)}
    for name in names - OTHERS:
        assert import_module(f"benchmarks.{name}").__doc__


@pytest.mark.parametrize("key", table.RULESETS)
def test_a_log_is_verified_and_replayed(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    golden = min((HERE / key / "logs").glob("*.jsonl"), key=lambda path: path.stat().st_size)
    replay.report(key, [golden.read_text("utf-8").splitlines()], 1, {})
    assert missing(capsys.readouterr().out, f"{key}:") == []


@pytest.mark.django_db(transaction=True)
def test_moves_are_made_and_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    house, players, tokens = moves.a_club()
    made = moves.moves(house, players, tokens, "scoops", MOVES)
    moves.counts({"ours": made}, warming=3)
    parts.profile([(lambda each=each: moves.inside(each, 201)) for each in made])  # type: ignore[misc]
    moves.looks(house, players, tokens, (8, 9), 5)
    said = capsys.readouterr().out
    assert missing(said, "a move: statements", "GET game, warm", "GET game, not modified") == []
    assert "at/8/ of a game of 9 entries" in said
    assert all(f"| {part} |" in said for part in parts.PARTS)


@pytest.mark.django_db(transaction=True)
def test_results_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    by = create_account(username="director")
    house = (by, create_club(by=by, name="Standings"))
    standings.measure(os.getpid(), house, 48, looks=1)
    assert missing(capsys.readouterr().out, "field of 48") == []
    burst.count(*burst.a_competition(2))
    assert "a result" in capsys.readouterr().out


@pytest.mark.django_db(transaction=True)
def test_moves_of_bots_are_timed() -> None:
    shown = str(bot_moves.measured(rules.NEWEST["scoops"], "easy", 10))
    assert re.fullmatch(r"\| Scoops \| 9 \| easy \| \d+ ms \| \d+ ms \| \d+ ms \|", shown)


def test_draws_are_compared_and_finders_timed(capsys: pytest.CaptureFixture[str]) -> None:
    assert draws.measured((12, 4, 2), 100, 1, 0).startswith("   12")
    draw_times.Played(draw_times.PLANS[0], 8).play()
    finder.report("hands", [*finder.random_hands(Random(1), 1, 10)])
    assert "hands: 1 hands" in capsys.readouterr().out


def test_a_line_of_another_run_keeps_its_run_and_machine() -> None:
    first, second = LINES[0].what, LINES[1].what
    old = {first: Measured("1", "1 Jan 2026, 10:00"), second: Measured("2", "1 Jan 2026, 10:00")}
    page = "\n".join(table.table(old, {"1 Jan 2026, 10:00": "a machine; load 1"}))
    lines, machines = table.kept(page)
    assert (lines, machines) == (old, {"1 Jan 2026, 10:00": "a machine; load 1"})
    new = table.table(lines | {first: Measured("3", "now")}, machines | {"now": "another"})
    assert table.kept("\n".join(new))[1] == {"now": "another", **machines}


@pytest.mark.parametrize("section", [bots.SECTION, levels.SECTION, bot_moves.SECTION])
def test_new_rows_leave_the_rest_of_the_page_on_bots(section: str) -> None:
    page = bots.PAGE.read_text("utf-8")
    new = bots.rewritten(page, section, ["| made up |", "| so too |"])
    before, _, after = page.partition(section)
    head, rule, table = after.partition("---|\n")
    rows = table[: re.search(r"\A(?:\|.*\n)+", table).end()]  # type: ignore[union-attr]
    assert new == f"{before}{section}{head}{rule}| made up |\n| so too |\n{table[len(rows) :]}"
    assert bots.rewritten(new, section, rows.splitlines()) == page

"""Every rule number of every ruleset is touched by a table case or shown by a golden game.

A table case counts by the number at the head of its id (``C9-two-wilds``) or after ``test_`` (``test_c9_…``);
that the players' page has the rule, or that golden games must show it, is no case of it. A golden game counts
by what its replay shows, where the ruleset's tests have probes for that (`sights.rules_shown`). The tests of
its pages need a database and are none of its rules: the files `test_web….py` are left out.
"""

import os
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

from games.engine.replay import AnyRuleset
from tests.rules.folders import HERE, folder_for, missing_tests
from tests.toys import EVERY

EACH: Final = pytest.mark.parametrize("ruleset", EVERY, ids=lambda ruleset: ruleset.key)
CASE: Final = re.compile(r"(?:::test_|\[)([A-Za-z]\d+)(?=[-_\]])")
NO_CASES: Final = re.compile(r"/test_(?:page|golden\w*)\.py::")


def shown_by_golden_games(ruleset: AnyRuleset) -> set[str]:
    """Return what `rules_shown` says of the golden games, where the ruleset's tests have it in `sights`."""
    name = f"tests.rules.{folder_for(ruleset).name}.sights"
    sights = import_module(name) if find_spec(name) else None
    rules_shown = getattr(sights, "rules_shown", None)
    return rules_shown(folder_for(ruleset) / "logs") if rules_shown else set()


@cache
def cases(folder: Path) -> tuple[str, ...]:
    """Return the ids of all tests of a ruleset, as pytest collects them.

    In a process of its own, without our set-up and without plugins, which take most of the time: they belong
    to the run that is going on. Raises CalledProcessError where a file of tests cannot be read.
    """
    if not folder.is_dir():
        return ()
    alone = ("-c", os.devnull, "--rootdir", ".", "--noconftest", "--import-mode=importlib")
    quiet = ("-p", "no:cacheprovider", "--collect-only", "-q", "--ignore-glob=*/test_web*.py")
    command = [sys.executable, "-m", "pytest", *alone, *quiet, str(folder)]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    found = subprocess.run(command, capture_output=True, text=True, cwd=HERE.parents[1], env=environment)
    if found.returncode != pytest.ExitCode.NO_TESTS_COLLECTED:
        found.check_returncode()
    return tuple(line for line in found.stdout.splitlines() if "::" in line and not NO_CASES.search(line))


def touched(ruleset: AnyRuleset) -> set[str]:
    """Return the rule numbers that stand in the ids of the ruleset's table cases."""
    return {number.upper() for case in cases(folder_for(ruleset)) for number in CASE.findall(case)}


@EACH
def test_every_rule_is_touched(ruleset: AnyRuleset) -> None:
    assert not (lacking := [*missing_tests(ruleset)]), "\n".join(("", *lacking))
    shown = touched(ruleset) | shown_by_golden_games(ruleset)
    assert [rule for rule in ruleset.rule_numbers if rule not in shown] == []


@EACH
def test_no_case_is_named_by_a_rule_that_there_is_not(ruleset: AnyRuleset) -> None:
    letters = {number[0] for number in ruleset.rule_numbers}
    named = {number for number in touched(ruleset) if number[0] in letters}
    assert named <= {*ruleset.rule_numbers}


def test_a_folder_without_cases_has_none(tmp_path: Path) -> None:
    assert cases(tmp_path) == cases(tmp_path / "missing") == ()
    (tmp_path / "test_page.py").write_text("", "utf-8")
    assert cases(tmp_path) == ()


@pytest.mark.parametrize(
    ("case", "number"),
    [
        ("tests/rules/scoops/test_turns.py::test_a_pile_gives_its_top_card[C14-own-pile]", ["C14"]),
        ("tests/rules/scoops/test_turns.py::test_c14_a_seat_draws_once", ["c14"]),
        ("tests/rules/scram/test_golden.py::test_a_case_is_named_by_the_rule[A0]", ["A0"]),
        ("tests/rules/scoops/test_turns.py::test_a_seat_draws_once[two]", []),
    ],
)
def test_a_rule_number_is_read_off_an_id(case: str, number: list[str]) -> None:
    assert CASE.findall(case) == number

"""Every rule number of every ruleset is touched by a table case or shown by a golden game.

A table case counts by the number at the head of its id (``C9-two-wilds``) or after ``test_`` (``test_c9_…``);
that the players' page has the rule, or that golden games must show it, is no case of it. A golden game counts
by what its replay shows, where the ruleset's tests have probes for that.
"""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from games import rules
from games.engine.replay import AnyRuleset
from tests.rules.scamper.sights import rules_shown
from tests.rules.scenarios_scamper import LOGS

HERE: Final = Path(__file__).parent
CASE: Final = re.compile(r"(?:::test_|\[)([A-Za-z]\d+)(?=[-_\]])")
NO_CASES: Final = re.compile(r"/test_(?:page|golden\w*)\.py::")
SHOWN: Final[Mapping[str, Callable[[], set[str]]]] = {"scamper": lambda: rules_shown(LOGS)}
"""By ruleset, the rules that its golden games show."""


def folder_of(ruleset: AnyRuleset) -> str:
    return ruleset.key.replace("-", "_")


@cache
def cases(folder: str) -> tuple[str, ...]:
    """Return the ids of all tests of a ruleset, as pytest collects them.

    In a process of its own, without our set-up: that belongs to the run that is going on.
    """
    alone = ("-c", os.devnull, "--rootdir", ".", "--noconftest", "--import-mode=importlib", "-p", "no:django")
    quiet = ("-p", "no:cacheprovider", "--collect-only", "-q")
    command = [sys.executable, "-m", "pytest", *alone, *quiet, f"{HERE}/{folder}"]
    found = subprocess.run(command, capture_output=True, text=True, cwd=HERE.parents[1], check=True)
    return tuple(line for line in found.stdout.splitlines() if "::" in line and not NO_CASES.search(line))


def touched(ruleset: AnyRuleset) -> set[str]:
    """Return the rule numbers that stand in the ids of the ruleset's table cases."""
    return {number.upper() for case in cases(folder_of(ruleset)) for number in CASE.findall(case)}


@pytest.mark.parametrize("ruleset", rules.RULESETS, ids=lambda ruleset: ruleset.key)
def test_every_rule_is_touched(ruleset: AnyRuleset) -> None:
    shown = SHOWN.get(ruleset.key, set)()
    assert [rule for rule in ruleset.rule_numbers if rule not in touched(ruleset) | shown] == []


@pytest.mark.parametrize("ruleset", rules.RULESETS, ids=lambda ruleset: ruleset.key)
def test_no_case_is_named_by_a_rule_that_there_is_not(ruleset: AnyRuleset) -> None:
    letters = {number[0] for number in ruleset.rule_numbers}
    named = {number for number in touched(ruleset) if number[0] in letters}
    assert named <= {*ruleset.rule_numbers}


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

"""Every release verifies what earlier ones recorded, and computes the same standings from it."""

from pathlib import Path

import pytest

from league.core import formats, scoring
from league.core.drawing import drawing
from league.core.plans import ROLES
from league.core.standings import tie_breaks
from tests.recorded import FILES, opening_of, plans_of, standings, verified

RECORDED = sorted(FILES.glob("*.jsonl"))


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_a_recorded_league_is_verified_with_the_standings_that_it_had(file: Path) -> None:
    assert verified(file) == file.with_suffix(".txt").read_text(encoding="utf-8")


def test_every_edition_is_recorded() -> None:
    plans = [plan for file in RECORDED for plan in plans_of(file)]
    again = "python -m tests.recorded records it"
    assert {plan.editions.draws for plan in plans} == {*drawing.EDITIONS}, again
    assert {opening_of(file).get("roles", 1) for file in RECORDED} == {*ROLES}, again
    assert {plan.editions.scoring for plan in plans} == {*scoring.EDITIONS}, again
    known = {(key, number) for key in formats.BY_KEY for number in formats.editions(key)}
    assert {(plan.format, plan.editions.format) for plan in plans} == known, again


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("left_ladder-01", {"format": 1}),
        ("corrected_ladder-01", {"format": 2}),
        ("voided-01", {"scoring": 2}),
        ("expelled-01", {"scoring": 3}),
        ("never_came-01", {"scoring": 4}),
        ("unchallenged-01", {"scoring": 5}),
        ("partners-01", {"scoring": 5}),
        ("whist-02", {"scoring": 7}),
        ("gone_home-01", {"scoring": 8}),
    ],
    ids=["left", "corrected", "voided", "expelled", "never_came", "unchallenged", "partners", "sides", "own"],
)
def test_what_an_edition_changed_is_recorded(name: str, before: dict[str, int]) -> None:
    file = FILES / f"{name}.jsonl"
    assert standings(file, **before) != standings(file)


def test_every_tie_break_is_recorded() -> None:
    used = {key for file in RECORDED for plan in plans_of(file) for key in plan.tie_breaks}
    assert used == {*tie_breaks.BY_KEY} - {tie_breaks.LOT.key}

"""The golden games between them show every rule and every option: read off their replay."""

import pytest

from tests.rules.recording import as_recorded
from tests.rules.scamper.scenarios import LOGS, SCENARIOS, WITHOUT_BOTS
from tests.rules.scamper.sights import OTHER_SIGHTS, SHOWN_BY, seen_in
from tests.rules.scamper.tables import SCAMPER


@pytest.mark.parametrize("rule", SHOWN_BY)
def test_the_golden_games_show_the_rule(rule: str) -> None:
    assert not {*SHOWN_BY[rule]} - seen_in(LOGS)


def test_the_golden_games_show_every_option_and_every_end() -> None:
    assert not OTHER_SIGHTS - seen_in(LOGS)


def test_every_rule_must_be_shown() -> None:
    assert (*SHOWN_BY,) == SCAMPER.rule_numbers


def test_every_golden_game_has_its_scenario() -> None:
    assert {path.stem for path in LOGS.glob("*.jsonl")} == {*SCENARIOS}


@pytest.mark.parametrize("name", WITHOUT_BOTS)
def test_a_scenario_without_bots_records_its_game_to_the_letter(name: str) -> None:
    assert as_recorded(SCENARIOS[name](), LOGS / f"{name}.jsonl")

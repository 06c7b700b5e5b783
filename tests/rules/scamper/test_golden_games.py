"""The golden games between them show every rule and every option: read off their replay."""

import pytest

from tests.rules.scamper.sights import OTHER_SIGHTS, SHOWN_BY, of_file
from tests.rules.scenarios_scamper import LOGS, SCENARIOS, WITHOUT_BOTS


@pytest.fixture(scope="module")
def seen() -> set[str]:
    return {sight for path in LOGS.glob("*.jsonl") for sight in of_file(path)}


@pytest.mark.parametrize("rule", SHOWN_BY)
def test_the_golden_games_show_the_rule(rule: str, seen: set[str]) -> None:
    assert not {*SHOWN_BY[rule]} - seen


def test_the_golden_games_show_every_option_and_every_end(seen: set[str]) -> None:
    assert not OTHER_SIGHTS - seen


def test_every_golden_game_has_its_scenario() -> None:
    assert {path.stem for path in LOGS.glob("*.jsonl")} == {*SCENARIOS}


@pytest.mark.parametrize("name", WITHOUT_BOTS)
def test_a_scenario_without_bots_records_its_game_to_the_letter(name: str) -> None:
    recorded = "\n".join(SCENARIOS[name]().lines()) + "\n"
    assert recorded == (LOGS / f"{name}.jsonl").read_text(encoding="utf-8")

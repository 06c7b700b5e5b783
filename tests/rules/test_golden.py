"""Golden games: recorded logs that every later version must replay to the same end."""

from pathlib import Path

import pytest

from games import rules, verify
from games.engine.replay import AnyRuleset

LOGS = Path(__file__).parent / "logs"
GOLDEN = sorted(LOGS.glob("*/*.jsonl"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_golden_game_replays_to_its_recorded_end(path: Path) -> None:
    report = verify.check(path.read_text(encoding="utf-8").split("\n"))
    assert report.replayed
    assert report.ruleset.startswith(f"{path.parent.name}@")


@pytest.mark.parametrize("ruleset", rules.RULESETS, ids=lambda ruleset: ruleset.key)
def test_a_registered_ruleset_has_golden_games(ruleset: AnyRuleset) -> None:
    assert [path for path in GOLDEN if path.parent.name == ruleset.key]

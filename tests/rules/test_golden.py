"""Golden games: recorded logs that every later version must replay to the same end."""

import json
from pathlib import Path
from typing import Any

import pytest

from games import rules, verify
from games.engine import shapes
from games.engine.jsontypes import Json
from games.engine.kinds import Flag, OneOf
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


def openings(ruleset: AnyRuleset) -> list[Any]:
    """Return the first move of each of the ruleset's golden games."""
    paths = [path for path in GOLDEN if path.parent.name == ruleset.key]
    return [json.loads(path.read_text(encoding="utf-8").split("\n")[0])["move"] for path in paths]


@pytest.mark.parametrize("ruleset", rules.RULESETS, ids=lambda ruleset: ruleset.key)
def test_the_golden_games_play_every_option_both_as_usual_and_otherwise(ruleset: AnyRuleset) -> None:
    for field in shapes.record(ruleset.options).fields:
        played = [opening["options"][field.name] for opening in openings(ruleset)]
        usual = json.loads(json.dumps(field.shape.write(field.default)))
        assert usual in played and any(value != usual for value in played), field.name
        assert {*values_of(field.shape)} <= {*map(repr, played)}, field.name


def values_of(shape: object) -> list[str]:
    """Return all values of an option that has but a few."""
    values: tuple[Json, ...] = (True, False) if isinstance(shape, Flag) else ()
    return [repr(value) for value in (shape.values if isinstance(shape, OneOf) else values)]


@pytest.mark.parametrize("ruleset", rules.RULESETS, ids=lambda ruleset: ruleset.key)
def test_the_golden_games_play_the_smallest_and_the_largest_table(ruleset: AnyRuleset) -> None:
    seats = {len(opening["seats"]) for opening in openings(ruleset)}
    assert {min(ruleset.seats), max(ruleset.seats)} <= seats <= {*ruleset.seats}

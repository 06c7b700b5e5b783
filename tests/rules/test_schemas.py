"""What every ruleset tells has the schema made of its declarations, at every entry of every golden game."""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
import pytest

from games import rules
from games.engine import replay, schemas
from games.engine.replay import AnyRuleset, Position
from league.words.reference import draws_module, schema_files
from tests.rules.folders import golden_of
from tests.rules.recording import Recorder, replayed, viewers
from tests.toys import EVERY

pytestmark = pytest.mark.usefixtures("toys")

EACH: Final = pytest.mark.parametrize("ruleset", EVERY, ids=lambda ruleset: ruleset.key)
GOLDEN: Final = [
    pytest.param(ruleset, path, id=f"{ruleset.key}/{path.stem}")
    for ruleset in EVERY
    for path in golden_of(ruleset)
]


@cache
def validator(name: str, part: str) -> Any:
    """Return the validator of one part of a ruleset's schema."""
    ruleset = rules.find(name)
    return jsonschema_rs.Draft202012Validator(as_json(schemas.part(ruleset, part)))


def as_json(value: object) -> Any:
    return json.loads(json.dumps(value))


def check(ruleset: AnyRuleset, part: str, answer: object) -> None:
    """Raise `jsonschema_rs.ValidationError` unless what was told has the schema of this part."""
    validator(ruleset.name, part).validate(as_json(answer))


def check_all(position: Position) -> None:
    """Check all that a position tells, to each kind of viewer."""
    ruleset = position.ruleset
    for viewer in viewers(position):
        check(ruleset, "view", replay.view(position, viewer))
    for seat in range(position.seats):
        check(ruleset, "choices", [choice.as_json() for choice in replay.choices(position, seat)])
    check(ruleset, "choices", [choice.as_json() for choice in replay.ruling_choices(position)])
    check(ruleset, "open_view", replay.full_view(position))


@pytest.mark.parametrize(("ruleset", "path"), GOLDEN)
def test_all_that_a_golden_game_tells_has_its_schema(ruleset: AnyRuleset, path: Path) -> None:
    for entry, position in replayed(path):
        check_all(position)
        if entry["move"]["type"] != "open":
            check(position.ruleset, "move", entry["move"])


@EACH
def test_a_game_that_waits_for_its_seats_tells_in_its_schema(ruleset: AnyRuleset) -> None:
    game = Recorder(ruleset.key, ruleset.seats[0], entropy=True)
    check_all(game.position)
    game.seat(0, {"type": "ready", "entropy": "rain"})
    check_all(game.position)


@EACH
def test_what_a_schema_does_not_declare_has_no_place_in_it(ruleset: AnyRuleset) -> None:
    view = replay.view(Recorder(ruleset.key, ruleset.seats[0]).position, 0)
    assert validator(ruleset.name, "view").is_valid(as_json(view))
    for name in view:
        left_out = {other: part for other, part in view.items() if other != name}
        assert not validator(ruleset.name, "view").is_valid(as_json(left_out))
    assert not validator(ruleset.name, "view").is_valid(as_json({**view, "extra": 1}))
    assert not validator(ruleset.name, "open_view").is_valid(as_json(view))
    assert not validator(ruleset.name, "choices").is_valid([{"type": "fly", "fields": {}}])


@EACH
def test_every_object_in_a_schema_is_closed(ruleset: AnyRuleset) -> None:
    assert [where for where, each in objects(as_json(schemas.document(ruleset))) if is_open(each)] == []


def objects(schema: Any, where: str = "") -> Any:
    """Yield every schema of an object, with its place."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield where, schema
        for name, part in schema.items():
            yield from objects(part, f"{where}/{name}")
    if isinstance(schema, list):
        for number, part in enumerate(schema):
            yield from objects(part, f"{where}/{number}")


def is_open(schema: dict[str, Any]) -> bool:
    return schema.get("additionalProperties", True) is True


def test_the_files_of_the_schemas_are_current() -> None:
    made = schema_files()
    folder = Path(__file__).parents[2] / "docs" / "schemas"
    assert {path.name: path.read_text("utf-8") for path in folder.iterdir()} == made, "run manage.py docs"


def test_the_draws_for_the_browser_are_current() -> None:
    module = Path(__file__).parents[2] / "static" / "trefoil" / "draws.js"
    assert module.read_text("utf-8") == draws_module(), "run manage.py docs"

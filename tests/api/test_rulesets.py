"""The games that can be played: everything that a client needs to build forms."""

import json
from typing import Any

import jsonschema
import pytest

from games import rules
from games.engine.replay import AnyRuleset
from league.callers import ByAccount
from league.services.play import make_move
from league.words.reference import schema_files
from tests.api.web import EVERYBODY, assert_problem, bearer, get
from tests.factories import Cast

pytestmark = pytest.mark.django_db


def test_the_list_has_every_ruleset_once_with_the_same_fields_as_its_detail() -> None:
    listed = get("/rulesets/")
    assert {row["key"] for row in listed["results"]} == {*rules.NEWEST}
    assert (listed["next"], listed["previous"]) == (None, None)
    assert get("/rulesets/tally/") in listed["results"]


def test_a_ruleset_has_everything_that_a_form_needs() -> None:
    answer = get("/rulesets/scoops/")
    assert {*answer} >= {"key", "version", "title", "seats", "options", "presets", "moves", "rules_url"}
    assert answer["seats"] == {"min": 2, "max": 9, "allowed": list(range(2, 10))}
    assert answer["rules_url"] == "http://testserver/rules/scoops/"


@pytest.mark.parametrize("key", [ruleset.key for ruleset in rules.RULESETS])
def test_its_schemas_are_valid_and_its_presets_match_them(key: str) -> None:
    answer = get(f"/rulesets/{key}/")
    for schema in (answer["options"], *answer["moves"].values()):
        jsonschema.Draft202012Validator.check_schema(schema)
    for preset in answer["presets"].values():
        jsonschema.validate(preset, answer["options"])


def test_every_option_has_its_default_in_the_schema() -> None:
    described = get("/rulesets/scoops/")["options"]["properties"]
    assert {name: option["default"] for name, option in described.items()} == {
        "target": 3, "round_limit": 30, "turn_limit": 60, "knocking": "discarder",
    }  # fmt: skip


def test_a_ruleset_is_found_by_its_version_too() -> None:
    assert get("/rulesets/scoops@1/") == get("/rulesets/scoops/")


@pytest.mark.parametrize("key", ["chess", "scoops@99", "@", "%00", "\ud7ff", "a" * 5000])
def test_an_unknown_ruleset_is_not_found(key: str) -> None:
    assert_problem(EVERYBODY.get(f"/api/v1/rulesets/{key}/"), 404, "not_found")


@pytest.mark.parametrize("ruleset", rules.RULESETS, ids=lambda ruleset: ruleset.name)
def test_an_edition_tells_the_schema_that_the_docs_have(ruleset: AnyRuleset) -> None:
    answer = get(f"/rulesets/{ruleset.key}/{ruleset.version}/schema/")
    jsonschema.Draft202012Validator.check_schema(answer)
    assert answer == json.loads(schema_files()[f"{ruleset.key}-{ruleset.version}.json"])


def test_a_running_game_and_one_that_is_over_are_told_in_the_schema(cast: Cast) -> None:
    answer = get("/rulesets/scoops/1/schema/")
    running, over = cast.game("scoops"), cast.game("scoops")
    make_move(ByAccount(cast.paul), game_id=over.pk, seq=2, move={"type": "resign"})
    client = bearer(cast.paul)
    for game in (running, over):
        shown = get(f"/games/{game.pk}/", client)
        is_valid(answer, "view", shown["view"])
        is_valid(answer, "choices", shown["choices"])
        is_valid(answer, "at", get(f"/games/{game.pk}/at/1/", client))
    is_valid(answer, "open_view", get(f"/games/{over.pk}/at/1/", client))


def is_valid(schema: dict[str, Any], part: str, answer: object) -> None:
    """Raise `jsonschema.ValidationError` unless what was told has a part of the schema."""
    jsonschema.validate(answer, {**schema, "$ref": f"#/$defs/{part}"})


@pytest.mark.parametrize("address", ["chess/1", "scoops/99", "scoops@1/1", "scoops/one"])
def test_an_unknown_edition_is_not_found(address: str) -> None:
    assert_problem(EVERYBODY.get(f"/api/v1/rulesets/{address}/schema/"), 404, "not_found")

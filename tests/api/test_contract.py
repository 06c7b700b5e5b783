"""What rulesets and events declare is in the OpenAPI document, with examples that the server reads."""

from typing import Any

import jsonschema_rs
import pytest

from api.views.docs import document
from games import rules
from games.engine import schemas
from games.engine.common_moves import RULINGS, SEAT_MOVES
from games.engine.replay import AnyRuleset
from league.core import formats
from league.core.events import EVENTS
from tests.api.web import ROOT, bearer
from tests.factories import Cast

COMPONENTS = document()["components"]["schemas"]
EACH = pytest.mark.parametrize("ruleset", rules.RULESETS, ids=lambda ruleset: ruleset.key)


@EACH
def test_a_game_of_each_ruleset_is_told_apart_by_its_name(ruleset: AnyRuleset) -> None:
    prefix = schemas.prefix(ruleset)
    for name in ("Game", "GameSummary", "GameEntry"):
        told = COMPONENTS[f"Known{name}"]["discriminator"]
        assert told["propertyName"] == "ruleset"
        assert told["mapping"][ruleset.name] == f"#/components/schemas/{prefix}{name}"
        assert COMPONENTS[f"{prefix}{name}"]["properties"]["ruleset"] == {"const": ruleset.name}
    moves = COMPONENTS[f"{prefix}Move"]["discriminator"]["mapping"]
    assert {*moves} == {*schemas.move_schemas(ruleset)}


def test_every_event_of_a_competition_is_told_apart_by_its_type() -> None:
    assert COMPONENTS["CompetitionEvent"]["discriminator"]["propertyName"] == "type"
    assert {*COMPONENTS["CompetitionEvent"]["discriminator"]["mapping"]} == {*EVENTS}


def test_nothing_is_a_bare_object_but_of_games_that_are_not_known() -> None:
    known = {name: each for name, each in COMPONENTS.items() if not name.startswith("Other")}
    for name, schema in {**known, **document()["paths"]}.items():
        for node in objects(schema):
            is_open = node.get("type") == "object" and "properties" not in node
            assert not is_open or {*node["additionalProperties"]} & {"type", "$ref"}, name


def test_the_plan_of_a_stage_is_told_apart_by_its_format() -> None:
    plans = COMPONENTS["StagePlan"]["discriminator"]
    assert (plans["propertyName"], [*plans["mapping"]]) == ("format", [*formats.BY_KEY])
    params = COMPONENTS["LadderStagePlan"]["properties"]["params"]["$ref"].rpartition("/")[2]
    assert "reach" in COMPONENTS[params]["properties"]


def objects(value: Any) -> Any:
    """Yield all objects in a schema."""
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(each)


@EACH
@pytest.mark.django_db
def test_the_server_reads_the_example_of_every_move_and_body(ruleset: AnyRuleset, cast: Cast) -> None:
    prefix, client = schemas.prefix(ruleset), bearer(cast.olga)
    players = [str(player.pk) for player in cast.people(ruleset.seats[0])]
    for name, path, more in (
        ("NewCompetition", "competitions/", {}),
        ("NewGame", "games/", {"players": players}),
    ):
        (body,) = COMPONENTS[f"{prefix}{name}"]["examples"]
        made = client.post(f"{ROOT}/{path}", {**body, "club": cast.club.slug, **more})
        assert (made.status_code, made.json()["ruleset"]) == (201, ruleset.name), made.content
    mapping = COMPONENTS[f"{prefix}Move"]["discriminator"]["mapping"]
    sent = [*COMPONENTS[f"{prefix}NewMove"]["examples"]]
    for kind in (*ruleset.moves, *SEAT_MOVES, *RULINGS):
        (move,) = COMPONENTS[mapping[kind].removeprefix("#/components/schemas/")]["examples"]
        assert move["type"] == kind
        sent.append({"seq": 99, "move": move})
    assert {client.post(f"{made['Location']}moves/", each).status_code for each in sent} <= {403, 409, 422}


def test_every_example_fits_its_schema() -> None:
    described = {name: each["examples"] for name, each in COMPONENTS.items() if "examples" in each}
    assert {"ScoopsV1NewMove", "ScoopsV1NewMoves", "ScramV1ReplaceMove", "EnterPlayers"} <= {*described}
    whole = jsonschema_rs.Draft202012Validator(
        {
            "properties": {name: {"$ref": f"#/components/schemas/{name}"} for name in described},
            "components": {"schemas": COMPONENTS},
        }
    )
    for number in range(max(map(len, described.values()))):
        whole.validate({name: each[number] for name, each in described.items() if number < len(each)})

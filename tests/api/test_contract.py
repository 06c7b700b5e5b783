"""What rulesets and events declare is in the OpenAPI document, with examples that the server reads."""

from typing import Any

import jsonschema_rs
import pytest

from api.views.docs import document
from games import rules
from games.engine import schemas
from games.engine.common_moves import RULINGS, SEAT_MOVES
from games.engine.replay import AnyRuleset
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


@EACH
def test_nothing_that_a_game_needs_is_a_bare_object(ruleset: AnyRuleset) -> None:
    prefix = schemas.prefix(ruleset)
    seen = {f"{prefix}{each}" for each in ("Game", "GameEntry", "GameAt", "NewGame", "NewMove")}
    left = [*seen]
    while left:
        name = left.pop()
        for node in objects(COMPONENTS[name]):
            is_open = node.get("type") == "object" and "properties" not in node
            assert not is_open or "type" in node["additionalProperties"], name
            found = str(node.get("$ref", "")).removeprefix("#/components/schemas/")
            if found and found not in seen:
                seen.add(found)
                left.append(found)
    assert not {each for each in seen if each.startswith("Other")}


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
    (body,) = COMPONENTS[f"{prefix}NewGame"]["examples"]
    made = client.post(f"{ROOT}/games/", {**body, "club": cast.club.slug, "players": players})
    assert (made.status_code, made.json()["ruleset"]) == (201, ruleset.name)
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

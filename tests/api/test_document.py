"""The OpenAPI document is valid, says what programs need, and is shown on a page of its own."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from drf_spectacular import validation
from playwright.sync_api import Page, expect

from api.views.docs import document
from tests.api.web import EVERYBODY, ROOT, get

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def test_the_schema_is_openapi_3_1_and_names_every_address() -> None:
    shown = get("/schema/")
    assert shown["openapi"].startswith("3.1")
    for path in ("games/", "games/{id}/moves/", "competitions/{id}/standings/", "rulesets/{key}/", "tokens/"):
        assert f"{ROOT}/{path}" in shown["paths"]


def test_every_component_is_valid_json_schema() -> None:
    for described in document()["components"]["schemas"].values():
        jsonschema_rs.meta.validate({"$schema": DIALECT, **described})


def nodes(value: Any) -> Iterator[Any]:
    """Yield a value and all values inside it."""
    yield value
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inside:
        yield from nodes(each)


def test_the_document_is_valid_openapi_3_1() -> None:
    path = Path(validation.__file__).with_name("openapi_3_1_schema.json")
    jsonschema_rs.Draft202012Validator(json.loads(path.read_text())).validate(document())
    # JSON Schema ignores unknown keywords, so the validator accepts this keyword of OpenAPI 3.0.
    assert not [node for node in nodes(document()) if isinstance(node, dict) and "nullable" in node]


def test_descriptions_are_markdown() -> None:
    assert not [node for node in nodes(document()) if isinstance(node, str) and "``" in node]


def test_operation_ids_are_unique_identifiers() -> None:
    ids = [operation["operationId"] for item in document()["paths"].values() for operation in item.values()]
    assert all(each.isidentifier() for each in ids)
    assert len({*ids}) == len(ids)


def test_a_verb_for_players_alone_gives_its_name_to_the_component() -> None:
    components = document()["components"]["schemas"]
    assert {"ApplyForEntry", "WithdrawEntry", "WithdrawEntryAsPlayer"} <= {*components}
    assert "ApplyForEntryAsPlayer" not in components


def test_the_schema_names_the_scopes_that_a_call_needs() -> None:
    moves = document()["paths"][f"{ROOT}/games/{{id}}/moves/"]
    assert moves["post"]["security"] == [
        *(
            {scheme: [scope]}
            for scheme in ("token", "oauth2")
            for scope in ("play:move", "play:enter", "club:rule", "club:organise")
        ),
        {"session": []},
    ]
    assert {} in moves["get"]["security"]


@pytest.mark.parametrize("query", ["?lang=%00", "?lang=../..", "?version=%0A", "?format=xml", "?script=%00"])
@pytest.mark.parametrize("page", ["schema", "docs"])
@pytest.mark.django_db
def test_malformed_queries_to_the_schema_are_handled(page: str, query: str) -> None:
    assert EVERYBODY.get(f"{ROOT}/{page}/{query}").status_code in (200, 404)


@pytest.mark.long
def test_the_documentation_works_under_the_content_policy_of_the_site(page: Page) -> None:
    page.goto(f"{ROOT}/docs/")
    expect(page.get_by_role("heading", name="Trefoil")).to_be_visible(timeout=60_000)
    page.locator("#operations-tag-games").get_by_role("button").first.click(timeout=60_000)
    page.get_by_text("/api/v1/games/{id}/moves/").first.click(timeout=60_000)
    expect(page.get_by_text("Parameters").first).to_be_visible(timeout=60_000)

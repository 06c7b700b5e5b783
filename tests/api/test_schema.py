"""The server behaves as its OpenAPI document says, for valid and invalid requests of every role and scope.

For longer: `FUZZ_EXAMPLES=500 python3 manage.py test --hypothesis-profile=random tests/api/test_schema.py`.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from drf_spectacular import validation
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from playwright.sync_api import Page, expect
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api.views.docs import document
from games.models import Game
from league import tasks
from league.choices import SINGLE_SCOPES
from league.core.verbs.draw import DrawRound
from league.core.verbs.enter import EnterPlayers
from league.core.verbs.publish import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Account, Competition, Table, Token
from league.ops.wsgi import application
from league.services.accounts import create_token
from league.services.competitions import open_competition
from league.services.play import make_move
from tests.api.web import EVERYBODY, NOBODY, ROOT, SCOPES, get
from tests.factories import AccountFactory, Cast, MemberFactory
from tests.league.acting import act

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "8"))
CARRIED = (SCOPES, SCOPES, SCOPES, *((scope,) for scope, _ in SINGLE_SCOPES))
"""The scopes of tokens: often all of them, and each alone."""
CHECKS: list[Any] = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance,
    response_schema_conformance, negative_data_rejection,
]  # fmt: skip
POSITIVE, NEGATIVE = GenerationMode.POSITIVE, GenerationMode.NEGATIVE


@schemathesis.serializer("application/jsonl")
def as_sent(_context: Any, value: Any) -> bytes:
    """Return the body of a log's file: any bytes are well formed, and a worker judges them."""
    return value if isinstance(value, bytes) else str(getattr(value, "data", value)).encode()


def modes(operation: dict[str, Any]) -> tuple[GenerationMode, ...]:
    """Return the modes in which an operation can be called: without body and query nothing can be wrong."""
    asked = "requestBody" in operation or any(
        each["in"] == "query" for each in operation.get("parameters", ())
    )
    return (POSITIVE, NEGATIVE) if asked else (POSITIVE,)


CALLS = [
    pytest.param(path, method, mode, id=f"{method}-{path}-{mode.value}")
    for path, item in document()["paths"].items()
    for method, operation in item.items()
    for mode in modes(operation)
]


@cache
def schema() -> Any:
    """Return the schema as the server gives it."""
    return schemathesis.openapi.from_wsgi(f"{ROOT}/schema/", application)


@dataclass(frozen=True)
class World:
    """Something of everything: games and a competition in play and over, and who may ask for them."""

    cast: Cast
    callers: tuple[Account, ...]
    ids: dict[str, tuple[str, ...]]
    known: dict[tuple[Account, tuple[str, ...]], str] = field(default_factory=dict)

    def parameters(self, path: str) -> st.SearchStrategy[dict[str, Any]]:
        """Return values for the path's parameters, most of which lead somewhere."""
        kind = path.split("/")[3]
        known = {
            "id": st.sampled_from((*self.ids[kind], str(NOBODY)))
            if kind in self.ids
            else st.just(str(NOBODY)),
            "seq": st.sampled_from([0, 1, 2, 3, 99]),
            "slug": st.sampled_from([self.cast.club.slug, "nowhere"]),
            "key": st.sampled_from(["scoops", "tally@1", "chess"]),
            "version": st.sampled_from([1, 2]),
            "code": st.sampled_from(["stale", "nothing"]),
            "announcement": st.just(str(NOBODY)),
        }
        return st.fixed_dictionaries({name: known[name] for name in known if f"{{{name}}}" in path})

    def headers(self) -> st.SearchStrategy[dict[str, str]]:
        """Return headers of nobody, or of somebody with a token."""
        tokens = st.tuples(st.sampled_from(self.callers), st.sampled_from(CARRIED))
        return st.one_of(st.just({"Authorization": ""}), tokens.map(lambda token: self._bearer(*token)))

    def _bearer(self, account: Account, scopes: tuple[str, ...]) -> dict[str, str]:
        if (account, scopes) not in self.known:
            self.known[account, scopes] = create_token(by=account, name="x", scopes=scopes).secret
        return {"Authorization": f"Bearer {self.known[account, scopes]}"}


@pytest.fixture
def world(one_connection: None, cast: Cast) -> World:
    over = cast.game("scoops")
    make_move(by=cast.paul, game_id=over.pk, seq=2, move={"type": "resign"})
    stage = {"name": "League", "format": "rounds", "rounds": 1, "table_size": 2}
    opened = [
        open_competition(
            by=cast.olga, club=cast.club, name="Winter", ruleset="tally", options={}, stages=[stage]
        )
        for _ in range(2)
    ]
    for player in (cast.paul_plays, cast.petra_plays):
        act(cast.olga, opened[0], EnterPlayers, players=[player.pk])
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, opened[0], verb)
    tasks.sweep()
    keeper = AccountFactory.create()
    MemberFactory.create(club=cast.club, account=keeper, role="scorekeeper")
    create_token(by=cast.olga, name="x", scopes=SCOPES)
    assert Game.objects.count() == 2 and Table.objects.exists()
    ids = {
        "games": ids_of(Game), "competitions": ids_of(Competition), "tokens": ids_of(Token),
        "players": (str(cast.paul_plays.pk),),
    }  # fmt: skip
    return World(cast, (cast.olga, keeper, cast.paul, cast.nora), ids)


def ids_of(model: Any) -> tuple[str, ...]:
    return tuple(str(pk) for pk in model.objects.values_list("pk", flat=True).order_by("pk"))


@pytest.mark.parametrize(("path", "method", "mode"), CALLS)
def test_an_operation_answers_as_the_schema_says(
    world: World, path: str, method: str, mode: GenerationMode
) -> None:
    operation = schema()[path][method]

    @settings(
        max_examples=EXAMPLES,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.data())
    def check(data: st.DataObject) -> None:
        parameters = data.draw(world.parameters(path))
        case = data.draw(operation.as_strategy(mode, path_parameters=parameters))
        # Called as WSGI, nothing decodes answers.
        answer = case.call(headers={**data.draw(world.headers()), "Accept-Encoding": "identity"})
        case.validate_response(answer, checks=CHECKS)

    check()


def test_the_schema_is_openapi_3_1_and_names_every_address() -> None:
    shown = get("/schema/")
    assert shown["openapi"].startswith("3.1")
    for path in ("games/", "games/{id}/moves/", "competitions/{id}/standings/", "rulesets/{key}/", "tokens/"):
        assert f"{ROOT}/{path}" in shown["paths"]


def test_every_component_is_valid_json_schema() -> None:
    for described in document()["components"]["schemas"].values():
        Draft202012Validator.check_schema(described)


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
        *({scheme: [scope]} for scheme in ("token", "oauth2") for scope in ("play:move", "club:rule")),
        {"session": []},
    ]
    assert {} in moves["get"]["security"]


@pytest.mark.parametrize("query", ["?lang=%00", "?lang=../..", "?version=%0A", "?format=xml", "?script=%00"])
@pytest.mark.parametrize("page", ["schema", "docs"])
@pytest.mark.django_db
def test_malformed_queries_to_the_schema_are_handled(page: str, query: str) -> None:
    assert EVERYBODY.get(f"{ROOT}/{page}/{query}").status_code in (200, 404)


def test_the_documentation_works_under_the_content_policy_of_the_site(page: Page) -> None:
    page.goto(f"{ROOT}/docs/")
    expect(page.get_by_role("heading", name="Trefoil")).to_be_visible(timeout=60_000)
    page.locator("#operations-tag-games").get_by_role("button").first.click(timeout=60_000)
    page.get_by_text("/api/v1/games/{id}/moves/").first.click(timeout=60_000)
    expect(page.get_by_text("Parameters").first).to_be_visible(timeout=60_000)

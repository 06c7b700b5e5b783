"""The server behaves as its OpenAPI document says, for valid and invalid requests of every role and scope.

For longer: `FUZZ_EXAMPLES=500 python3 manage.py test --hypothesis-profile=random tests/api/test_schema.py`.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker
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
from league.callers import ByAccount
from league.choices import SINGLE_SCOPES
from league.core.verbs.draw import DrawRound
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Account, Competition, Table, Token
from league.ops.asgi import pages
from league.services.accounts import create_token
from league.services.competitions import open_competition
from league.services.play import make_move
from tests import factories
from tests.api.conftest import on_one_connection
from tests.api.web import NOBODY, ROOT, SCOPES
from tests.factories import AccountFactory, Cast, MemberFactory
from tests.league.acting import act
from tests.league.tally import Tally
from tests.shared import shared_rows

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "2"))
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
    return schemathesis.openapi.from_wsgi(f"{ROOT}/schema/", pages)


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


@pytest.fixture(scope="module")
def everything(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Something of everything, made once for all operations; each test's own changes are rolled back."""
    with shared_rows(django_db_blocker, Tally()), on_one_connection():
        yield made(factories.cast())


@pytest.fixture
def world(everything: World, db: None) -> World:
    return replace(everything, known={})


def made(cast: Cast) -> World:
    """Return games and a competition in play and over."""
    over = cast.game("scoops")
    make_move(ByAccount(cast.paul), game_id=over.pk, seq=2, move={"type": "resign"})
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

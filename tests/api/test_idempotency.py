"""Repeated requests create one object: double clicks, and retries after a lost response."""

from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.db.models import Model
from django.utils import timezone

from games.models import Game
from league import tasks
from league.models import Competition, MadeOnce, Player
from tests.api.web import ROOT, assert_problem, bearer
from tests.factories import Cast
from tests.games.test_log import at_once

STAGE = {"name": "League", "format": "rounds", "rounds": 1, "table_size": 2}


def asked(cast: Cast, what: str) -> tuple[str, dict[str, Any]]:
    """Return address and body of a request that makes something."""
    club = cast.club.slug
    players = [str(cast.paul_plays.pk), str(cast.petra_plays.pk)]
    requests: dict[str, tuple[str, dict[str, Any]]] = {
        "game": ("games/", {"club": club, "ruleset": "tally", "players": players}),
        "player": (f"clubs/{club}/players/", {"name": "Ann"}),
        "competition": (
            "competitions/",
            {"club": club, "name": "Cup", "ruleset": "tally", "stages": [STAGE]},
        ),
    }
    return requests[what]


def send(cast: Cast, what: str, key: str | None, **changes: object) -> Any:
    path, body = asked(cast, what)
    headers: dict[str, Any] = {} if key is None else {"HTTP_IDEMPOTENCY_KEY": key}
    return bearer(cast.olga).post(f"{ROOT}/{path}", {**body, **changes}, **headers)


MADE: dict[str, type[Model]] = {"game": Game, "competition": Competition, "player": Player}
EACH = pytest.mark.parametrize("what", MADE)


def made(what: str) -> int:
    """Return how many there are beside those of the cast."""
    return MADE[what]._default_manager.count() - 2 * (what == "player")


@EACH
def test_a_repeated_key_returns_the_existing_object(cast: Cast, what: str) -> None:
    first, again = (send(cast, what, "k1") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert made(what) == 1


@EACH
def test_another_key_or_no_key_creates_another_object(cast: Cast, what: str) -> None:
    for key in ("k1", "k2", None, None):
        assert send(cast, what, key).status_code == 201
    assert made(what) == 4


def test_a_key_with_another_body_is_refused(cast: Cast) -> None:
    send(cast, "player", "k1")
    assert_problem(send(cast, "player", "k1", name="Ben"), 422, "key_reused")
    assert_problem(send(cast, "game", "k1"), 422, "key_reused")
    assert not Player.objects.filter(name="Ben").exists()


def test_a_body_without_its_defaults_is_the_same_body(cast: Cast) -> None:
    send(cast, "game", "k1")
    assert send(cast, "game", "k1", entropy=False).status_code == 200


def test_keys_of_different_accounts_are_independent(cast: Cast) -> None:
    send(cast, "game", "k1")
    path, body = asked(cast, "game")
    answer = bearer(cast.paul).post(f"{ROOT}/{path}", body, HTTP_IDEMPOTENCY_KEY="k1")
    assert answer.status_code == 201


def test_a_refused_request_does_not_use_its_key(cast: Cast) -> None:
    assert_problem(send(cast, "game", "k1", players=[str(uuid4())]), 400, "malformed")
    assert send(cast, "game", "k1").status_code == 201


@pytest.mark.parametrize("key", ["", " ", "two words", "é", "k" * 201])
def test_an_invalid_key_is_malformed(cast: Cast, key: str) -> None:
    shown = assert_problem(send(cast, "player", key), 400, "malformed")
    assert "Idempotency-Key" in shown["errors"]


def test_keys_expire_after_a_day(cast: Cast) -> None:
    send(cast, "player", "k1")
    send(cast, "player", "k2")
    MadeOnce.objects.filter(key="k1").update(at=timezone.now() - timedelta(days=2))
    tasks.tidy()
    assert [*MadeOnce.objects.values_list("key", flat=True)] == ["k2"]


@pytest.mark.django_db(transaction=True)
@EACH
def test_concurrent_requests_with_one_key_create_one_object(cast: Cast, what: str) -> None:
    path, body = asked(cast, what)
    client = bearer(cast.olga)
    post = partial(client.post, f"{ROOT}/{path}", body, HTTP_IDEMPOTENCY_KEY="k1")
    answers = at_once([post] * 4)
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 201]
    assert made(what) == 1

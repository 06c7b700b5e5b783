"""Concurrent moves: the log takes one, and nothing is lost or written twice."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client

from games import log
from games.models import Game
from games.models.moves import Move
from league.models import Account, Competition
from league.models.events import Event
from tests import patience
from tests.api.web import bearer, get, move, say
from tests.factories import Cast
from tests.factories import cast as a_cast
from tests.league.playing import PLAN, opened

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return a_cast()


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Return what the calls give when they are made at the same moment, each on its own connection."""
    ready = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        ready.wait(patience.SECONDS)
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def somebody_waits() -> bool:
    """Return whether a connection waits for a lock that another one has."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) > 0 FROM pg_locks WHERE NOT granted")
        return bool(cursor.fetchone()[0])


def sending(account: Account, game: Game, number: int) -> Callable[[], Any]:
    client = bearer(account)
    return lambda: move(client, game, 2, say(number))


@pytest.mark.parametrize("attempt", range(3))
def test_one_of_two_concurrent_moves_is_made_and_the_other_is_stale(cast: Cast, attempt: int) -> None:
    game = cast.game("tally")
    answers = at_once([sending(cast.paul, game, 5), sending(cast.paul, game, 6)])
    assert sorted(answer.status_code for answer in answers) == [201, 409]
    (refused,) = (answer.json() for answer in answers if answer.status_code == 409)
    assert refused["seq"] == 3
    assert Move.objects.filter(game=game).count() == 2


@pytest.mark.parametrize("attempt", range(3))
def test_a_move_sent_twice_at_once_is_made_once_and_both_get_the_same_response(
    cast: Cast, attempt: int
) -> None:
    game = cast.game("tally")
    answers = at_once([sending(cast.paul, game, 5)] * 2)
    assert sorted(answer.status_code for answer in answers) == [200, 201]
    assert answers[0].json() == answers[1].json()
    assert Move.objects.filter(game=game).count() == 2


def test_one_of_many_concurrent_moves_is_made_and_the_log_verifies(cast: Cast) -> None:
    game = cast.game("tally", {"rounds": 1})
    answers = at_once([sending(cast.paul, game, number) for number in range(6)])
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 5
    assert get(f"/games/{game.pk}/")["seq"] == 2
    game.refresh_from_db()
    assert log.verified(game).entries == 2


def test_verbs_that_are_sent_again_are_answered_200_and_done_once(cast: Cast) -> None:
    with time_machine.travel("2026-06-01T12:59:50Z") as traveller:
        competition = opened(cast, 4, stages=[{**PLAN, "hours": 72}])
        for verb in ("start", "draw", "publish"):
            competition.refresh_from_db()
            calls = [asking(cast.olga, competition, verb, seq) for seq in (competition.seq + 1, None)]
            answers = at_once(calls * 2) if verb == "draw" else [calls[0]()]
            traveller.shift(3600)
            answers += [call() for call in calls]
            assert sorted(answer.status_code for answer in answers) == [200] * (len(answers) - 1) + [201]
    drawn = Event.objects.filter(competition=competition, event__type="drawn")
    assert drawn.count() == 1


def asking(account: Account, competition: Competition, verb: str, seq: int | None) -> Callable[[], Any]:
    """Return a call that says a verb at a number of the competition's log, or at its end."""
    client = Client()
    client.force_login(account)
    address = f"/api/v1/competitions/{competition.pk}/{verb}/"
    return lambda: client.post(address, {} if seq is None else {"seq": seq}, content_type="application/json")

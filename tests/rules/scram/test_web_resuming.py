"""A player whose connection drops in the middle of a turn goes on exactly there, from any device."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from games import log
from games.engine import replay
from games.models import Game
from tests.api.web import EVERYBODY, ROOT, assert_problem, bearer, get, move
from tests.factories import Cast, playing

DRAW = {"type": "draw", "from": "deck"}


@pytest.fixture
def game(cast: Cast) -> Game:
    """A game of Scram! in which Paul, the solo, draws a 12 to begin with."""
    return next(game for number in range(200) if (game := dealt(cast, number)))


def dealt(cast: Cast, number: int) -> Game | None:
    """Return the game of a seed, if it is such a one."""
    players = [player.pk for player in cast.people(3)]
    game = log.open_game(
        ruleset="scram",
        options={},
        players=players,
        account=None,
        accounts=playing(players),
        secret=number.to_bytes(32, "big"),
    )
    cast.club.games.create(game=game)
    position = log.latest(game)
    drawn = replay.played(position, replay.Actor("seat", 0), replay.read_move(position.ruleset, DRAW))
    return game if replay.view(drawn, 0)["drawn"] == "12" else None


def again(cast: Cast, game: Game) -> tuple[APIClient, Any]:
    """Return a new connection of Paul's to a server that has forgotten everything, and what it is told."""
    log._LATEST.cache_clear()
    client = bearer(cast.paul)
    return client, get(f"/games/{game.pk}/", client)


def look(seat: int, index: int) -> dict[str, Any]:
    return {"type": "act", "targets": [{"seat": seat, "index": index}]}


def test_between_a_look_and_the_exchange(cast: Cast, game: Game) -> None:
    move(bearer(cast.paul), game, 2, DRAW)
    client, answer = again(cast, game)
    assert (answer["view"]["phase"], answer["view"]["drawn"], answer["seq"]) == ("play", "12", 2)
    first = move(client, game, 3, look(0, 0)).json()
    client, answer = again(cast, game)
    assert answer == first
    assert [each["target"] for each in answer["view"]["seen"]] == [{"seat": 0, "index": 0}]
    assert {choice["type"] for choice in answer["choices"]} == {"act"}
    second = move(client, game, 4, look(1, 0)).json()
    client, answer = again(cast, game)
    assert answer == second
    assert [choice["type"] for choice in answer["choices"]] == ["exchange"]
    assert move(client, game, 5, {"type": "exchange", "do": True}).status_code == 201
    client, answer = again(cast, game)
    assert (answer["to_act"], answer["choices"]) == ([1], [])
    looks = [each["card"] for each in answer["view"]["seen"]]
    assert looks == [each["card"] for each in second["view"]["seen"][::-1]]


def test_with_an_answer_that_was_lost_by_sending_the_same_again(cast: Cast, game: Game) -> None:
    move(bearer(cast.paul), game, 2, DRAW)
    move(bearer(cast.paul), game, 3, look(0, 0))
    client, _ = again(cast, game)
    assert move(client, game, 3, look(0, 0)).status_code == 200
    assert_problem(move(client, game, 3, look(0, 1)), 409, "stale")
    assert get(f"/games/{game.pk}/", client)["seq"] == 3


def test_and_nobody_else_is_told_what_was_looked_at(cast: Cast, game: Game) -> None:
    for seq, made in ((2, DRAW), (3, look(0, 0)), (4, look(1, 0))):
        move(bearer(cast.paul), game, seq, made)
    for account in (cast.petra, cast.olga):
        answer = get(f"/games/{game.pk}/", bearer(account))
        assert answer["view"]["seen"] == []
        assert all(
            lying["up"] or lying["card"] is None for row in answer["view"]["campsites"] for lying in row
        )
    events = EVERYBODY.get(f"{ROOT}/games/{game.pk}/events/?after=1").content.decode()
    assert events.count("event: move") == 3
    assert '"12"' not in events

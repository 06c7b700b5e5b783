"""A gesture at the table that is just one move makes it, by one request."""

import json

import pytest
from django.test import Client

from games.models import Game
from games.models.moves import Move
from tests.factories import Cast
from tests.web.test_game import seated

pytestmark = pytest.mark.django_db


@pytest.fixture
def petra(client: Client, cast: Cast) -> Client:
    """Petra's browser, who begins."""
    client.force_login(cast.petra)
    return client


def put(browser: Client, game: Game, seq: int, **gesture: object) -> tuple[int, str]:
    posted = {"seq": seq, "gesture": json.dumps(gesture)}
    answer = browser.post(f"/games/{game.pk}/play/?after={seq - 1}", posted)
    return answer.status_code, answer.content.decode()


def test_a_gesture_is_made_once_when_it_is_sent_again(petra: Client, cast: Cast) -> None:
    game = seated(cast)
    for _again in range(2):
        status, parts = put(petra, game, game.seq + 1, onto="pile:deck")
        assert status == 200 and f'data-seq="{game.seq + 1}"' in parts
    assert Move.objects.filter(game=game).count() == game.seq + 1
    assert put(petra, game, game.seq + 1, onto="pile:discard")[0] == 409
    assert put(petra, game, game.seq + 1, onto="pile:0", picked=["card:8C"])[0] == 409
    assert Move.objects.filter(game=game).count() == game.seq + 1


def test_a_gesture_that_is_not_one_move_is_explained_and_writes_nothing(petra: Client, cast: Cast) -> None:
    game = seated(cast)
    status, meaning = put(petra, game, game.seq + 1, onto="pile:0", picked=["card:8C"])
    assert status == 200 and len(json.loads(meaning)["moves"]) != 1
    assert [put(petra, game, seq, onto="pile:deck")[0] for seq in (0, 1, 99)] == [409, 409, 409]
    assert put(petra, game, game.seq + 1, piled=1)[0] == 400
    assert Move.objects.filter(game=game).count() == game.seq


def test_a_gesture_of_somebody_without_a_seat_is_refused(client: Client, cast: Cast) -> None:
    client.force_login(cast.nora)
    game = seated(cast)
    assert put(client, game, game.seq + 1, onto="pile:deck")[0] == 404

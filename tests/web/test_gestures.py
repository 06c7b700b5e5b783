"""A gesture at the table that is just one move makes it, by one request."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from games.models import Game
from games.models.moves import Move
from tests.factories import Cast
from tests.web.test_game import play, seated

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
    said = json.loads(meaning)
    assert status == 200 and said["astray"]["text"] and len(said["moves"]) == 1
    assert [put(petra, game, seq, onto="pile:deck")[0] for seq in (0, 1, 99)] == [409, 409, 409]
    assert put(petra, game, game.seq + 1, piled=1)[0] == 400
    assert Move.objects.filter(game=game).count() == game.seq


def test_a_gesture_of_somebody_without_a_seat_is_refused(client: Client, cast: Cast) -> None:
    client.force_login(cast.nora)
    game = seated(cast)
    assert put(client, game, game.seq + 1, onto="pile:deck")[0] == 404


def idle_in(html: str) -> Any:
    """Return what a page or an update says of nothing picked, None where it says nothing."""
    found = re.search(r'<div [^>]*id="idle"[^>]*><script type="application/json">(.*?)</script>', html)
    return json.loads(found[1]) if found else None


def test_a_page_and_its_updates_say_what_an_empty_gesture_means_to_that_seat_alone(
    petra: Client, cast: Cast
) -> None:
    game = seated(cast)
    paul = Client()
    paul.force_login(cast.paul)
    addresses = (f"/games/{game.pk}/", f"/games/{game.pk}/news/?after=0")
    for browser in (petra, paul):
        asked = browser.post(f"/games/{game.pk}/gestures/", "{}", content_type="application/json").json()
        assert [idle_in(browser.get(each).content.decode()) for each in addresses] == [asked, asked]
    assert idle_in(petra.get(addresses[0]).content.decode())["moves"]
    assert idle_in(paul.get(addresses[0]).content.decode())["moves"] == []
    assert [idle_in(Client().get(each).content.decode()) for each in addresses] == [None, None]


def test_a_move_on_the_way_to_the_last_says_nothing_of_what_can_be_done(petra: Client, cast: Cast) -> None:
    game = play(seated(cast), 4)
    parts = petra.get(f"/games/{game.pk}/news/?after=1&to=2").content.decode()
    assert 'data-seq="2"' in parts and idle_in(parts) is None

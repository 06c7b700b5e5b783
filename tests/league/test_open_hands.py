"""All hands of a running game are shown of deals that are over, where and when the competition allows it."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from games import log
from games.engine import replay
from games.models import Game
from league.models import ClubGame, Competition
from league.queries.games import all_games
from league.queries.seen import at_entry
from tests.api.web import EVERYBODY, ROOT, get
from tests.factories import Cast
from tests.league.playing import opened
from tests.web.test_game import play

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(cast: Cast) -> Game:
    """A game of a competition which shows hands after ten minutes, in its second deal."""
    competition, game = opened(cast, 8), cast.game("scoops")
    Competition.objects.filter(pk=competition.pk).update(open_hands=10)
    ClubGame.objects.filter(pk=game.pk).update(competition=competition)
    while replay.deal_number(log.latest(game)) == 1:
        play(game, 1)
    return game


def shows_hands(game: Game, seq: int) -> bool:
    return "open" in at_entry(all_games().get(pk=game.pk), seq, None).open_view


def test_a_client_gets_the_hands_as_soon_as_they_are_shown(game: Game) -> None:
    past = f"{ROOT}/games/{game.pk}/at/2/"
    tag = EVERYBODY.get(past)["ETag"]
    assert EVERYBODY.get(past, headers={"If-None-Match": tag}).status_code == 304
    with time_machine.travel(timezone.now() + timedelta(minutes=11)):
        shown = EVERYBODY.get(past, headers={"If-None-Match": tag})
        assert shown.status_code == 200 and "open" in shown.json()
        assert EVERYBODY.get(past, headers={"If-None-Match": shown["ETag"]}).status_code == 304


def test_hands_of_a_deal_are_shown_after_the_delay_and_never_of_the_running_one(game: Game) -> None:
    assert not shows_hands(game, 2)
    with time_machine.travel(timezone.now() + timedelta(minutes=11)):
        assert shows_hands(game, 2) and shows_hands(game, game.seq - 1)
        assert not shows_hands(game, game.seq)
        play(game, 1)
        assert not shows_hands(game, game.seq - 1)
        assert "open" in get(f"/games/{game.pk}/at/2/")
        assert "open" not in get(f"/games/{game.pk}/at/{game.seq}/")
        page = Client().get(f"/games/{game.pk}/?at=2").content.decode()
        assert "All hands of deal 1 have been shown since" in page
        assert "Seed" not in page and "data-check" not in page
        Competition.objects.update(open_hands=None)
        assert not shows_hands(game, 2)
        ClubGame.objects.update(competition=None)
        assert not shows_hands(game, 2)

"""A game against house bots in a real browser."""

from collections.abc import Iterator
from threading import Event, Thread

import pytest
from playwright.sync_api import Page, expect

from games.models import Game
from league.apps.practice import bots, tasks
from tests.web.test_browser import violations
from tests.web.test_table_browser import Hand, chosen


@pytest.fixture
def bots_move(transactional_db: None) -> Iterator[None]:
    """House bots move as soon as a game waits for them."""
    stop = Event()
    thread = Thread(target=tasks.run, args=(lambda game: bots.move_bot(game_id=game), stop))
    thread.start()
    yield
    stop.set()
    thread.join()


def wait_for_bots(game: Game) -> None:
    """Let house bots move, also those that were not heard to be awaited, until it is the turn of seat 0."""
    game.refresh_from_db()
    while game.awaited != [0]:
        assert not game.is_over
        bots.move_bot(game_id=game.pk)
        game.refresh_from_db()


@pytest.mark.usefixtures("bots_move")
def test_a_newcomer_plays_a_bot_from_the_home_page(phone: Page) -> None:
    phone.goto("/")
    phone.get_by_role("link", name="Play a bot").tap()
    phone.get_by_role("button", name="Play (Scoops)").tap()
    expect(phone.locator("#dock")).to_have_attribute("data-state", "shown")
    game = Game.objects.get()
    hand = Hand(phone, game)
    for _move in range(4):
        wait_for_bots(game)
        hand.see(game)
        expect(phone.locator("#dock")).to_have_attribute("data-state", "shown")
        hand.make(chosen(game, 0))
        expect(phone.locator("#live")).not_to_have_attribute("data-seq", str(game.seq))
    wait_for_bots(game)
    hand.see(game)
    expect(phone.locator("#moves-list")).to_contain_text("Easy bot 1")
    assert violations(phone) == []

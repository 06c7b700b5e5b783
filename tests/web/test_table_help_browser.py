"""What a tap will do is seen before it: what dice would give, and where picked cards can be laid."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import log
from games.engine import replay
from games.engine.replay import Position
from games.models import Game
from tests import factories
from tests.browsing import LogIn
from tests.factories import Cast
from tests.web.test_game import play
from tests.web.test_table_browser import _same_deals

__all__ = ["_same_deals"]


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return factories.cast()


def reached(game: Game, wanted: Callable[[Position], bool]) -> Game:
    """Let bots play until the game is as wanted."""
    while not wanted(log.latest(game)):
        game = play(game, 1)
        assert not game.is_over
    return game


def opened(page: Page, game: Game) -> None:
    page.goto(f"/games/{game.pk}/")
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")


def lays_off(position: Position) -> bool:
    offered = replay.choices(position, 0)
    return any(choice.type == "lay_off" for choice in offered)


def test_dice_are_explained_and_an_assignment_is_seen_before_it_is_sent(
    phone: Page, cast: Cast, log_in: LogIn
) -> None:
    game = cast.game("scoops", {"target": 3})
    game = reached(game, lambda position: replay.view(position, None)["phase"] == "assign")
    (seat,) = replay.to_act(log.latest(game))
    log_in(phone, (cast.paul, cast.petra)[seat])
    opened(phone, game)
    dice = phone.locator(".dice [data-thing]")
    for place in range(4):
        expect(phone.locator(".dice li").nth(place)).to_contain_text(re.compile("Rule .*Goal "))
    said, buttons = phone.locator("#dock [data-part=said]"), phone.locator("#dock [data-move]")
    for place in (0, 1):
        dice.nth(place).tap()
    expect(said).to_contain_text("Special:")
    expect(buttons).to_have_count(2)
    dice.nth(3).tap()
    expect(said).to_contain_text("Goal ")
    expect(phone.locator(".dice [data-role]")).to_have_text(["special", "special", "goal", "rule"])
    expect(buttons).to_have_count(1)
    promised = buttons.inner_text()
    assert promised.startswith("Special ")
    buttons.tap()
    expect(phone.locator("#live")).not_to_have_attribute("data-seq", str(game.seq))
    game.refresh_from_db()
    view = replay.view(log.latest(game), None)
    assert promised.endswith(f"rule {view['rule']}, goal {view['goal']}")


def test_where_a_picked_card_can_be_laid_off_is_marked_before_the_tap(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    game = reached(cast.game("scamper", {"rounds": 4}), lays_off)
    lay_off: Any = next(each for each in replay.choices(log.latest(game), 0) if each.type == "lay_off")
    (meld,), (card, *_) = lay_off.fields["meld"].values, lay_off.fields["cards"].values[0]
    log_in(page, cast.paul)
    opened(page, game)
    melds = page.locator("#table [data-thing^='meld:']")
    assert melds.count() and page.locator(".meld.takes").count() == 0
    page.locator(f"#hand [data-thing='card:{card}']").first.click()
    target = page.locator(f"[data-thing='meld:{meld}'].takes")
    expect(target).to_have_attribute("data-does", re.compile("Lay off here"))
    expect(page.locator("[data-thing='pile:discard']")).to_have_attribute(
        "data-does", re.compile("Discard here")
    )
    page.locator(f"#hand [data-thing='card:{card}']").first.click()
    expect(page.locator(".takes")).to_have_count(0)

"""A game that is over, replayed in the browser from one answer."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests import factories
from tests.factories import Cast
from tests.web.test_replays import golden


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return factories.cast()


def test_a_finished_game_is_replayed_without_loading_a_page(page: Page, cast: Cast) -> None:
    game = golden(cast, "scamper/no-passing")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"/games/{game.pk}/?at=49")
    where, moves = page.locator("[data-part=where]"), page.locator("#moves-list")
    expect(page.locator("#course canvas")).to_be_visible()
    asked.clear()
    for key, seq in (("ArrowRight", 50), ("ArrowLeft", 49), ("Home", 1), ("End", 99)):
        page.keyboard.press(key)
        expect(where).to_contain_text(f"Move {seq} of 99")
        expect(moves.locator("[aria-current] .seq")).to_have_text(re.compile(rf"\b{seq}$"))
    expect(page.locator("#table")).to_contain_text("Result")
    page.locator("[data-part=round]").select_option("2")
    expect(page.locator("#table-title")).to_have_text("Deal 2 of 3")
    page.get_by_label("Move", exact=True).press("PageUp")
    expect(where).to_contain_text("Move 35 of 99")
    page.locator("#course").get_by_role("link", name="11").first.click()
    expect(where).to_contain_text("Move 11 of 99")
    expect(page).to_have_url(re.compile(r"\?at=11$"))
    expect(page.get_by_label("Link to this move")).to_have_value(page.url)
    play = page.get_by_role("button", name="Play")
    page.locator("#main").focus()
    for pressed in ("true", "false"):
        page.keyboard.press("Space")
        expect(play).to_have_attribute("aria-pressed", pressed)
    page.locator("[data-part=slider]").fill("97")
    page.get_by_label("Speed").select_option("6×")
    play.click()
    expect(where).to_contain_text("Move 99 of 99")
    expect(play).to_have_attribute("aria-pressed", "false")
    assert [each for each in asked if "/games/" in each] == []


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)], ids=["phone", "computer"])
def test_cloth_slider_and_keys_share_one_screen(page: Page, cast: Cast, size: tuple[int, int]) -> None:
    game = golden(cast, "scamper/ten-seats")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for address in (f"/games/{game.pk}/?at=60", f"/embed/games/{game.pk}/?at=60"):
        page.goto(address)
        for part in ("#table", "[data-part=where]", "#studio-slider", "[data-do=play]", "[data-part=round]"):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
        wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0

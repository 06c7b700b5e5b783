"""Scram! at the table in a browser: what is asked beside a move, and how cards travel."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from games import log
from games.engine import replay
from games.models import Game
from tests import factories
from tests.browsing import LogIn, becomes, count_flights, settle
from tests.factories import Cast
from tests.rules.scram.dealing import deal


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return factories.cast()


@pytest.fixture
def game(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game of three in which Paul, the solo, has three cards that differ and draws an 11."""
    deal(monkeypatch, {0: "4", 1: "9", 2: "2", 19: "11"})
    return cast.game("scram", players=[player.pk for player in cast.people(3)])


@pytest.fixture
def drawn(game: Game, cast: Cast, phone: Page, page: Page, log_in: LogIn) -> Page:
    """The page on which Paul has drawn the 11."""
    for each in (phone, page):
        count_flights(each)
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    thing(phone, "pile:deck").tap()
    expect(phone.locator("#table [data-held='11']")).to_have_count(1)
    return phone


def thing(page: Page, name: str) -> Locator:
    return page.locator(f"[data-thing='{name}']")


def pick(page: Page, *names: str) -> None:
    for name in names:
        thing(page, name).tap()
    expect(page.locator("#table .picked")).to_have_count(len(names))
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")


def test_where_cards_of_the_deck_are_added_is_asked_for_three_cards_and_not_for_two(
    drawn: Page, game: Game
) -> None:
    question = drawn.locator("#dock").get_by_label("Cards added from the deck at (B12)")
    pick(drawn, "at:0.0", "at:0.1")
    expect(question).to_have_count(0)
    thing(drawn, "at:0.2").tap()
    expect(question.locator("option")).to_have_text(["the same end", "the right", "the left"])
    question.select_option("the left")
    drawn.get_by_role("button", name="add it at the right").tap()
    expect(drawn.locator("#where")).to_contain_text("the left")
    game.refresh_from_db()
    view: Any = replay.view(log.latest(game), None)
    sides = "".join("^v"[each["card"] is None] for each in view["campsites"][0])
    assert sides == "v" + "^^^" + "vvv" + "^^" + "v"


def test_cards_that_are_exchanged_cross_unless_the_reader_wants_no_motion(
    game: Game, cast: Cast, drawn: Page, page: Page, log_in: LogIn
) -> None:
    log_in(page, cast.petra)
    page.goto(f"/games/{game.pk}/")
    drawn.emulate_media(reduced_motion="reduce")
    pick(drawn, "at:0.0", "at:1.0")
    seen = drawn.evaluate("flights")
    drawn.get_by_role("button", name="Use the action").tap()
    for each in (drawn, page):
        expect(each.locator("#where")).to_contain_text("exchanges")
    # Beside the two there is the 11, which goes to the discards.
    becomes(lambda: page.evaluate("flights"), 3)
    settle(drawn)
    assert drawn.evaluate("flights") == seen

"""The hand at the table in a real browser: cards are sorted and dragged, by keys, mouse and finger."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from games import log
from games.engine import replay
from tests.browsing import LogIn, settle
from tests.factories import Cast
from tests.web.test_game import play, seated

pytestmark = pytest.mark.usefixtures("same_deals")


def test_cards_are_sorted_and_discarded_by_keys(page: Page, cast: Cast, log_in: LogIn) -> None:
    game = play(seated(cast), 2)
    (seat,) = replay.to_act(log.latest(game))
    log_in(page, (cast.paul, cast.petra)[seat])
    page.goto(f"/games/{game.pk}/")
    hand = page.locator("#hand [data-thing]")
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    page.locator("#table [data-thing='pile:deck']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq + 1))
    expect(hand).to_have_count(9)
    drawn = page.locator("#hand .new .card")
    expect(drawn).to_have_count(1)
    said = f"draws from the deck. It’s your turn. New: {drawn.get_attribute('aria-label')}."
    expect(page.locator("#announcer")).to_contain_text(said)
    first, second = hand.nth(0).get_attribute("data-thing"), hand.nth(1).get_attribute("data-thing")
    hand.nth(0).focus()
    page.keyboard.press("Shift+ArrowRight")
    page.reload()
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    assert [hand.nth(place).get_attribute("data-thing") for place in (0, 1)] == [second, first]
    hand.nth(1).focus()
    page.keyboard.press(" ")
    expect(hand.nth(1)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Discard").press("Enter")
    expect(page.locator("#where")).to_contain_text("discards")


def test_a_card_is_dragged_to_another_place_and_onto_its_pile(page: Page, cast: Cast, log_in: LogIn) -> None:
    game = play(seated(cast), 3)
    (seat,) = replay.to_act(log.latest(game))
    log_in(page, (cast.paul, cast.petra)[seat])
    page.goto(f"/games/{game.pk}/")
    hand = page.locator("#hand [data-thing]")
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    last = hand.last.get_attribute("data-thing")
    drag(page, hand.last, hand.first)
    expect(hand.first).to_have_attribute("data-thing", str(last))
    page.mouse.up()
    is_let_go(page)
    expect(page.locator("#hand .picked")).to_have_count(0)
    page.reload()
    expect(hand.first).to_have_attribute("data-thing", str(last))
    pile = page.locator(f"#table [data-thing='pile:{seat}']")
    drag(page, hand.first, pile)
    expect(pile).to_have_class(re.compile("takes"))
    page.mouse.up()
    expect(page.locator("#where")).to_contain_text("discards")


def test_a_pile_that_is_dragged_into_the_hand_is_drawn_from(page: Page, cast: Cast, log_in: LogIn) -> None:
    game = play(seated(cast), 2)
    (seat,) = replay.to_act(log.latest(game))
    log_in(page, (cast.paul, cast.petra)[seat])
    page.goto(f"/games/{game.pk}/")
    deck, hand = page.locator("#table [data-thing='pile:deck'].takes"), page.locator("#hand [data-thing]")
    expect(deck).to_be_visible()
    drag(page, deck, hand.first)
    page.mouse.up()
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq + 1))
    expect(hand).to_have_count(9)
    drag(page, page.locator("#table [data-thing='pile:deck']"), page.locator("#table-title"))
    page.mouse.up()
    is_let_go(page)
    expect(page.locator("#hand .picked")).to_have_count(0)
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")


def test_a_card_that_is_dragged_stays_in_hand_while_others_move(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    game = play(seated(cast), 3)
    (seat,) = replay.to_act(log.latest(game))
    log_in(page, (cast.petra, cast.paul)[seat])
    page.goto(f"/games/{game.pk}/")
    hand = page.locator("#hand [data-thing]")
    last = hand.last.get_attribute("data-thing")
    drag(page, hand.last, page.locator("#table [data-thing='pile:deck']"))
    game = play(game, 1)
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq))
    page.mouse.move(*middle(hand.first), steps=5)
    expect(hand.first).to_have_attribute("data-thing", str(last))
    page.mouse.up()
    is_let_go(page)
    page.reload()
    expect(hand.first).to_have_attribute("data-thing", str(last))


def drag(page: Page, thing: Locator, onto: Locator) -> None:
    """Take hold of a thing with the mouse and hold it over another."""
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    settle(page)
    thing.hover()
    page.mouse.down()
    (x, y) = middle(onto)
    page.mouse.move(x, y, steps=5)
    expect(page.locator("body > .ghost")).to_be_visible()


def is_let_go(page: Page) -> None:
    """Wait until nothing is dragged any more."""
    expect(page.locator("body > .ghost")).to_have_count(0)


def middle(thing: Locator) -> tuple[float, float]:
    """Return the middle of a thing on the screen, once it does not move there."""
    element = thing.element_handle()
    element.wait_for_element_state("stable")
    box = element.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Finger:
    """A finger on the screen of a phone."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def send(self, kind: str, *points: tuple[float, float]) -> None:
        touched = [{"x": x, "y": y} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})

    def drag(self, thing: Locator, onto: Locator) -> None:
        """Take hold of a thing and hold it over another."""
        settle(self.page)
        (x, y), (to_x, to_y) = middle(thing), middle(onto)
        self.send("touchStart", (x, y))
        for part in (0.25, 0.5, 0.75, 1):
            self.send("touchMove", (x + part * (to_x - x), y + part * (to_y - y)))
        expect(self.page.locator("body > .ghost")).to_be_visible()


def test_a_finger_drags_a_card_to_another_place_and_onto_a_pile_and_taps_still_pick(
    phone: Page, cast: Cast, log_in: LogIn
) -> None:
    game = play(seated(cast), 3)
    (seat,) = replay.to_act(log.latest(game))
    log_in(phone, (cast.paul, cast.petra)[seat])
    phone.goto(f"/games/{game.pk}/")
    hand, finger = phone.locator("#hand [data-thing]"), Finger(phone)
    expect(phone.locator("#dock")).to_have_attribute("data-state", "shown")
    first, second = (hand.nth(place).get_attribute("data-thing") for place in (0, 1))
    finger.drag(hand.first, phone.locator("#table [data-thing='pile:deck']"))
    finger.send("touchEnd")
    expect(phone.locator("#hand .picked")).to_have_count(1)
    expect(phone.locator("#dock")).to_have_attribute("data-state", "shown")
    settle(phone)
    hand.nth(1).tap(scroll="none")
    expect(phone.locator("#hand .picked")).to_have_count(2)
    for place in (0, 1):
        hand.nth(place).tap(scroll="none")
    expect(phone.locator("#hand .picked")).to_have_count(0)
    finger.drag(hand.first, hand.nth(1))
    expect(hand.first).to_have_attribute("data-thing", str(second))
    finger.send("touchEnd")
    is_let_go(phone)
    phone.reload()
    expect(phone.locator("#dock")).to_have_attribute("data-state", "shown")
    expect(hand.first).to_have_attribute("data-thing", str(second))
    expect(hand.nth(1)).to_have_attribute("data-thing", str(first))
    finger.drag(hand.first, phone.locator(f"#table [data-thing='pile:{seat}']"))
    finger.send("touchEnd")
    expect(phone.locator("#where")).to_contain_text("discards")

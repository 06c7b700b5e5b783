"""The cards of others travel as they move, unless the reader wants no motion."""

import re
from typing import Any, Final

from playwright.sync_api import Page, expect

from games import log
from games.engine import replay
from games.models import Game
from tests.browsing import count_flights, settle
from tests.factories import Cast
from tests.web.test_game import play, seated
from tests.web.test_table_browser import chosen


def before_a(kind: str, game: Game) -> Game:
    """Let bots play until the next move is of a type."""
    while chosen(game, *replay.to_act(log.latest(game)))["type"] != kind:
        play(game, 1)
    return game


def flights(page: Page, game: Game) -> int:
    """Return how many cards travelled with the next move."""
    before: int = page.evaluate("flights")
    play(game, 1)
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq))
    after: int = page.evaluate("Promise.resolve().then(() => flights)")
    return after - before


def test_melds_cards_drawn_and_discarded_travel_and_without_motion_nothing_does(
    page: Page, cast: Cast
) -> None:
    game = before_a("meld", seated(cast))
    groups: Any = chosen(game, *replay.to_act(log.latest(game)))["groups"]
    count_flights(page)
    page.goto(f"/games/{game.pk}/")
    assert flights(page, game) == sum(len(group["cards"]) for group in groups)
    # The discard after it, and what the other one draws.
    assert [flights(page, game) for _ in range(2)] == [1, 1]
    page.emulate_media(reduced_motion="reduce")
    assert [flights(page, game) for _ in range(3)] == [0, 0, 0]


LANDED: Final = """(() => {
    const isHidden = ({ effect }) =>
        effect.target.matches("#table .meld .card") && effect.getKeyframes()[0].opacity === "0";
    window.landed = 0;
    new MutationObserver(() => {
        window.landed = Math.max(window.landed, document.getAnimations().filter(isHidden).length);
    }).observe(document, { childList: true, subtree: true });
})()"""
"""Counts the cards of melds that are hidden while their copies travel."""


def test_a_card_is_seen_where_it_lands_once_its_copy_is_there(page: Page, cast: Cast) -> None:
    game = before_a("meld", seated(cast))
    groups: Any = chosen(game, *replay.to_act(log.latest(game)))["groups"]
    count_flights(page)
    page.add_init_script(LANDED)
    page.goto(f"/games/{game.pk}/")
    assert flights(page, game) == page.evaluate("landed") == sum(len(group["cards"]) for group in groups)
    settle(page)
    assert page.locator("#table .meld .card").first.evaluate("card => getComputedStyle(card).opacity") == "1"


def test_a_card_that_is_drawn_once_another_declines_travels_to_who_drew(page: Page, cast: Cast) -> None:
    game = before_a("decline", seated(cast, "scamper"))
    (declines,) = replay.awaited(log.latest(game))
    count_flights(page)
    page.goto(f"/games/{game.pk}/")
    assert flights(page, game) == 1
    place = page.locator(f"[data-seat='{1 - declines}'] .in-hand .card").first.bounding_box()
    ends = page.evaluate(
        "document.querySelector('.flying').getAnimations()[0].effect.getKeyframes().at(-1).transform"
    )
    sizes = "card => [card.offsetWidth, card.offsetHeight]"
    width, height = page.locator(".flying").first.evaluate(sizes)
    x, y = (float(each) for each in re.findall(r"-?[\d.]+(?=px)", ends))
    assert place and abs(place["y"] + place["height"] / 2 - y - height / 2) < place["height"]
    assert abs(place["x"] + place["width"] / 2 - x - width / 2) < place["width"]

"""The table keeps its place: on no screen do deck, piles and the own cards jump from one move to the next."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browsing import LogIn, settle
from tests.factories import Cast
from tests.web.test_game import play
from tests.web.test_one_screen_browser import opened
from tests.web.test_table_browser import turn_of

pytestmark = pytest.mark.usefixtures("same_deals")

SCREENS: Final = [(390, 667), (360, 640), (844, 390), (390, 844)]
STATES: Final = 4
PLACES: Final = """[...document.querySelectorAll(
    ".middle > .piles > .pile[data-thing] > .card, #hand li:first-child, [data-mine] .cards > li:first-child"
)].map((part) => [part.closest("#hand"), part.getBoundingClientRect()])
    .filter(([_hand, at]) => at.width)
    .map(([hand, at]) => [hand ? 0 : at.left, at.top].map(Math.round))"""
"""Where the piles and the first of one's own cards lie; of a hand, which is centered, only how high."""
OWN_ARE_SEEN: Final = """[...document.querySelectorAll("#hand li, [data-mine] .cards li")].every((card) => {
    const { left, top, height } = card.getBoundingClientRect();
    return !height || card.contains(document.elementFromPoint(left + 4, top + height / 2));
})"""
"""Whether all cards of one's own can be tapped."""

OVERLAID: Final = """(() => {
    const near = document.querySelector("[data-place=near]");
    const name = near.querySelector(".who > :first-child");
    const runsOut = name.scrollWidth > name.clientWidth && getComputedStyle(name).overflow === "visible";
    const { left, right, top, bottom } = near.getBoundingClientRect();
    return [runsOut ? [name] : [], ...document.querySelectorAll(".melds-of")].flat().filter((part) => {
        const at = part.getBoundingClientRect();
        return part === name || (at.left < right && at.right > left && at.top < bottom && at.bottom > top);
    }).map((part) => part.textContent);
})()"""
"""What runs over one's own seat: its name over what stands beside it, or what is laid."""
LABELS: Final = """document.querySelectorAll("#table .pile").forEach((pile) => {
    pile.classList.toggle("takes");
    pile.dataset.does = "Take, with one more card";
})"""
"""Gives each pile the label of what a tap does, or takes it away."""


@pytest.mark.parametrize(
    ("ruleset", "seats", "first", "step"),
    [
        ("scamper", 2, 12, 3),
        ("scamper", 10, 60, 6),
        ("scoops", 6, 44, 7),
        ("scoops", 9, 150, 8),
        ("scram", 3, 2, 2),
        ("scram", 6, 2, 3),
    ],
)
def test_deck_piles_and_own_cards_lie_where_they_lay(
    phone: Page, cast: Cast, log_in: LogIn, ruleset: str, seats: int, first: int, step: int
) -> None:
    game = turn_of(play(opened(cast, ruleset, seats), first), 0)
    log_in(phone, cast.paul)
    places: dict[str, set[str]] = {}
    for _state in range(STATES):
        for width, height in SCREENS:
            phone.set_viewport_size(ViewportSize(width=width, height=height))
            phone.goto(f"/games/{game.pk}/")
            expect(phone.locator("#dock")).to_have_attribute("data-state", re.compile("."))
            settle(phone)
            places.setdefault(f"{width}x{height}", set()).add(str(phone.evaluate(PLACES)))
            assert phone.evaluate(OWN_ARE_SEEN), (game.ruleset, game.seq, phone.viewport_size)
        game = play(game, step)
    assert {screen: len(found) for screen, found in places.items()} == dict.fromkeys(places, 1), places


@pytest.mark.parametrize(
    ("ruleset", "seats", "moves"),
    [("scamper", 2, 20), ("scamper", 10, 105), ("scoops", 2, 40), ("scram", 6, 8)],
)
def test_nothing_lies_over_ones_own_seat_and_no_label_of_a_pile_moves_it(
    page: Page, cast: Cast, log_in: LogIn, ruleset: str, seats: int, moves: int
) -> None:
    game = turn_of(play(opened(cast, ruleset, seats), moves), 0)
    log_in(page, cast.paul)
    for width, height in ((820, 1180), (1280, 800)):
        page.set_viewport_size(ViewportSize(width=width, height=height))
        page.goto(f"/games/{game.pk}/")
        expect(page.locator('#dock[data-state="shown"]')).to_be_visible()
        settle(page)
        before = page.evaluate(PLACES)
        assert page.evaluate(OVERLAID) == [], (game.ruleset, page.viewport_size)
        page.evaluate(LABELS)
        assert page.evaluate(PLACES) == before, (game.ruleset, page.viewport_size)

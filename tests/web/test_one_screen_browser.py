"""A running game on one screen of a phone or computer, in both languages, however much lies on the table."""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from games import log
from games.engine import replay
from games.engine.jsontypes import JsonObject
from games.engine.replay import Actor
from games.models import Game
from tests.browsing import IS_WHOLE, LogIn, settle
from tests.factories import Cast
from tests.web.large_text import wrong_in_large_text
from tests.web.test_game import play
from tests.web.test_table_browser import HIDDEN, turn_of

NARROW: Final = ViewportSize(width=360, height=740)
PHONE: Final = ViewportSize(width=390, height=844)
LATE: Final = {
    "scamper-2": 130,
    "scamper-6": 25,
    "scamper-10": 105,
    "scoops-2": 110,
    "scoops-6": 90,
    "scoops-9": 205,
}
"""Games and their seats, and the move at about which most lies on the table."""
SMALL: Final = """[...document.querySelectorAll(":is(#table, #hand) [data-thing]")].filter((thing) => {
    const { width, height } = thing.getBoundingClientRect();
    return Math.min(width, height) < 23.5;
}).map((thing) => thing.dataset.thing)"""
"""The things that are smaller than a finger needs: 24 pixels, but for what drawing rounds off."""
LEAST_RANK: Final = 14
"""The least size of a rank or number of a card, in CSS pixels."""
RANKS: Final = """[...document.querySelectorAll(":is(#table, #hand) .card:not(.back, .none)")]
    .filter((card) => card.getClientRects().length)
    .map((card) => card.querySelector(":scope > span:not(.pip, .word)") || card)
    .map((rank) => parseFloat(getComputedStyle(rank).fontSize))"""
"""The sizes of the ranks and numbers that are shown."""
COVERED: Final = """(() => {
  const each = [...document.querySelectorAll(":is(#table, #hand) [data-thing], #dock button")];
  return each.filter((thing) => thing.getClientRects().length).filter((thing) => {
    thing.scrollIntoView({ block: "nearest" });
    const { left, top, height } = thing.getBoundingClientRect();
    return !thing.contains(document.elementFromPoint(left + 8, top + height / 2));
  }).map((thing) => thing.dataset.thing || thing.textContent);
})()"""
"""The things and buttons that can't be tapped, even if all is scrolled: covered, or beside the screen."""
WIDER: Final = """[document.documentElement, document.querySelector("#table")]
    .map((part) => part.scrollWidth - part.clientWidth)"""
"""How many pixels of the page and of the cloth lie beside the screen."""
UNOWNED: Final = """(() => {
    const few = document.querySelector(".melds:not(:has(> :nth-child(8)))");
    return [...(few ? few.querySelectorAll(".meld") : [])].filter((meld) => {
        const owner = meld.parentElement.querySelector(".owner");
        return !owner.getClientRects().length || owner.scrollWidth > owner.clientWidth;
    }).map((meld) => meld.dataset.thing);
})()"""
"""The melds, of up to six players, for which it is not seen in full who laid them."""
AROUND: Final = """(() => {
    const center = (part) => {
        const { left, right, top, bottom } = part.getBoundingClientRect();
        return [(left + right) / 2, (top + bottom) / 2];
    };
    const [x, y] = center(document.querySelector(".middle > .piles"));
    const seats = [...document.querySelectorAll(".ring .seat")];
    const near = seats.findIndex((seat) => seat.dataset.place === "near");
    return [...seats.slice(near + 1), ...seats.slice(0, near)].map(center)
        .map(([left, top]) => (Math.atan2(x - left, top - y) + 2 * Math.PI) % (2 * Math.PI));
})()"""
"""The angles of the seats around the piles, clockwise from the near edge, in the order of turns."""


pytestmark = pytest.mark.usefixtures("same_deals")


def opened(cast: Cast, ruleset: str, seats: int) -> Game:
    """Return a game of Paul, Petra and others, with as many seats."""
    return cast.game(ruleset, players=[player.pk for player in cast.people(seats)])


def is_on_one_screen(browser: Page, game: Game) -> None:
    """Assert that a player's page shows all of a table, and nothing on it too small to be tapped."""
    browser.goto(f"/games/{game.pk}/")
    expect(browser.locator("#dock")).to_have_attribute("data-state", "shown")
    settle(browser)
    assert browser.evaluate(HIDDEN) == [0, 0], (game.ruleset, game.seq, browser.viewport_size)
    assert browser.evaluate(SMALL) == [], (game.ruleset, game.seq, browser.viewport_size)
    is_read_at_arms_length(browser, game)


def is_read_at_arms_length(browser: Page, game: Game) -> None:
    """Assert that seats lie around the piles in turn, ranks are large, nothing lies beside the screen."""
    angles = browser.evaluate(AROUND)
    assert angles == sorted(angles) and len(angles) == game.seats.count() - 1
    assert min(browser.evaluate(RANKS), default=LEAST_RANK) >= LEAST_RANK, (
        game.ruleset,
        game.seq,
        browser.viewport_size,
    )
    assert browser.evaluate(WIDER) == [0, 0], (game.ruleset, game.seq, browser.viewport_size)
    assert browser.evaluate(UNOWNED) == []


def is_watched_on_one_screen(browser: Page, game: Game) -> None:
    """Assert that the page of somebody who only watches shows all of a table."""
    browser.context.clear_cookies()
    browser.goto(f"/games/{game.pk}/")
    expect(browser.locator("#live.one-screen:not(.by-hand)")).to_be_visible()
    settle(browser)
    assert browser.evaluate(HIDDEN) == [0, 0], (game.ruleset, game.seq, browser.viewport_size)
    assert browser.evaluate("document.querySelector('#table').getBoundingClientRect().bottom <= innerHeight")
    is_read_at_arms_length(browser, game)


@pytest.fixture
def fits_one_screen(
    page: Page, phone: Page, german: Page, cast: Cast, log_in: LogIn
) -> Callable[[Game], None]:
    """A function that asserts it of Paul's page and a spectator's, on a computer, a phone, and a German one.

    The German phone is a small one, but with as many seats as a game can have. Where it shows a table of few
    seats, larger screens do, too.
    """

    def fits(game: Game) -> None:
        assert not game.is_over
        seats = game.seats.count()
        german.set_viewport_size(NARROW if seats < 7 else PHONE)
        few = seats < 7 and game.ruleset.partition("@")[0] != "scram" and not IS_WHOLE
        for browser in (german,) if few else (page, phone, german):
            log_in(browser, cast.paul)
            is_on_one_screen(browser, game)
            is_watched_on_one_screen(browser, game)

    return fits


@pytest.mark.long
def test_a_late_table_is_seen_without_scrolling(cast: Cast, fits_one_screen: Callable[[Game], None]) -> None:
    for name, move in LATE.items():
        ruleset, seats = name.split("-")
        fits_one_screen(fined(turn_of(play(opened(cast, ruleset, int(seats)), move), 0)))


def fined(game: Game) -> Game:
    """Give all seats a penalty."""
    for seat in range(game.seats.count()):
        penalty: JsonObject = {"type": "penalty", "seat": seat, "points": 5, "reason": "late"}
        log.append(game_id=game.pk, seq=game.seq + 1, actor=Actor("arbiter"), move=penalty, account=None)
        game.refresh_from_db()
    return game


def test_what_has_no_room_on_a_small_phone_pops_up(phone: Page, cast: Cast, log_in: LogIn) -> None:
    phone.set_viewport_size(ViewportSize(width=360, height=640))
    log_in(phone, cast.paul)
    for game, named, told in (
        (opened(cast, "scoops", 9), "In words", "Goal: "),
        (opened(cast, "scamper", 6), "Adjustments: 1", "First dealer"),
    ):
        phone.goto(f"/games/{game.pk}/")
        expect(phone.locator("#dock")).to_have_attribute("data-state", re.compile("."))
        phone.locator("#table summary", has_text=named).tap()
        expect(phone.locator("#table .pop-up div").get_by_text(told).first).to_be_in_viewport(ratio=1)
        phone.locator("#table").get_by_role("button", name="Close").tap()
        expect(phone.locator("#table .pop-up[open]")).to_have_count(0)


def match_all(game: Game) -> None:
    """Let the seat whose turn it is try to match all cards of its campsite, which adds to them (B12)."""
    (seat,) = replay.awaited(log.latest(game))
    view: Any = replay.view(log.latest(game), seat)
    chosen = [{"seat": seat, "index": index} for index in range(len(view["campsites"][seat]))]
    for move in ({"type": "draw", "from": "deck"}, {"type": "replace", "cards": chosen, "end": "right"}):
        game.refresh_from_db()
        log.append(game_id=game.pk, seq=game.seq + 1, actor=Actor("seat", seat), move=move, account=None)
    game.refresh_from_db()


def test_campsites_to_which_cards_were_added_are_seen_without_scrolling(
    cast: Cast, fits_one_screen: Callable[[Game], None]
) -> None:
    for seats in (3, 4, 6) if IS_WHOLE else (3, 6):
        game = turn_of(opened(cast, "scram", seats), 0)
        for _turn in range(seats):
            match_all(game)
        fits_one_screen(turn_of(game, 0))


def test_cards_grow_again_when_a_banner_is_gone(phone: Page, cast: Cast, log_in: LogIn) -> None:
    game = turn_of(opened(cast, "scram", 3), 0)
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    cloth, banner = phone.locator("#table"), phone.locator("#offline")
    expect(phone.locator("#dock")).to_have_attribute("data-state", "shown")
    settle(phone)
    usual = str(cloth.get_attribute("class"))
    banner.evaluate("banner => { banner.style.height = '12rem'; banner.hidden = false; }")
    expect(cloth).to_have_class(re.compile("dense-1"))
    expect(cloth.get_by_text("your turn")).to_be_visible()
    banner.evaluate("banner => { banner.hidden = true; }")
    expect(cloth).to_have_class(usual)


def test_all_can_be_tapped_on_a_phone_that_lies_on_its_side(german: Page, cast: Cast, log_in: LogIn) -> None:
    campsites, melds = turn_of(opened(cast, "scram", 6), 0), turn_of(play(opened(cast, "scamper", 6), 25), 0)
    for _turn in range(3):
        match_all(campsites)
    log_in(german, cast.paul)
    for game in (turn_of(campsites, 0), melds):
        for width, height in ((844, 390), (667, 375), (480, 320)):
            german.set_viewport_size({"width": width, "height": height})
            german.goto(f"/games/{game.pk}/")
            expect(german.locator("#dock")).to_have_attribute("data-state", "shown")
            settle(german)
            assert german.evaluate(COVERED) == [] and german.evaluate(WIDER) == [0, 0], (game.ruleset, width)


def test_the_head_of_a_narrow_phone_has_one_row_above_the_line_of_the_move(
    german: Page, cast: Cast, log_in: LogIn
) -> None:
    log_in(german, cast.paul)
    for ruleset in ("scamper", "scoops", "scram"):
        german.goto(f"/games/{opened(cast, ruleset, 3).pk}/")
        settle(german)
        steps = german.locator("#steps").bounding_box()
        for part in ("#status", "#company summary", "#table-menu > summary"):
            box = german.locator(part).bounding_box()
            assert box and steps and box["y"] + box["height"] <= steps["y"] + 1, (ruleset, part)


def test_the_head_of_a_page_is_no_wider_than_a_narrow_phone_in_large_text(
    phone: Page, german: Page, cast: Cast, log_in: LogIn
) -> None:
    for _game in range(10):
        turn_of(opened(cast, "scamper", 2), 0)
    for browser in (phone, german):
        browser.set_viewport_size(NARROW)
        log_in(browser, cast.paul)
        for address in ("/", "/rules/"):
            browser.goto(address)
            expect(browser.locator("#own-tables .count")).to_be_visible()
            assert wrong_in_large_text(browser, 360, "[]") == [], address


def test_the_table_keeps_its_place_from_phase_to_phase(phone: Page, cast: Cast, log_in: LogIn) -> None:
    game = turn_of(opened(cast, "scamper", 3), 0)
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    places = []
    for _phase in range(5):
        expect(phone.locator(f"#live[data-seq='{game.seq}']")).to_be_visible()
        expect(phone.locator("#dock")).to_have_attribute("data-state", re.compile("shown|following"))
        settle(phone)
        places.append([phone.locator(part).bounding_box() for part in ("#table", "#hand li >> nth=0")])
        game = play(game, 1)
    tops = {(round(table["height"]), round(card["y"])) for table, card in places if table and card}
    assert len(tops) == 1, tops


def test_ones_own_campsite_stays_where_it_is_when_buttons_go_and_others_move(
    phone: Page, cast: Cast, log_in: LogIn
) -> None:
    game = turn_of(opened(cast, "scram", 4), 0)
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    dock, own = phone.locator("#dock"), phone.locator("[data-mine] [data-thing^=at]")
    places = []
    for thing in ("pile:deck", "at:0.0", "at:0.1", "at:0.1", "at:0.0", "pile:discard"):
        expect(dock).to_have_attribute("data-state", "shown")
        phone.locator(f"#table [data-thing='{thing}']").click()
        expect(dock).to_have_attribute("data-state", re.compile("shown|following"))
        settle(phone)
        places.append(own.first.bounding_box())
    expect(phone.locator("#turn")).to_have_count(0)
    settle(phone)
    places.append(own.first.bounding_box())
    assert all(places) and places[2:] == [places[2]] * 5
    rows = "document.querySelector('#dock .actions').getBoundingClientRect().height"
    most = phone.evaluate(rows)
    game = turn_of(game, 0)
    expect(phone.locator(f"#live[data-seq='{game.seq}'] #turn")).to_have_count(1)
    expect(dock).to_have_attribute("data-state", "shown")
    settle(phone)
    assert phone.evaluate(rows) < 100 < most

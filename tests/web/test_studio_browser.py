"""A game that is over, replayed in the browser from one answer."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests import factories
from tests.browsing import LogIn
from tests.factories import Cast
from tests.web.test_browser import violations
from tests.web.test_game import play, seated
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
    expect(page.locator("#table")).to_contain_text("Seat 2 wins")
    page.locator("[data-part=round]").select_option("2")
    expect(page.locator("#table-title")).to_have_text("Deal 2 of 3")
    page.get_by_label("Move", exact=True).press("PageUp")
    expect(where).to_contain_text("Move 36 of 99")
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


def test_the_list_is_at_the_move_and_follows_it(page: Page, phone: Page, cast: Cast) -> None:
    game = golden(cast, "scamper/no-passing")
    for browser in (page, phone):
        browser.goto(f"/games/{game.pk}/?at=49")
        play, current = (
            browser.get_by_role("button", name="Play"),
            browser.locator("#moves-list [aria-current]"),
        )
        expect(play).to_be_enabled()
        browser.locator("#moves-list").scroll_into_view_if_needed()
        expect(current).to_be_in_viewport()
        scrolled = browser.evaluate("scrollY")
        browser.locator("#moves-list [data-seq='46'] a").click()
        expect(browser.locator("[data-part=where]")).to_contain_text("Move 46 of 99")
        assert browser.evaluate("scrollY") == scrolled
        browser.get_by_role("button", name="Previous deal").click()
        expect(browser.locator("[data-part=where]")).to_contain_text(re.compile("Move 3[56] of 99"))
        expect(current).to_have_attribute("data-seq", re.compile("3[56]"))


def test_a_replay_can_be_stepped_through_before_its_answer_is_there(
    page: Page, cast: Cast, problems: list[str]
) -> None:
    game = golden(cast, "scoops/the-knocker-leaves")
    page.route("**/frames/", lambda route: route.abort())
    for address in (f"/games/{game.pk}/?at=5", f"/embed/games/{game.pk}/?at=5"):
        page.goto(address)
        expect(page.get_by_role("button", name="Play")).to_be_disabled()
        page.keyboard.press("ArrowRight")
        expect(page.locator("[data-part=where]")).to_contain_text(f"Move 6 of {game.seq}")
        expect(page.locator("#studio-slider")).to_have_value("6")
        expect(page.get_by_text("The replay could not be loaded")).to_be_visible()
    assert all("ERR_FAILED" in problem for problem in problems)
    problems.clear()


def test_a_replay_that_could_not_be_loaded_is_asked_for_again(
    phone: Page, cast: Cast, problems: list[str]
) -> None:
    game = golden(cast, "scoops/the-knocker-leaves")
    phone.route("**/frames/", lambda route: route.abort())
    phone.goto(f"/games/{game.pk}/?at=5")
    note = phone.get_by_text("The replay could not be loaded")
    expect(note).to_be_visible()
    assert violations(phone) == []
    phone.unroute("**/frames/")
    phone.get_by_role("button", name="Try again").tap()
    expect(phone.get_by_role("button", name="Play")).to_be_enabled()
    expect(note).to_be_hidden()
    expect(phone.locator("[data-part=where]")).to_contain_text("Move 5 of 6")
    problems.clear()


OVERLAPS = """(() => {
    const boxes = [...document.querySelectorAll(".studio button, .studio select, .studio .slide")]
        .filter((part) => part.checkVisibility()).map((part) => [part, part.getBoundingClientRect()]);
    const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    const found = boxes.flatMap(([one, a], place) => boxes.slice(place + 1)
        .filter(([, b]) => !apart(a, b)).map(([other]) => [one.outerHTML, other.outerHTML]));
    const cut = boxes.filter(([part]) => part.tagName === "BUTTON" && part.scrollWidth > part.clientWidth);
    return [...found, ...cut.map(([part]) => part.outerHTML)];
})()"""
"""The keys of the replay that lie on another one, and those that cut off their text."""


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", [(320, 700), (390, 844), (844, 390), (1024, 768), (1280, 800)])
def test_no_key_lies_on_another_or_cuts_off_its_text(
    page: Page, cast: Cast, size: tuple[int, int], language: str
) -> None:
    game = golden(cast, "scram/six-campers")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.set_extra_http_headers({"Accept-Language": language})
    for address in (f"/games/{game.pk}/?at=120", f"/embed/games/{game.pk}/?at=120"):
        page.goto(address)
        expect(page.locator("[data-do=play]")).to_be_enabled()
        assert page.evaluate(OVERLAPS) == []
        assert page.locator("#studio-slider").evaluate("(slider) => slider.clientWidth") > 60
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_deals_are_stepped_through_where_each_begins(page: Page, cast: Cast) -> None:
    game = golden(cast, "scram/six-campers")
    page.goto(f"/games/{game.pk}/?at=87")
    where, deal, heading = (
        page.locator(part) for part in ("[data-part=where]", "[data-part=round]", "#table h2")
    )
    expect(deal).to_have_value("1")
    expect(heading.first).to_have_text("Deal 1 is over")
    for key, seq, number in (
        ("Next", 88, "2"),
        ("Next", 172, "3"),
        ("Previous", 88, "2"),
        ("Previous", 1, "1"),
    ):
        page.get_by_role("button", name=f"{key} deal").click()
        expect(where).to_contain_text(f"Move {seq} of 258")
        expect(deal).to_have_value(number)
        expect(heading.first).to_have_text(f"Deal {number} of 3")


@pytest.mark.parametrize("name", ["scram/memory-aid", "scram/six-campers"])
def test_what_is_drawn_is_seen_beside_all_campsites_on_a_phone(phone: Page, cast: Cast, name: str) -> None:
    game = golden(cast, name)
    phone.goto(f"/games/{game.pk}/?at=20")
    expect(phone.get_by_role("button", name="Play")).to_be_enabled()
    for part in ("#table .piles", *(f"#table [data-seat='{seat}'] .cards" for seat in range(4))):
        expect(phone.locator(part)).to_be_in_viewport(ratio=1)


def test_a_finished_replay_does_not_speak_of_ones_own_turn(page: Page, cast: Cast, log_in: LogIn) -> None:
    game = play(seated(cast))
    log_in(page, cast.paul)
    page.goto(f"/games/{game.pk}/?at={game.seq - 2}")
    assert "(you)" not in page.content() and "your turn" not in page.locator("#table").inner_text()

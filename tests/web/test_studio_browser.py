"""A game that is over, replayed in the browser from one answer."""

import re
from typing import Final, Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browsing import IS_WHOLE, LogIn, becomes, excuse, settle
from tests.factories import Cast
from tests.web.test_browser import violations
from tests.web.test_game import play, seated
from tests.web.test_replays import golden


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
        expect(play.get_by_text("Pause")).to_have_css("opacity", "1" if pressed == "true" else "0")
    page.locator("[data-part=slider]").fill("97")
    page.get_by_label("Speed").select_option("6×")
    play.click()
    expect(where).to_contain_text("Move 99 of 99")
    expect(play).to_have_attribute("aria-pressed", "false")
    assert [each for each in asked if "/games/" in each] == []


def test_a_long_move_of_a_replay_is_read_whole_by_a_tap(german: Page, cast: Cast) -> None:
    game = golden(cast, "scamper/no-passing")
    german.goto(f"/games/{game.pk}/?at=1")
    where, line = german.locator("[data-part=where]"), german.locator("[data-part=where] > span")
    expect(german.locator("[data-do=play]")).to_be_enabled()
    expect(where).to_have_attribute("tabindex", "0")
    cut = "line => line.scrollHeight > line.clientHeight + 1"
    assert line.evaluate(cut)
    keys = german.locator(".studio .keys").bounding_box()
    line.tap()
    becomes(lambda: line.evaluate(cut), wanted=False)
    assert german.locator(".studio .keys").bounding_box() == keys
    expect(line).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("motion", "plays"), [("no-preference", "true"), ("reduce", "false")])
def test_a_replay_that_is_asked_for_plays_unless_motion_is_reduced(
    page: Page, cast: Cast, motion: Literal["no-preference", "reduce"], plays: str
) -> None:
    game = golden(cast, "scamper/no-passing")
    page.emulate_media(reduced_motion=motion)
    page.goto(f"/games/{game.pk}/?at=1#replay")
    play = page.get_by_role("button", name="Play")
    expect(play).to_be_enabled()
    expect(play).to_have_attribute("aria-pressed", plays)
    expect(page.locator("[data-part=where]")).to_contain_text(
        "Move 2 of 99" if plays == "true" else "Move 1 of 99"
    )


FAR: Final = """() => {
    const slider = document.querySelector("[data-part=slider]");
    for (const step of Array(200).keys()) {
        slider.value = 1 + step % 90;
        slider.dispatchEvent(new Event("input"));
    }
}"""
FEW: Final = """(() => {
    const keep = history.replaceState;
    let left = 100;
    history.replaceState = (...of) => {
        left -= 1;
        if (left < 0) throw new Error("Too many addresses");
        keep.apply(history, of);
    };
})()"""
"""Keeps no more addresses than Safari does in ten seconds."""


def test_the_slider_goes_far_where_a_browser_keeps_few_addresses(page: Page, cast: Cast) -> None:
    game = golden(cast, "scamper/no-passing")
    page.add_init_script(FEW)
    page.goto(f"/games/{game.pk}/")
    expect(page.get_by_role("button", name="Play")).to_be_enabled()
    page.evaluate(FAR)
    expect(page.locator("[data-part=where]")).to_contain_text("Move 20 of 99")
    expect(page).to_have_url(re.compile(r"\?at=20$"))


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)], ids=["phone", "computer"])
def test_cloth_slider_and_keys_share_one_screen(page: Page, cast: Cast, size: tuple[int, int]) -> None:
    game = golden(cast, "scamper/ten-seats")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for address in (f"/games/{game.pk}/?at=60", f"/embed/games/{game.pk}/?at=60"):
        page.goto(address)
        for part in ("#table", "[data-part=where]", "#studio-slider", "[data-do=play]", "[data-part=round]"):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
        wider = page.evaluate("document.documentElement.scrollWidth - screen.width")
        assert wider <= 0


OUT_OF_SIGHT = """(step) => {
    const [slider, cloth] = [document.querySelector("[data-part=slider]"), document.querySelector("#table")];
    const below = [];
    for (let seq = 1; seq < slider.max; seq += step) {
        slider.value = seq;
        slider.dispatchEvent(new Event("input"));
        const { bottom } = cloth.getBoundingClientRect();
        for (const card of cloth.querySelectorAll(".card, .die"))
            if (card.checkVisibility() && card.getBoundingClientRect().bottom > bottom) below.push(seq);
    }
    return below;
}"""
"""The moves, of all but the last or of every so many, after which a card lies below the edge of the cloth.

The last table lies below how the game went for each player.
"""


FULL: Final = (
    *("scoops/bowl-vanilla", "scoops/shake-cherry", "scoops/cone-banana", "scamper/a-tie-for-the-deal"),
    *("scamper/basic", "scram/three-campers", "scram/four-at-random", "scoops/sandwich-raspberry"),
)


@pytest.mark.long
def test_every_card_of_every_move_lies_on_the_cloth_above_the_keys(phone: Page, cast: Cast) -> None:
    for name in FULL:
        phone.goto(f"/games/{golden(cast, name).pk}/?at=1")
        expect(phone.get_by_role("button", name="Play")).to_be_enabled()
        settle(phone)
        assert phone.evaluate(OUT_OF_SIGHT, 1 if IS_WHOLE else 3) == [], name
        for part in ("#table", "#studio-slider", "[data-do=play]", "[data-do=ArrowLeft]"):
            expect(phone.locator(part)).to_be_in_viewport(ratio=1)


def test_the_list_is_at_the_move_and_follows_it(page: Page, phone: Page, cast: Cast) -> None:
    game = golden(cast, "scamper/no-passing")
    for browser in (page, phone):
        browser.goto(f"/games/{game.pk}/?at=49")
        play, current = (
            browser.get_by_role("button", name="Play"),
            browser.locator("#moves-list [aria-current]"),
        )
        expect(play).to_be_enabled()
        expect(browser.locator("#course canvas")).to_be_visible()
        browser.locator("#moves-list").scroll_into_view_if_needed()
        expect(current).to_be_in_viewport()
        settle(browser)
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
    excuse(page, problems, "ERR_FAILED")


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


SIZES: Final = ((320, 700), (390, 844), (844, 390), (1024, 768), (1280, 800))


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_key_lies_on_another_or_cuts_off_its_text(page: Page, cast: Cast, language: str) -> None:
    game = golden(cast, "scram/six-campers")
    page.set_extra_http_headers({"Accept-Language": language})
    for address in (f"/games/{game.pk}/?at=120", f"/embed/games/{game.pk}/?at=120"):
        page.goto(address)
        expect(page.locator("[data-do=play]")).to_be_enabled()
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            settle(page)
            assert page.evaluate(OVERLAPS) == [], width
            assert page.locator("#studio-slider").evaluate("(slider) => slider.clientWidth") > 60, width
            assert page.evaluate("document.documentElement.scrollWidth - screen.width") <= 0, width


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


def test_what_is_drawn_is_seen_beside_all_campsites_on_a_phone(phone: Page, cast: Cast) -> None:
    for name in ("scram/memory-aid", "scram/six-campers"):
        phone.goto(f"/games/{golden(cast, name).pk}/?at=20")
        expect(phone.get_by_role("button", name="Play")).to_be_enabled()
        for part in ("#table .piles", *(f"#table [data-seat='{seat}'] .cards" for seat in range(4))):
            expect(phone.locator(part)).to_be_in_viewport(ratio=1)


def test_a_finished_replay_does_not_speak_of_ones_own_turn(page: Page, cast: Cast, log_in: LogIn) -> None:
    game = play(seated(cast))
    log_in(page, cast.paul)
    page.goto(f"/games/{game.pk}/?at={game.seq - 2}")
    expect(page.get_by_role("button", name="Play")).to_be_enabled()
    assert "(you)" not in page.content() and "your turn" not in page.locator("#table").inner_text()


def test_whoever_practised_plays_again_from_the_end_of_the_replay_and_checks_the_deal(
    phone: Page, transactional_db: None
) -> None:
    phone.goto("/play/")
    phone.get_by_role("button", name="Play (Scoops)").tap()
    expect(phone.locator("#dock")).to_have_attribute("data-state", re.compile("."))
    phone.get_by_text("Leave this game").locator("visible=true").first.tap()
    phone.get_by_text("Resign", exact=True).locator("visible=true").first.tap()
    phone.get_by_role("button", name="Yes, resign").tap()
    expect(phone.get_by_role("button", name="Play again")).to_be_visible()
    phone.goto(f"{phone.url}?at=1")
    expect(phone.get_by_role("button", name="Play", exact=True)).to_be_enabled()
    phone.get_by_role("button", name="Last move").tap()
    expect(phone.locator("#table")).to_contain_text("You lost")
    phone.get_by_role("button", name="Check the deal here").tap()
    expect(phone.locator("[data-outcome=good]")).to_be_visible()
    phone.get_by_role("button", name="Play again").tap()
    expect(phone.locator("#dock")).to_be_visible()


def test_a_narrow_phone_shows_the_table_below_the_result_and_its_deal_at_once(
    german: Page, cast: Cast
) -> None:
    german.route("**/frames/", lambda _: None)
    german.goto(f"/games/{golden(cast, 'scoops/a-long-game').pk}/")
    expect(german.locator("[data-part=round]")).to_have_value("23")
    settle(german)
    expect(german.locator("#ending")).to_be_in_viewport(ratio=1)
    seat = german.locator("#table .seat").first.bounding_box()
    keys = german.locator("#studio").bounding_box()
    assert seat and keys and seat["y"] + seat["height"] <= keys["y"]


def test_one_deal_has_no_course(page: Page, cast: Cast) -> None:
    for name, number in (("scoops/bowl-vanilla", 0), ("scamper/no-passing", 1)):
        page.goto(f"/games/{golden(cast, name).pk}/")
        expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()
        expect(page.locator("#course:visible")).to_have_count(number)

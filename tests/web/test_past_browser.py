"""Steps back in a running game, in a real browser: no page is loaded."""

import re

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browsing import LogIn, becomes, excuse, settle
from tests.factories import Cast
from tests.web.test_browser import actor, violations
from tests.web.test_game import play, seated

STEPS = re.compile(r"/\?at=")


def pages_of(page: Page) -> list[str]:
    """Return the addresses of the pages that the browser loads from now on, which grow as it does."""
    loaded: list[str] = []

    def listen(request: Request) -> None:
        if request.is_navigation_request():
            loaded.append(request.url)

    page.on("request", listen)
    return loaded


def test_a_running_game_is_stepped_through_without_loading_a_page(page: Page, cast: Cast) -> None:
    game = play(seated(cast), 4)
    with page.expect_request("**/events/**"):
        page.goto(f"/games/{game.pk}/")
    loaded = pages_of(page)
    for key, seq in (("ArrowLeft", 4), ("Home", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        expect(page.locator("[data-past] .where")).to_contain_text(f"Move {seq} of 5")
        expect(page).to_have_url(re.compile(rf"\?at={seq}$"))
        expect(page.locator("#past-said")).to_contain_text(f"Move {seq} of 5")
    expect(page.locator("#table")).to_be_hidden()
    assert violations(page) == []
    play(game, 1)
    expect(page.locator("#steps .where")).to_contain_text("Move 6 of 6")
    page.keyboard.press("End")
    expect(page.locator("#steps .where")).to_be_visible()
    expect(page.locator("[data-past]")).to_have_count(0)
    expect(page).to_have_url(f"/games/{game.pk}/")
    assert loaded == []


def test_focus_and_scroll_stay_where_they_are(page: Page, cast: Cast) -> None:
    game = play(seated(cast), 40)
    page.set_viewport_size({"width": 1280, "height": 500})
    page.goto(f"/games/{game.pk}/")
    page.get_by_role("link", name="Previous move").click()
    expect(page.locator("[data-past] .where")).to_contain_text(f"Move {game.seq - 1} of")
    expect(page.locator("[data-past] [data-step=ArrowLeft]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-past] .where")).to_contain_text(f"Move {game.seq - 2} of")
    item = page.locator("[data-past] [data-seq='30'] a")
    item.scroll_into_view_if_needed()
    settle(page)
    before = item.bounding_box()
    item.click()
    expect(page.locator("[data-past] [aria-current] .seq")).to_have_text(re.compile(r"\b30$"))
    expect(item).to_be_focused()
    settle(page)
    after = item.bounding_box()
    assert before and after and abs(before["y"] - after["y"]) < 2


def test_steps_that_come_faster_than_answers_all_count(page: Page, cast: Cast) -> None:
    game = play(seated(cast), 8)
    page.goto(f"/games/{game.pk}/")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-past] .where")).to_contain_text("Move 8 of 9")
    page.evaluate(
        "for (let n = 0; n < 4; n += 1) document.querySelector('[data-past] [data-step=ArrowLeft]').click()"
    )
    expect(page.locator("[data-past] .where")).to_contain_text("Move 4 of 9")


PLACES = "selectors => selectors.map((each) => document.querySelector(each).getBoundingClientRect().top)"


@pytest.mark.parametrize("size", ["phone", "page"])
def test_a_seat_that_steps_back_keeps_the_hand_of_now_and_nothing_moves(
    size: str, cast: Cast, log_in: LogIn, request: pytest.FixtureRequest
) -> None:
    page: Page = request.getfixturevalue(size)
    game = play(seated(cast), 4)
    log_in(page, actor(cast, game))
    with page.expect_request("**/events/**"):
        page.goto(f"/games/{game.pk}/")
    loaded = pages_of(page)
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    settle(page)
    held = page.locator("#hand").inner_html()
    before = page.evaluate(PLACES, [".steps", "#where", "#table", "#hand"])
    page.get_by_role("link", name="Previous move").click()
    expect(page.locator("[data-past] .where")).to_contain_text("Move 4 of 5")
    settle(page)
    assert page.evaluate(PLACES, ["#past-steps", "#past-where", "#past-table", "#hand"]) == before
    assert page.evaluate("scrollY") == 0 and page.locator("#hand").inner_html() == held
    assert page.locator("[data-past] :is([data-hand], form[data-form], #past-dock)").count() == 0
    expect(page.locator("#dock")).to_be_hidden()
    expect(page.locator("#looking-back")).to_contain_text("Your hand is as it is now.")
    page.locator("#hand [data-thing]").first.click(force=True)
    expect(page.locator("#hand .picked")).to_have_count(0)
    assert violations(page) == []
    page.get_by_role("link", name="Back to the game").click()
    expect(page.locator("#dock")).to_be_visible()
    settle(page)
    assert page.evaluate(PLACES, [".steps", "#where", "#table", "#hand"]) == before
    assert loaded == []


CHIPS = """line => {
    line.insertAdjacentHTML("afterbegin", `<b class="chip">10♥</b> `.repeat(30));
    const cut = line.getBoundingClientRect().bottom - line.parentElement.getBoundingClientRect().bottom;
    for (const chip of line.querySelectorAll("b")) chip.remove();
    return cut - 3;
}"""
"""How far a line with many cards reaches below its place, but for its padding."""


def test_the_line_of_a_long_move_is_read_whole_by_a_tap(phone: Page, cast: Cast, log_in: LogIn) -> None:
    for player in (cast.paul_plays, cast.petra_plays):
        player.name = f"{player.name} of a very long family name that is written everywhere"
        player.save()
    game = play(seated(cast), 4)
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    line = phone.locator("#where > span")
    expect(phone.locator("#where")).to_have_attribute("tabindex", "0")
    settle(phone)
    lines = "line => Math.round(line.clientHeight / parseFloat(getComputedStyle(line).lineHeight))"
    assert line.evaluate(lines) == 3
    assert line.evaluate(CHIPS) <= 1, "cards in the line make it no higher than its place"
    assert line.evaluate("line => line.scrollHeight > line.clientHeight")
    table = phone.locator("#table").bounding_box()
    line.tap()
    becomes(lambda: line.evaluate("line => line.scrollHeight > line.clientHeight + 1"), wanted=False)
    settle(phone)
    assert phone.locator("#table").bounding_box() == table


def test_a_page_loaded_in_the_past_leads_to_the_present(page: Page, cast: Cast) -> None:
    game = play(seated(cast), 4)
    page.goto(f"/games/{game.pk}/?at=2")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-past] .where")).to_contain_text("Move 3 of 5")
    page.get_by_role("link", name="Last move").click()
    expect(page.locator("#steps .where")).to_contain_text("Move 5 of 5")
    expect(page.locator("#status [data-running]")).to_have_text("live")


def test_a_step_that_is_lost_says_so_and_leaves_the_table(
    page: Page, cast: Cast, problems: list[str]
) -> None:
    game = play(seated(cast), 4)
    page.goto(f"/games/{game.pk}/")
    page.route(STEPS, lambda route: route.abort())
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#past-lost")).to_be_visible()
    expect(page.locator("#steps .where")).to_contain_text("Move 5 of 5")
    page.unroute(STEPS)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-past] .where")).to_contain_text("Move 4 of 5")
    expect(page.locator("#past-lost")).to_be_hidden()
    excuse(page, problems, "Failed to load resource")

"""A page comes as it stays: nothing on it shifts once it is painted, and few files and bytes are loaded."""

from dataclasses import dataclass
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route, expect

from league.projections import ratings as rating_lists
from league.projections.standings import compute_standings
from tests.browsing import LogIn, settle
from tests.factories import Cast
from tests.league.playing import finished, in_play
from tests.web.test_game import play
from tests.web.test_one_screen_browser import opened
from tests.web.test_replays import golden
from tests.web.test_table_browser import turn_of

pytestmark = pytest.mark.usefixtures("same_deals")

MOST_REQUESTS: Final = 12
MOST_BYTES: Final = 150_000
MOST_SHIFT: Final = 0.02
SCREENS: Final = ((360, 640), (390, 667), (390, 844), (844, 390), (820, 1180), (1280, 800))
SHIFTS: Final = """if (!window.shifts) {
    window.shifts = [];
    const named = ({ node }) => node && (node.id || node.className || node.nodeName);
    new PerformanceObserver((list) => list.getEntries().forEach(({ value, hadRecentInput, sources }) => {
        if (!hadRecentInput) window.shifts.push([value, ...sources.map(named)]);
    })).observe({ type: "layout-shift", buffered: true });
}"""
"""Notes how far parts of the page shift, as a share of the screen, and which."""


HEAD: Final = """[
    ...document.querySelectorAll(".top nav li, #steps, #company summary, #table-menu > summary, #table")
].map((part) => part.getBoundingClientRect()).map((at) => [at.x, at.y, at.width, at.height])"""
"""Where the parts above a table lie, and the table itself."""
TELL: Final = """for (const [id, told] of [["watching", "1 watching"], ["around", "2 are here"]]) {
    const place = document.getElementById(id);
    (place.querySelector(".words") || place).textContent = told;
    place.hidden = false;
}"""
"""Shows what the streams of a table tell once they have begun: who watches, and who is here."""


@dataclass(frozen=True)
class Cost:
    """What a page costs a browser that has nothing of it yet."""

    asked: list[str]
    size: float
    shifts: list[Any]


def cost_of(page: Page, address: str, sign: str) -> Cost:
    """Load a page until a sign of it is seen and it lies still, and return what that costs."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.clearBrowserCache")
    asked: list[str] = []
    sizes: list[float] = []
    session.on("Network.requestWillBeSent", lambda told: asked.append(told["request"]["url"]))
    session.on("Network.loadingFinished", lambda told: sizes.append(told["encodedDataLength"]))
    page.add_init_script(SHIFTS)
    page.goto(address)
    expect(page.locator(sign).first).to_be_visible()
    settle(page)
    shifts = page.evaluate("window.shifts")
    session.detach()
    return Cost([each for each in asked if not each.startswith("data:")], sum(sizes), shifts)


def is_cheap(page: Page, address: str, sign: str, most_shift: float = MOST_SHIFT) -> None:
    """Assert that a page keeps within its budgets."""
    cost = cost_of(page, address, sign)
    assert sum(shift for shift, *_moved in cost.shifts) < most_shift, (
        address,
        page.viewport_size,
        cost.shifts,
    )
    assert len(cost.asked) <= MOST_REQUESTS, cost.asked
    assert 0 < cost.size <= MOST_BYTES, (address, cost.size)


@pytest.mark.parametrize(
    ("ruleset", "seats", "moves"),
    [
        ("scamper", 2, 20),
        ("scamper", 6, 25),
        ("scoops", 2, 40),
        ("scoops", 6, 40),
        ("scram", 3, 5),
        ("scram", 6, 8),
    ],
)
def test_a_running_table_comes_as_it_stays(
    page: Page, phone: Page, cast: Cast, log_in: LogIn, ruleset: str, seats: int, moves: int
) -> None:
    game = turn_of(play(opened(cast, ruleset, seats), moves), 0)
    for browser in (phone, page):
        is_cheap(browser, f"/games/{game.pk}/", "#live.one-screen:not(.by-hand)", MOST_SHIFT / 2)
        log_in(browser, cast.paul)
        is_cheap(browser, f"/games/{game.pk}/", '#dock[data-state="shown"]', MOST_SHIFT / 2)


@pytest.mark.parametrize(
    ("ruleset", "seats", "moves"),
    [
        ("scamper", 2, 20),
        ("scamper", 9, 60),
        ("scoops", 6, 40),
        ("scram", 3, 5),
        ("scram", 6, 8),
    ],
)
def test_a_running_table_stays_where_it_is_when_scripts_come_late(
    phone: Page, cast: Cast, log_in: LogIn, ruleset: str, seats: int, moves: int
) -> None:
    game = turn_of(play(opened(cast, ruleset, seats), moves), 0)
    log_in(phone, cast.paul)
    phone.add_init_script(SHIFTS)
    held: list[Route] = []
    phone.route("**/scripts/*", lambda route: held.append(route))
    phone.route(f"**/games/{game.pk}/", paints_at_once)
    for width, height in SCREENS:
        phone.set_viewport_size({"width": width, "height": height})
        phone.goto(f"/games/{game.pk}/", wait_until="commit")
        expect(phone.locator(".card:visible").first).to_be_visible()
        phone.wait_for_timeout(1000)
        while held:
            held.pop().continue_()
        expect(phone.locator('#dock[data-state="shown"]')).to_be_visible()
        settle(phone)
        shifts = phone.evaluate("window.shifts")
        assert sum(shift for shift, *_moved in shifts) < MOST_SHIFT, (width, height, shifts)


def paints_at_once(route: Route) -> None:
    """Answer with a page as a browser has it that does not wait for scripts before it paints."""
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace(' blocking="render"', ""))


@pytest.mark.parametrize("width", [820, 1280])
def test_the_head_of_a_table_has_room_for_what_its_streams_tell(
    page: Page, cast: Cast, log_in: LogIn, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 1000})
    for told in ("**/events/*", "**/tables/mine/*"):
        page.route(told, lambda route: route.fulfill(status=204))
    log_in(page, cast.paul)
    page.goto(f"/games/{turn_of(opened(cast, 'scoops', 2), 0).pk}/")
    expect(page.locator('#dock[data-state="shown"]')).to_be_visible()
    *before, table = page.evaluate(HEAD)
    page.evaluate(TELL)
    assert page.evaluate(HEAD) == [*before, table]
    assert all(top + height <= table[1] for _left, top, _width, height in before)


def test_a_running_table_is_laid_out_by_the_server(phone: Page, cast: Cast, log_in: LogIn) -> None:
    # Some browsers paint a page before its scripts have come.
    phone.route("**/scripts/*", lambda route: route.fulfill(body="", content_type="text/javascript"))
    log_in(phone, cast.paul)
    game = turn_of(opened(cast, "scamper", 2), 0)
    phone.goto(f"/games/{game.pk}/")
    for part in ("#table", "#hand .card >> nth=0", "#dock", "#table-menu", ".badge.live"):
        expect(phone.locator(part)).to_be_in_viewport()
    expect(phone.locator("#play > .play")).to_be_hidden()
    top, bottom = phone.evaluate("""(() => {
        const { top, bottom } = document.querySelector(".board").getBoundingClientRect();
        return [top, bottom - innerHeight];
    })()""")
    assert 0 < top < 200 and abs(bottom) < 8
    expect(phone.get_by_role("link", name="Reload")).to_be_visible()


def test_a_running_table_without_scripts_is_a_page_with_forms(plain: Page, cast: Cast, log_in: LogIn) -> None:
    log_in(plain, cast.paul)
    game = turn_of(opened(cast, "scamper", 2), 0)
    plain.goto(f"/games/{game.pk}/")
    for part in ("#dock", "#pace", "#sound", ".badge.live"):
        expect(plain.locator(part)).to_be_hidden()
    expect(plain.get_by_role("heading", name="Your move")).to_be_visible()
    expect(plain.locator("#hand .card").first).to_be_visible()
    expect(plain.get_by_role("link", name="Reload")).to_be_visible()


def test_a_replay_comes_as_it_stays(page: Page, phone: Page, cast: Cast) -> None:
    game = golden(cast, "scamper/no-passing")
    for browser in (phone, page):
        is_cheap(browser, f"/games/{game.pk}/?at=49", "#course canvas")


def test_charts_and_pages_of_a_club_come_as_they_stay(
    page: Page, phone: Page, cast: Cast, log_in: LogIn
) -> None:
    competition = finished(cast)
    compute_standings(competition.pk)
    rating_lists.compute_ratings(competition.pk)
    for browser in (phone, page):
        log_in(browser, cast.paul)
        for address, sign in (
            ("/", "h1"),
            (f"/clubs/{cast.club.slug}/", "h1"),
            (f"/competitions/{competition.slug}/", "h1"),
            (f"/competitions/{competition.slug}/charts/", ".plot canvas"),
            (f"/players/{cast.paul_plays.pk}/", ".plot canvas"),
            ("/admin/", "h1"),
        ):
            is_cheap(browser, address, sign)


def test_the_wall_of_a_hall_comes_as_it_stays(page: Page, cast: Cast) -> None:
    is_cheap(page, f"/competitions/{in_play(cast).slug}/hall/", "li")

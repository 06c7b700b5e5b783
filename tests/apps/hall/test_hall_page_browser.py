"""The hall page and the check-in list in a real browser: on a projector, on a phone, by keyboard."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from league.apps.hall import services
from league.core.verbs.draw import DrawRound
from league.core.verbs.presence import CheckInEntry
from league.core.verbs.rooms import SetRooms
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition, Player
from tests.browsing import LogIn, excuse, settle, stop_the_clock
from tests.factories import Cast, PlayerFactory
from tests.league.acting import act, enter
from tests.league.brackets import closed, drawn_next, in_round
from tests.league.playing import in_play, opened
from tests.web.conftest import record_all
from tests.web.test_browser import violations

SMALLEST_TYPE: Final = """() => Math.min(...[...document.querySelectorAll("#hall *")]
  .filter((each) => each.getClientRects().length
    && [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .map((each) => parseFloat(getComputedStyle(each).fontSize)))"""
"""The size in pixels of the smallest letters that are shown."""

LETTERS: Final = """() => parseFloat(getComputedStyle(
    document.querySelector(".screen:not([hidden]) .lines .name")).fontSize)"""
"""The size in pixels of a list's letters, in one step: news from the server replace the lines."""


def hall(competition: Competition, **query: object) -> str:
    return f"/competitions/{competition.slug}/hall/?{'&'.join(f'{key}={query[key]}' for key in query)}"


def named(cast: Cast, count: int, name: str) -> Competition:
    """Return a competition whose first round is played by so many players of a long name."""
    people = [PlayerFactory.create(club=cast.club, name=f"{name} {number}") for number in range(count)]
    competition = opened(cast)
    enter(cast.olga, competition, people, StartCompetition(), DrawRound(), PublishRound())
    competition.refresh_from_db()
    return competition


def where(page: Page) -> str:
    """Return the title of the screen that is shown, and its page."""
    title = page.locator(".screen:not([hidden]) h2").inner_text()
    return f"{title}: {page.locator('#where').inner_text()}"


def lines_in_view(page: Page) -> list[str]:
    """Return the names of the lines that stand wholly within the space for them."""
    return list(
        page.evaluate(
            """() => [...document.querySelectorAll(".screen:not([hidden]) .lines > li:not([hidden])")]
              .filter((line) => line.getBoundingClientRect().bottom
                <= line.closest(".room").getBoundingClientRect().bottom + 1)
              .map((line) => line.querySelector(".name").innerText)"""
        )
    )


class TestOnAProjector:
    def test_long_lists_are_paged_and_no_name_is_cut(self, page: Page, cast: Cast) -> None:
        competition = named(cast, 47, "Bartholomäus Featherstonehaugh-Ó Súilleabháin")
        page.goto(hall(competition, show="names", seconds=120))
        seen: list[str] = []
        count = int(where(page).rpartition(" ")[2])
        assert count > 2
        for number in range(1, count + 1):
            assert where(page) == f"Who sits where: Page {number} of {count}"
            seen += lines_in_view(page)
            page.keyboard.press("ArrowRight")
        assert where(page) == f"Who sits where: Page 1 of {count}"
        assert len(seen) == len(set(seen)) == 47

    @pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720)])
    def test_standings_fill_the_screen_with_letters_that_the_hall_can_read(
        self, page: Page, cast: Cast, width: int, height: int
    ) -> None:
        competition = named(cast, 22, "Annegret Beispiel & Friedhelm Muster")
        record_all(competition)
        page.set_viewport_size({"width": width, "height": height})
        page.goto(hall(competition, show="standings", seconds=120))
        assert where(page) == "Standings: "
        assert len(lines_in_view(page)) == 22
        assert page.evaluate(SMALLEST_TYPE) >= height * 0.0268
        before = page.evaluate(LETTERS)
        for _ in range(5):
            page.keyboard.press("+")
        assert page.evaluate(LETTERS) == pytest.approx(before * 1.1**5)
        assert 4 < len(lines_in_view(page)) < 22

    def test_pages_turn_by_themselves_until_a_key_stops_them(self, page: Page, cast: Cast) -> None:
        page.clock.install()
        page.goto(hall(in_play(cast, 8), seconds=120))
        expect(page.get_by_role("heading", name="Who sits where")).to_be_visible()
        page.clock.fast_forward(120_000)
        expect(page.get_by_role("heading", name="Tables")).to_be_visible()
        page.keyboard.press(" ")
        expect(page.get_by_role("button", name="Pause")).to_have_attribute("aria-pressed", "true")
        page.clock.fast_forward(120_000)
        assert where(page) == "Tables: "
        page.keyboard.press("1")
        assert where(page) == "Who sits where: only this screen"

    def test_what_an_organiser_does_appears_without_a_reload(self, page: Page, cast: Cast) -> None:
        competition = in_play(cast, 8)
        page.goto(hall(competition, show="tables"))
        services.announce(by=cast.olga, competition=competition, words="Soup is ready")
        services.start_timer(by=cast.olga, competition=competition, minutes=50)
        page.set_viewport_size({"width": 1920, "height": 1080})
        expect(page.get_by_text("Soup is ready")).to_be_visible()
        expect(page.locator("#timer .digits")).to_contain_text("49:")
        settle(page)
        # Two metres wide and seen from eight: 29 px are 30 mm.
        assert page.evaluate(SMALLEST_TYPE) >= 29
        assert page.evaluate(LETTERS) >= 45

    def test_the_end_of_the_timer_is_a_signal(self, page: Page, cast: Cast) -> None:
        competition = in_play(cast, 8)
        services.start_timer(by=cast.olga, competition=competition, minutes=50)
        stop_the_clock(page)
        page.goto(hall(competition))
        page.keyboard.press("s")
        expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
        page.clock.fast_forward("49:00")
        expect(page.locator("#timer")).to_have_class("timer last")
        page.clock.fast_forward("01:00")
        expect(page.locator("#timer .digits")).to_have_text("Time is up")
        expect(page.locator("html")).to_contain_class("signal")

    def test_a_server_that_does_not_answer_is_told(self, page: Page, cast: Cast, problems: list[str]) -> None:
        page.clock.install()
        page.goto(hall(in_play(cast, 8)))
        page.context.set_offline(True)
        page.clock.fast_forward(60_000)
        expect(page.locator("#stale")).to_contain_text("Not up to date")
        page.context.set_offline(False)
        page.clock.fast_forward(60_000)
        expect(page.locator("#stale")).to_have_text("")
        excuse(page, problems, "Failed to load resource")


def test_the_pages_are_accessible_and_fit_a_tablet(page: Page, cast: Cast, log_in: LogIn) -> None:
    playing, coming = in_play(cast, 8), opened(cast, 5, name="Coming", entering={"check_in": True})
    services.start_timer(by=cast.olga, competition=playing, minutes=50)
    services.announce(by=cast.olga, competition=playing, words="Soup is ready")
    log_in(page, cast.olga)
    page.set_viewport_size({"width": 820, "height": 1180})
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    for address in (hall(playing), hall(coming), f"/competitions/{coming.slug}/check-in/"):
        page.goto(address)
        assert violations(page) == [], address
        assert page.evaluate("document.documentElement.scrollWidth - screen.width") <= 0, address


def test_a_phone_scrolls_through_all_screens(phone: Page, cast: Cast) -> None:
    phone.goto(hall(in_play(cast, 8)))
    for title in ("Who sits where", "Tables", "Still playing"):
        expect(phone.get_by_role("heading", name=title)).to_be_visible()


def test_a_phone_shows_seats_and_a_link_back_and_the_wall_does_not(
    phone: Page, page: Page, cast: Cast
) -> None:
    competition = in_play(cast, 8)
    for each in (phone, page):
        each.goto(hall(competition, show="names"))
        expect(each.get_by_text("Table 1").first).to_be_visible()
    assert violations(phone) == []
    expect(phone.locator(".lines .place").first).to_have_text(re.compile(r"^Table\s[12], seat\s[1-4]$"))
    expect(page.get_by_role("link", name="Back to the competition")).to_be_hidden()
    expect(page.get_by_text(", seat ").first).to_be_hidden()
    phone.get_by_role("link", name="Back to the competition").tap()
    expect(phone).to_have_url(re.compile(f"/competitions/{competition.slug}/$"))


ROOM: Final = "The club’s new room upstairs, at the back"


@pytest.mark.parametrize("width", [390, 1280])
def test_a_long_name_of_a_room_leaves_the_players_names_theirs(page: Page, cast: Cast, width: int) -> None:
    competition = opened(cast, 8)
    act(cast.olga, competition, SetRooms, rooms=[{"name": ROOM[:40], "last": 9}])
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(hall(competition, show="names"))
    settle(page)
    boxes = page.locator(".names .lines > li:not([hidden])").evaluate_all(
        """(lines) => lines.map((line) => [".name", ".place"].map((part) => {
          const { left, right, height } = line.querySelector(part).getBoundingClientRect();
          return [left, right, height, line.getBoundingClientRect().right];
        }))"""
    )
    assert boxes
    for name, place in boxes:
        assert name[1] - name[0] > 90 and name[1] <= place[0]
        assert place[1] <= place[3] + 1
        assert name[2] < 90


def test_without_scripts_the_server_turns_the_pages(plain: Page, cast: Cast) -> None:
    plain.goto(hall(in_play(cast, 8), seconds=3))
    for title in ("Who sits where", "Tables", "Still playing", "Who sits where"):
        expect(plain.get_by_role("heading", level=2)).to_have_text(title)


class TestTheCheckInList:
    @pytest.fixture
    def competition(self, cast: Cast) -> Competition:
        for name in ("Zoë Ábel", "Zora O’Brien", "Zoltan Abel"):
            PlayerFactory.create(club=cast.club, name=name)
        competition = opened(cast, 2, entering={"check_in": True})
        named = Player.objects.filter(club=cast.club, name__startswith="Z").order_by("name")
        enter(cast.olga, competition, named)
        return competition

    def here(self, competition: Competition) -> set[str]:
        return set(competition.entries.filter(checked_in=True).values_list("name", flat=True))

    def test_is_worked_through_by_keyboard_alone(
        self, page: Page, cast: Cast, log_in: LogIn, competition: Competition
    ) -> None:
        log_in(page, cast.olga)
        page.goto(f"/competitions/{competition.slug}/check-in/")
        status = page.locator(".said")
        expect(page.get_by_role("searchbox")).to_be_focused()
        page.keyboard.type("zoe abel")
        page.keyboard.press("Enter")
        expect(status).to_have_text("Checked in: Zoë Ábel.")
        page.keyboard.type("zoe abel")
        page.keyboard.press("Enter")
        expect(status).to_contain_text("Checked in already.")
        assert self.here(competition) == {"Zoë Ábel"}
        page.keyboard.press("Escape")
        page.keyboard.type("obr")
        page.keyboard.press("Enter")
        expect(status).to_have_text("Checked in: Zora O’Brien.")
        page.keyboard.type("zo")
        # The first that is missing, so that Enter takes nobody's check-in back by accident.
        expect(page.locator(".marked")).to_contain_text("Zoltan Abel")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        expect(status).to_have_text("Not checked in any more: Zoë Ábel.")
        expect(page.locator(".present")).to_contain_text("1 of 5 checked in")
        expect(page.get_by_role("searchbox")).to_be_focused()
        assert self.here(competition) == {"Zora O’Brien"}

    def test_keeps_what_is_tapped_without_a_connection_and_sends_it_by_itself(
        self, page: Page, cast: Cast, log_in: LogIn, competition: Competition, problems: list[str]
    ) -> None:
        log_in(page, cast.olga)
        page.goto(f"/competitions/{competition.slug}/check-in/")
        page.context.set_offline(True)
        for name in ("Zoë Ábel", "Zoltan Abel"):
            page.get_by_role("button", name=name).click()
            expect(page.locator("li", has_text=name).locator(".state")).to_have_text("waits")
        expect(page.locator(".said")).to_contain_text("No connection.")
        assert self.here(competition) == set()
        page.context.set_offline(False)
        expect(page.locator(".present")).to_contain_text("2 of 5 checked in", timeout=20_000)
        assert self.here(competition) == {"Zoë Ábel", "Zoltan Abel"}
        page.reload()
        expect(page.locator(".said")).to_have_text("")
        excuse(page, problems, "Failed to load resource")

    def test_follows_other_devices_while_somebody_types(
        self, page: Page, cast: Cast, log_in: LogIn, competition: Competition
    ) -> None:
        log_in(page, cast.olga)
        page.goto(f"/competitions/{competition.slug}/check-in/")
        expect(page.get_by_role("searchbox")).to_be_focused()
        page.keyboard.type("pa")
        paul = competition.entries.get(name="Paul Pike")
        act(cast.olga, competition, CheckInEntry, entry=paul.pk)
        expect(page.locator(".present")).to_contain_text("1 of 5 checked in")
        expect(page.get_by_role("searchbox")).to_have_value("pa")
        expect(page.locator("[data-key]:not([hidden])")).to_have_count(1)

    def test_shows_no_list_that_it_has_asked_for_before_a_button(
        self, page: Page, cast: Cast, log_in: LogIn, competition: Competition
    ) -> None:
        log_in(page, cast.olga)
        page.clock.install()
        page.goto(f"/competitions/{competition.slug}/check-in/")
        held, news = list[Route](), re.compile("by=XMLHttpRequest")
        page.route(news, lambda route: held.append(route))
        with page.expect_request(news):
            page.clock.fast_forward(5_000)
        expect(page.locator(".present")).to_contain_text("Nobody has checked in yet")
        old = held[0].fetch()
        page.get_by_role("button", name="Petra Plum").click()
        expect(page.locator(".said")).to_have_text("Checked in: Petra Plum.")
        with page.expect_event("requestfinished", lambda request: bool(news.search(request.url))):
            held[0].fulfill(response=old)
        settle(page)
        expect(page.locator(".present")).to_contain_text("1 of 5 checked in")

    def test_takes_the_focus_but_not_on_a_phone_whose_keyboard_would_cover_the_list(
        self, page: Page, phone: Page, cast: Cast, log_in: LogIn, competition: Competition
    ) -> None:
        for device in (page, phone):
            log_in(device, cast.olga)
            device.goto(f"/competitions/{competition.slug}/check-in/")
            expect(device.locator("html.scripted")).to_have_count(1)
        expect(page.locator("#name")).to_be_focused()
        expect(phone.locator("#name")).not_to_be_focused()
        expect(page.get_by_text("The arrow keys mark another")).to_be_visible()
        expect(phone.get_by_text("The arrow keys mark another")).to_be_hidden()

    def test_is_tapped_on_a_phone_by_anybody_once_that_is_on(
        self, phone: Page, cast: Cast, competition: Competition
    ) -> None:
        services.set_self_check_in(by=cast.olga, competition=competition, on=True)
        phone.goto(f"/competitions/{competition.slug}/check-in/")
        button = phone.get_by_role("button", name="Petra Plum")
        box = button.bounding_box()
        assert box and box["height"] >= 44
        button.tap()
        expect(phone.locator(".said")).to_have_text("Checked in: Petra Plum.")
        assert self.here(competition) == {"Petra Plum"}

    def test_works_without_scripts(self, plain: Page, cast: Cast, competition: Competition) -> None:
        services.set_self_check_in(by=cast.olga, competition=competition, on=True)
        plain.goto(f"/competitions/{competition.slug}/check-in/")
        plain.get_by_role("searchbox").fill("pik")
        plain.get_by_role("searchbox").press("Enter")
        expect(plain.get_by_role("listitem").filter(has_text="missing")).to_have_count(1)
        plain.get_by_role("button", name="Paul Pike").click()
        expect(plain.get_by_text("Checked in: Paul Pike.")).to_be_visible()
        assert self.here(competition) == {"Paul Pike"}


@pytest.mark.parametrize("entries", [16, 32])
def test_a_bracket_is_read_from_afar_and_follows_the_cup(page: Page, cast: Cast, entries: int) -> None:
    """Letters of a seventieth of the screen's height: 9.7 mm on a screen of 55 inches, read at 4 m."""
    competition = in_round(cast, entries, 1)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(hall(competition, show="bracket", seconds=120))
    for _screen in range(page.locator(".screen").count()):
        found = page.evaluate(
            """() => { const svg = document.querySelector(".screen:not([hidden]) svg.picture");
              const box = svg.getBoundingClientRect(), by = svg.getScreenCTM().a;
              const size = (text) => by * parseFloat(getComputedStyle(text).fontSize);
              const sizes = [...svg.querySelectorAll("text")].map(size);
              return [Math.min(...sizes), box.bottom - innerHeight]; }"""
        )
        assert found[0] >= 1080 / 70 and found[1] <= 0
        page.keyboard.press("ArrowRight")
    page.keyboard.press("1")
    closed(cast, competition, 1)
    drawn_next(cast, competition)
    expect(page.locator(".screen:not([hidden])").get_by_text("winner of table").first).to_be_visible()

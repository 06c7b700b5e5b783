"""An organiser changes rooms and sizes for round 2, on a phone and on a wide screen."""

import pytest
from playwright.sync_api import Page, expect

from league.core.verbs.rounds import CloseRound
from league.models import Competition
from tests.browsing import LogIn
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, in_play
from tests.web.conftest import record_all
from tests.web.test_browser import violations


def more(page: Page, title: str) -> None:
    """Open what is rarely needed of the round, and choose one of it."""
    part = page.locator(".tf-part").filter(has=page.get_by_role("heading", name="Round", exact=True))
    part.locator("summary").click()
    with page.expect_navigation():
        part.get_by_role("link", name=title, exact=True).click()


def confirm(page: Page, title: str) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name=title, exact=True).click()


@pytest.mark.parametrize("width", [390, 1280])
def test_rooms_and_sizes_are_changed_for_round_2(page: Page, cast: Cast, log_in: LogIn, width: int) -> None:
    competition = in_play(cast, 11, stages=[{**PLAN, "format": "swiss"}])
    record_all(competition)
    act(cast.olga, competition, CloseRound)
    page.set_viewport_size({"width": width, "height": 800})
    log_in(page, cast.olga)
    page.goto(f"/admin/league/competition/{competition.pk}/change/")
    expect(page.get_by_text("11 entries: 2 tables of 4, 1 table of 3.")).to_be_visible()
    more(page, "Rooms and table numbers")
    page.get_by_label("Rooms", exact=True).fill("Bar 1\nHall 5–6")
    assert not violations(page)
    confirm(page, "Rooms and table numbers")
    expect(page.get_by_text("Rooms: Bar (table 1), Hall (tables 5–6).")).to_be_visible()
    more(page, "Draw with other tables")
    page.get_by_label("2 tables: 1 × 6 and 1 × 5", exact=True).check()
    assert not violations(page)
    confirm(page, "Draw with other tables")
    rows = page.locator('section[aria-labelledby="latest"] tbody tr')
    expect(rows).to_have_count(2)
    expect(rows.nth(0).locator("th")).to_contain_text("Bar")
    expect(rows.nth(1).locator("th")).to_contain_text("5 Hall")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    first, second = Competition.objects.get().stages.get().rounds.order_by("number")
    assert {each.room for each in first.tables.all()} == {""}
    assert sorted(each.seats.count() for each in second.tables.all()) == [5, 6]

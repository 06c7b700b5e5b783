"""A cup of 11 with two lives and best of three, from the first round to the winner, on two screens."""

from playwright.sync_api import Page, expect

from league.core.verbs.course import FinishCompetition
from tests.factories import Cast
from tests.league.acting import act
from tests.league.brackets import DOUBLE, closed, drawn_next, rounds_of, started
from tests.web.test_browser import violations_by_day_and_night

WIDE = {"width": 1280, "height": 900}


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth - screen.width <= 0"))


def test_a_cup_of_eleven_is_followed_to_its_winner_on_both_screens(
    page: Page, phone: Page, cast: Cast
) -> None:
    competition = started(cast, 11, {**DOUBLE, "best_of": 3})
    competition.refresh_from_db()
    page.set_viewport_size(WIDE)
    number = 0
    while number < rounds_of(competition):
        number += 1
        drawn_next(cast, competition)
        for each in (page, phone):
            each.goto(f"/competitions/{competition.slug}/charts/")
            expect(each.get_by_role("heading", name="Bracket: Lower bracket")).to_be_visible()
            expect(each.locator(".picture .now").first).to_be_in_viewport()
            assert fits(each)
            each.goto(f"/competitions/{competition.slug}/rounds/")
            expect(each.get_by_text("of at most 3").first).to_be_visible()
            assert fits(each)
        closed(cast, competition, number)
    assert number in (8, 9)
    act(cast.olga, competition, FinishCompetition)
    for each in (page, phone):
        for part in ("charts/", "cross-table/", "hall/", ""):
            each.goto(f"/competitions/{competition.slug}/{part}?lang=de")
            assert fits(each)
        assert violations_by_day_and_night(each) == []

"""A player asks for a bye on the phone, and sees it in the next round; the set-up has it folded."""

import pytest
from playwright.sync_api import Page, expect

from league.models import Competition
from tests.browsing import LogIn
from tests.factories import Cast
from tests.league.test_byes import begun, publish
from tests.web.test_matches_browser import SIZES, fits


@pytest.mark.parametrize("size", SIZES)
def test_a_player_asks_for_a_bye_and_sees_it_in_the_next_round(
    page: Page, cast: Cast, log_in: LogIn, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    competition = begun(cast)
    log_in(page, cast.paul)
    page.goto(f"/competitions/{competition.slug}/")
    page.get_by_text("How it is played").click()
    expect(page.get_by_text("There is none in the last round.")).to_be_visible()
    own = page.locator("#own")
    own.get_by_text("Ask for a bye").first.click()
    own.get_by_label("Round").select_option("1")
    assert fits(page)
    own.get_by_role("button", name="Ask for a bye").click()
    expect(page.get_by_text("You have a bye in round 1, as you asked.")).to_be_visible()
    publish(cast, competition)
    page.goto(f"/competitions/{competition.slug}/rounds/")
    expect(page.get_by_text("Paul Pike (on request, ½)")).to_be_visible()
    page.goto(f"/competitions/{competition.slug}/my-evening/")
    expect(page.get_by_role("heading", name="Bye in round 1")).to_contain_text("on request, ½")
    assert fits(page)


@pytest.mark.parametrize("size", SIZES)
def test_the_set_up_has_byes_on_request_folded(
    page: Page, cast: Cast, log_in: LogIn, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    log_in(page, cast.olga)
    page.goto("/admin/league/competition/add/?ruleset=scoops&plan=only-swiss")
    most = page.locator("[name='stages.0.requested_byes']")
    expect(most).to_be_hidden()
    page.get_by_text("Byes on request and late entries").click()
    most.fill("2")
    page.locator("[name='stages.0.late_rounds']").fill("1")
    page.fill("[name=name]", "Club Swiss")
    assert fits(page)
    page.get_by_role("button", name="Set up the competition").last.click()
    expect(page.get_by_text("Each entry can ask for 2 byes")).to_be_visible()
    plan = Competition.objects.get(name="Club Swiss").stages.get().plan
    assert (plan["requested_byes"], plan["late_rounds"]) == (2, 1)

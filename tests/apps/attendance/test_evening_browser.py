"""An evening in a browser on a phone: an answer from an email without account, and a guest at the door."""

import re

from playwright.sync_api import Page, expect

from league.apps.attendance import queries, services
from league.models import Entry
from tests.apps.attendance.conftest import evening
from tests.apps.attendance.test_answers import link, replies
from tests.apps.attendance.test_door import door
from tests.browsing import LogIn
from tests.factories import Cast, PlayerFactory


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth - screen.width") <= 0)


def test_a_tap_in_an_email_and_one_on_the_page_answer_without_an_account(phone: Page, cast: Cast) -> None:
    tonight = evening(cast)
    ruth = PlayerFactory.create(club=cast.club, name="Ruth Rye")
    phone.goto(f"{link(tonight, ruth)}?reply=guest")
    assert fits(phone)
    phone.get_by_role("button", name="Send my answer: Yes, with a guest").click()
    expect(phone.get_by_text("Your answer: Yes, with a guest")).to_be_visible()
    phone.get_by_label("Name of your guest").fill("Gus Gale")
    phone.get_by_role("button", name="Yes, with a guest").click()
    expect(phone.get_by_text("Your guest: Gus Gale")).to_be_visible()
    assert fits(phone)
    assert replies(tonight) == [("Ruth Rye", "guest")]
    assert [each.name for each in queries.waiting(tonight)] == ["Gus Gale"]


def test_a_guest_at_the_door_takes_part_after_one_tap_of_an_organiser(
    phone: Page, page: Page, log_in: LogIn, cast: Cast
) -> None:
    tonight = evening(cast, 3, entering={"check_in": True}, asks=False)
    phone.goto(door(cast, tonight))
    phone.get_by_label("Your name").fill("Gus Gale")
    phone.get_by_role("button", name="I am here").click()
    expect(phone.get_by_role("status")).to_contain_text("Thank you, Gus Gale.")
    assert fits(phone)
    log_in(page, cast.olga)
    page.goto("/admin/")
    page.get_by_role("link", name=re.compile("^Let in")).click()
    page.get_by_role("button", name="Let in as somebody new").click()
    expect(page.get_by_text("Taking part: Gus Gale.")).to_be_visible()
    phone.reload()
    expect(phone.get_by_role("status")).to_contain_text("You are in.")
    assert Entry.objects.get(competition=tonight, name="Gus Gale").checked_in


def test_the_desk_makes_the_code_for_the_door_and_takes_answers(
    phone: Page, log_in: LogIn, cast: Cast
) -> None:
    tonight = evening(cast, asks=False)
    log_in(phone, cast.olga)
    phone.goto(f"/admin/league/competition/{tonight.pk}/change/")
    panel = phone.locator("#coming")
    panel.locator("summary").click()
    panel.get_by_role("link", name="Ask who is coming").click()
    phone.get_by_label("members are asked whether they come").check()
    phone.get_by_role("button", name="Save").click()
    row = phone.get_by_role("group", name="Paul Pike")
    row.get_by_role("button", name="Yes", exact=True).click()
    expect(row.get_by_role("button", name="Yes", exact=True)).to_have_attribute("aria-pressed", "true")
    assert fits(phone)
    phone.get_by_role("button", name="Make an address for the door").click()
    expect(phone.get_by_text("Guests scan this")).to_be_visible()
    assert fits(phone)
    assert replies(tonight) == [("Paul Pike", "yes")]
    assert services.close_door(by=cast.olga, competition=tonight) is None


def test_the_secretary_pairs_two_who_told_her_that_they_look_for_a_partner(
    phone: Page, log_in: LogIn, cast: Cast
) -> None:
    tonight = evening(cast, lineup="partners", team_size=2)
    log_in(phone, cast.olga)
    phone.goto(f"/admin/league/competition/{tonight.pk}/coming/")
    for name in ("Paul Pike", "Petra Plum"):
        phone.get_by_role("group", name=name).get_by_role("button", name="Looks for a partner").click()
        expect(phone.get_by_role("checkbox", name=name)).to_be_visible()
    for name in ("Paul Pike", "Petra Plum"):
        phone.get_by_role("checkbox", name=name).check()
    assert fits(phone)
    phone.get_by_role("button", name="Enter those ticked together").click()
    expect(phone.get_by_text("Taking part: Paul Pike & Petra Plum.")).to_be_visible()

"""What a club knows of its people, and its duties, in a real browser: accessible, and it fits a phone."""

from datetime import date, timedelta

import pytest
from playwright.sync_api import Page, expect

from league.apps.people.duties import turns_ahead
from league.apps.people.membership import keep_category, keep_facts
from league.apps.people.models import Duty, Rule, Standing
from league.apps.people.queries import Facts, periods_of, within
from tests.apps.people.test_duties import duty, evening, share
from tests.browsing import LogIn
from tests.factories import Cast
from tests.web.test_browser import violations


def test_an_organiser_notes_a_member_and_swaps_two_duties(page: Page, cast: Cast, log_in: LogIn) -> None:
    duty(cast, "Key", cast.paul_plays, cast.petra_plays)
    for week in range(2):
        share(cast, evening(cast, date(2026, 12, 3) + timedelta(weeks=week)))
    log_in(page, cast.olga)
    page.goto(f"/admin/league/player/{cast.paul_plays.pk}/change/")
    page.get_by_text("More about this person").click()
    known = page.get_by_role("region", name="As the club knows this person")
    known.get_by_role("link", name="Change", exact=True).click()
    row = page.get_by_role("group", name="Period 1")
    row.get_by_label("What").select_option("member")
    row.get_by_label("From").fill("2020-01-01")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    members = periods_of(cast.club, Standing.MEMBER)
    assert within(members, cast.club.today) == {cast.paul_plays.pk}
    page.goto(f"/admin/league/club/{cast.club.pk}/change/")
    page.get_by_text("More for this club").click()
    page.get_by_role("link", name="People: categories, duties").click()
    page.get_by_role("link", name="Evening 2026-12-03").click()
    page.locator("#duties > summary").click()
    page.get_by_role("button", name="Swap with Petra Plum").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert [turn.player.name for turn in turns_ahead(cast.club)] == ["Petra Plum", "Paul Pike"]


@pytest.mark.parametrize("screen", ["phone", "german"])
def test_its_pages_are_accessible_and_fit(
    screen: str, request: pytest.FixtureRequest, cast: Cast, log_in: LogIn
) -> None:
    shown: Page = request.getfixturevalue(screen)
    given = {"name": "B group", "rule": Rule.TICKED, "least": None, "most": None, "since": None}
    keep_category(by=cast.olga, club=cast.club, category=None, **given)
    known = Facts(1990, "17", periods=(("member", None, date(2020, 1, 1), None),))
    keep_facts(by=cast.olga, club=cast.club, facts={cast.paul_plays: known})
    duty(cast, "Key", cast.paul_plays, cast.petra_plays)
    thursday, people = evening(cast, date(2026, 12, 3)), f"club/{cast.club.pk}/people/"
    log_in(shown, cast.olga)
    for path in (
        f"player/{cast.paul_plays.pk}/change/",
        f"player/{cast.paul_plays.pk}/person/",
        *(people, f"{people}?category=new", f"{people}?many=paid"),
        f"{people}?duty={Duty.objects.get().pk}",
        f"competition/{thursday.pk}/change/",
    ):
        shown.goto(f"/admin/league/{path}")
        assert violations(shown) == [], path
        assert shown.evaluate("document.documentElement.scrollWidth - screen.width") <= 0, path

"""The form of the next evening in a real browser: it follows what is ticked, and the day."""

from datetime import timedelta

from playwright.sync_api import Page, expect

from league.apps.away.services import say_away
from league.apps.evenings.lines import next_day
from league.models import Competition
from tests.apps.evenings.test_again import page as address_of
from tests.apps.evenings.test_again import told
from tests.browsing import LogIn
from tests.factories import Cast
from tests.league.playing import PLAN, opened


def test_the_form_follows_ticks_and_day_and_keeps_what_was_typed(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    like = told(cast, opened(cast, 8, stages=[{**PLAN, "format": "rounds"}]))
    first, second, *_others = (entry.members.get().player for entry in like.entries.order_by("number"))
    other = next_day(like) + timedelta(days=1)
    say_away(by=cast.olga, player=second, since=other, until=other)
    log_in(page, cast.olga)
    page.goto(address_of(like))
    told_now = page.locator("#again [role=status]").first
    expect(told_now).to_contain_text("8 from last time are ticked. 8 entries: 2 tables of 4.")
    expect(page.get_by_role("button", name="Check the day and count")).to_be_hidden()
    page.get_by_label("Name").fill("Carnival")
    page.get_by_label(first.name, exact=True).uncheck()
    expect(told_now).to_contain_text("7 from last time are ticked. 7 entries: 1 table of 4, 1 table of 3.")
    page.get_by_role("textbox", name="Day", exact=True).fill(other.isoformat())
    expect(told_now).to_contain_text("6 from last time are ticked.")
    expect(page.get_by_label(second.name, exact=True)).not_to_be_checked()
    expect(page.get_by_label(first.name, exact=True)).not_to_be_checked()
    page.get_by_role("button", name="Set up the evening").click()
    expect(page.locator("#messages")).to_contain_text("Carnival is set up.")
    assert Competition.objects.get(name="Carnival").entries.count() == 6

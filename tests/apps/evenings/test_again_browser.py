"""The form of the next evening in a real browser: it follows what is ticked, and the day."""

from datetime import timedelta

from playwright.sync_api import Page, expect

from league.apps.away.services import say_away
from league.apps.evenings.lines import next_day
from league.models import Competition
from tests.apps.evenings.test_again import page as address_of
from tests.apps.evenings.test_again import told
from tests.apps.evenings.test_pairs import members_of, pairs_of
from tests.browsing import LogIn
from tests.factories import Cast
from tests.league.playing import PLAN, opened, pairs_in_play


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


def test_set_up_shows_how_many_sit_at_each_table_as_it_is_typed(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    log_in(page, cast.olga)
    page.goto("/admin/league/competition/add/?ruleset=scoops&plan=club_night")
    expect(page.get_by_role("button", name="Show how many sit at each table")).to_be_hidden()
    page.get_by_text("Tables", exact=True).click()
    page.get_by_label("How many tables does the room have?").fill("4")
    page.get_by_label("Limit of entries").fill("17")
    page.get_by_label("Limit of entries").blur()
    expect(page.get_by_text("17 players as the room allows: 4 tables: 1 × 5 and 3 × 4.")).to_be_visible()
    expect(page.get_by_text("With 4, 17 players sit at")).to_be_visible()
    expect(page.get_by_label("Limit of entries")).to_have_value("17")


def test_partners_who_change_are_paired_anew_on_the_page(page: Page, cast: Cast, log_in: LogIn) -> None:
    like = told(cast, pairs_in_play(cast, 4))
    ann, ben, cid, dan, *_others = (each.player for each in members_of(like))
    log_in(page, cast.olga)
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(address_of(like))
    told_now = page.locator("#again [role=status]").first
    page.get_by_text("Other partners this time").click()
    page.get_by_label(ann.name, exact=True).select_option(label=cid.name)
    expect(told_now).to_contain_text(f"Without a partner: {ben.name}, {dan.name}.")
    expect(page.get_by_text(f"Plays with {ann.name}.")).to_be_visible(timeout=8000)
    page.get_by_label(ben.name, exact=True).select_option(label=dan.name)
    expect(told_now).to_contain_text("4 entries: 2 tables of 2 teams.")
    page.get_by_role("button", name="Untick all that are shown").click()
    expect(told_now).to_contain_text("2 entries: 1 table of 2 teams.")
    page.get_by_role("button", name="Set up the evening").click()
    expect(page.locator("#messages")).to_contain_text("is set up.")
    made = Competition.objects.exclude(pk=like.pk).get()
    assert pairs_of(made) == {frozenset(map(str, pair)) for pair in ((ann.pk, cid.pk), (ben.pk, dan.pk))}

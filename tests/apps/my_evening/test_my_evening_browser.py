"""My evening on a phone: a link from a slip, one more tap, and a page that follows the evening."""

import pytest
from playwright.sync_api import Page, expect

from league.apps.hall.services import announce, start_timer
from league.apps.my_evening.queries import code_of, shown
from league.apps.my_evening.services import make_passes
from league.core.verbs.deadlines import GiveTime
from league.models import Competition, TableSeat
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, tables
from tests.web.test_browser import violations_by_day_and_night


@pytest.fixture
def competition(cast: Cast) -> Competition:
    return in_play(cast, 8, ruleset="scram-scorecard")


@pytest.fixture
def seat(competition: Competition) -> TableSeat:
    return tables(competition)[0].seats.select_related("player").get(number=0)


@pytest.fixture
def code(cast: Cast, competition: Competition, seat: TableSeat) -> str:
    made = make_passes(by=cast.olga, competition=competition, people=[seat.player])
    return code_of(made[seat.player_id])


def test_a_link_asks_once_more_and_its_page_follows_the_evening(
    phone: Page, cast: Cast, competition: Competition, seat: TableSeat, code: str
) -> None:
    start_timer(by=cast.olga, competition=competition, minutes=30)
    phone.goto(f"/enter/#{code}")
    expect(phone.get_by_label("Code")).to_have_value(code)
    assert "#" not in phone.url
    phone.get_by_role("button", name="Open").click()
    expect(phone.get_by_role("heading", name=f"Table {seat.table.number}, seat 1")).to_be_visible()
    assert code not in phone.url
    act(cast.olga, competition, GiveTime, table=str(seat.table_id), minutes=5)
    expect(phone.get_by_text("5 minutes more")).to_be_visible()
    announce(by=cast.olga, competition=competition, words="Soup is ready")
    expect(phone.get_by_text("Soup is ready")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth - screen.width") <= 0
    assert violations_by_day_and_night(phone) == []
    phone.get_by_role("link", name="Enter scores").click()
    expect(phone.get_by_text("without an account")).to_be_visible()
    phone.get_by_role("link", name="Back to my evening").click()
    phone.get_by_role("button", name="Close my evening on this device").click()
    expect(phone.get_by_text("closed on this device")).to_be_visible()


def test_it_opens_without_scripts_by_the_typed_code(plain: Page, seat: TableSeat, code: str) -> None:
    plain.goto("/enter/")
    plain.get_by_label("Code").fill(shown(code).lower())
    plain.get_by_role("button", name="Open").click()
    expect(plain.get_by_role("heading", name=f"Table {seat.table.number}, seat 1")).to_be_visible()

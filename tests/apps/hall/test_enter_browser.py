"""Codes, kiosks and calls in a browser: a printed link opens the card, and the desk hears of a call."""

import pytest
from playwright.sync_api import Page, expect

from games import log
from games.models import Game
from league.apps.hall.queries import link_to, shown
from league.apps.hall.services import call_organiser, make_codes, make_kiosk
from league.models import Competition, Table
from tests.browsing import LogIn, becomes, excuse
from tests.factories import Cast
from tests.league.playing import in_play, tables
from tests.web.test_browser import violations, violations_by_day_and_night


@pytest.fixture
def competition(cast: Cast) -> Competition:
    return in_play(cast, 8, ruleset="scram-scorecard")


@pytest.fixture
def table(competition: Competition) -> Table:
    return tables(competition)[0]


@pytest.fixture
def codes(cast: Cast, competition: Competition, table: Table) -> list[str]:
    made = make_codes(by=cast.olga, competition=competition, tables=[table])
    return [code for _, code in sorted(made.items())]


def open_card(phone: Page, code: str, game: Game) -> None:
    """Open a score card by the link of a seat's code, and wait for the scripts that keep what is typed."""
    phone.goto(f"/enter/#{code}")
    expect(phone).to_have_url(f"/games/{game.pk}/#play")
    phone.wait_for_load_state()


def is_refused(phone: Page, game: Game) -> None:
    """Wait until the page says so, at an address that shows the table again and sends no form."""
    expect(phone.get_by_role("alert")).to_contain_text("Not saved.")
    expect(phone).to_have_url(f"/games/{game.pk}/?form=round-1")


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth - screen.width") <= 0)


def test_a_printed_link_opens_the_card_and_another_phone_confirms(
    phone: Page, plain: Page, codes: list[str], table: Table
) -> None:
    game = table.games.get().game
    open_card(phone, codes[0], game)
    assert codes[0] not in phone.evaluate("JSON.stringify(performance.getEntries().map((each) => each.name))")
    phone.get_by_label("Scram").select_option(index=2)
    phone.get_by_label("Scram").focus()
    phone.keyboard.press("Tab")
    for points in ("12", "3", "20", "5"):
        phone.keyboard.type(points)
        phone.keyboard.press("Enter")
    expect(phone.get_by_text("Saved.")).to_be_visible()
    plain.goto("/enter/")
    plain.get_by_label("Code").fill(shown(codes[1]).lower())
    plain.get_by_role("button", name="Open").click()
    plain.get_by_role("button", name="Deal 1 is right").click()
    expect(plain.get_by_role("button", name="Deal 1 is right")).to_have_count(0)
    assert [(entry.role, entry.seat) for entry in log.entries(game, 1)] == [("code", 0), ("code", 1)]
    phone.get_by_role("button", name="Call the organiser").click()
    expect(phone.get_by_text("The organiser was called to this table")).to_be_visible()


def test_what_is_typed_outlives_a_reload_for_its_seat_alone_until_it_is_saved(
    phone: Page, codes: list[str], table: Table, problems: list[str]
) -> None:
    game = table.games.get().game
    points = phone.locator("[data-grid=round-1] .line > input")
    open_card(phone, codes[0], game)
    phone.get_by_label("Scram").select_option(index=2)
    points.nth(0).fill("12")
    points.nth(1).fill("4")
    phone.reload()
    expect(points.nth(0)).to_have_value("12")
    open_card(phone, codes[1], game)
    expect(phone.get_by_text("(seat 2)")).to_be_visible()
    expect(points.nth(0)).to_have_value("")
    phone.goto("/enter/")
    open_card(phone, codes[0], game)
    expect(points.nth(1)).to_have_value("4")
    points.nth(2).fill("x")
    points.nth(3).fill("5")
    phone.get_by_role("button", name="Enter deal 1").click()
    is_refused(phone, game)
    phone.reload()
    expect(phone.get_by_role("alert")).to_have_count(0)
    expect(points.nth(3)).to_have_value("5")
    points.nth(2).fill("20")
    phone.get_by_role("button", name="Enter deal 1").click()
    expect(phone.get_by_text("Saved.")).to_be_visible()
    # The page tells so before its scripts have begun.
    becomes(lambda: phone.evaluate("Object.keys(localStorage)"), ["trefoil pace"])
    excuse(phone, problems, "Failed to load resource")  # That is the refusal.


@pytest.mark.parametrize("reload", [False, True])
def test_a_deal_sent_without_a_connection_is_sent_when_it_is_back(
    phone: Page, codes: list[str], table: Table, problems: list[str], reload: bool
) -> None:
    game = table.games.get().game
    open_card(phone, codes[0], game)
    phone.get_by_label("Scram").select_option(index=2)
    for seat, typed in enumerate(("12", "3", "20", "5")):
        phone.locator("[data-grid=round-1] .line > input").nth(seat).fill(typed)
    phone.context.set_offline(True)
    phone.get_by_role("button", name="Enter deal 1").click()
    expect(phone.get_by_text("What you entered is not sent yet.")).to_be_visible()
    phone.context.set_offline(False)
    if reload:
        phone.reload()
    becomes(lambda: len(log.entries(game, 1)), 1)
    expect(phone.get_by_role("button", name="Enter deal 2")).to_be_visible()
    excuse(phone, problems, "Failed to load resource")


def test_back_after_a_corrected_mistake_shows_the_table_as_it_is(
    phone: Page, codes: list[str], table: Table, problems: list[str]
) -> None:
    game = table.games.get().game
    open_card(phone, codes[0], game)
    phone.get_by_label("Scram").select_option(index=2)
    points = phone.locator("[data-grid=round-1] .line > input")
    for seat, typed in enumerate(("12", "x", "20", "5")):
        points.nth(seat).fill(typed)
    phone.get_by_role("button", name="Enter deal 1").click()
    is_refused(phone, game)
    points.nth(1).fill("3")
    phone.get_by_role("button", name="Enter deal 1").click()
    expect(phone.get_by_text("Saved.")).to_be_visible()
    phone.go_back()
    expect(phone.get_by_role("heading", name="Enter deal 2")).to_be_visible()
    expect(phone.get_by_role("alert")).to_have_count(0)
    excuse(phone, problems, "Failed to load resource")


def test_the_desk_shows_a_call_by_itself(
    page: Page, cast: Cast, competition: Competition, table: Table, log_in: LogIn
) -> None:
    log_in(page, cast.olga)
    page.goto("/admin/")
    page.get_by_role("link", name="Add a player").focus()
    call_organiser(table=table, seat=0, account=None)
    calls = page.locator(".tf-needs").get_by_text("Round 1, table 1 calls you")
    expect(calls).to_be_visible()
    expect(page.locator("[data-refresh-said]")).to_contain_text("table 1 calls you")
    expect(page.get_by_role("link", name="Add a player")).to_be_focused()
    with page.expect_navigation(url="/admin/"):
        page.get_by_role("button", name="Seen").click()
    expect(calls).to_have_count(0)


def test_pages_without_an_account_keep_nobody_out_and_fit(
    phone: Page, cast: Cast, competition: Competition, codes: list[str], table: Table
) -> None:
    game = table.games.get().game
    phone.emulate_media(reduced_motion="reduce")
    phone.goto(link_to(make_kiosk(by=cast.olga, competition=competition, name="Door")))
    assert violations(phone) == [] and fits(phone)
    with phone.expect_navigation():
        phone.get_by_role("button", name="Use this device as a kiosk").click()
    pages = (f"/competitions/{competition.slug}/kiosk/", f"/games/{game.pk}/kiosk/", "/enter/")
    for address in pages:
        phone.goto(address)
        assert violations_by_day_and_night(phone) == [] and fits(phone)
    open_card(phone, codes[0], game)
    assert violations_by_day_and_night(phone) == [] and fits(phone)

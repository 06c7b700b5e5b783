"""Who wants to play, in a real browser."""

from playwright.sync_api import Page, expect

from league.apps.seeks.models import Seek
from league.apps.seeks.services import create_seek, join_seek
from tests.browsing import LogIn
from tests.factories import Cast


def test_a_link_to_a_seat_is_copied_and_stays_so_named(page: Page, cast: Cast, log_in: LogIn) -> None:
    log_in(page, cast.paul)
    create_seek(by=cast.paul, club=cast.club, ruleset="scoops", seats=2, private=True)
    page.goto(f"/clubs/{cast.club.slug}/seeks/")
    page.get_by_role("button", name="Copy").click()
    copied = page.get_by_role("button", name="Copied")
    # What the first answer changes is shown before the second one is asked for.
    for _answer in range(2):
        with page.expect_response("**/seeks/"):
            expect(copied).to_be_visible()
    expect(copied).to_be_visible()


def test_a_game_that_has_begun_takes_the_place_of_what_was_said_before(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    log_in(page, cast.paul)
    page.goto(f"/clubs/{cast.club.slug}/seeks/")
    page.get_by_label("Game", exact=True).select_option(label="Scoops")
    page.get_by_label("Players, you included").fill("2")
    page.locator("#main").get_by_role("button", name="Look for players").click()
    expect(page.locator("#messages")).to_be_visible()
    join_seek(by=cast.petra, seek_id=Seek.objects.get().pk)
    expect(page.locator("#open-seeks")).to_contain_text("Your game of Scoops has begun.")
    expect(page.locator("#messages")).to_have_count(0)


def test_whoever_looks_for_players_reads_the_lengths_of_the_chosen_game(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    log_in(page, cast.paul)
    page.goto(f"/clubs/{cast.club.slug}/seeks/")
    length, shown = page.get_by_label("Length"), "select[data-lengths] option:not([hidden])"
    for game, full in (("Scoops", "full: to 3 points"), ("Scram!", "full: all deals (3 or 4)")):
        page.get_by_label("Game", exact=True).select_option(label=game)
        expect(page.locator(shown).last).to_have_text(full)
        expect(length).to_have_value("full")
    expect(page.locator("#id_length_helptext")).to_be_hidden()

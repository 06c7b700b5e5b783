"""A season on the desk by keyboard, in a real browser: from an empty club to the final standings."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from games.models import Game
from league.models import Club, Competition, Member, Player, Round
from league.projections.standings import compute_standings
from league.services.automatic import record_result
from tests import factories
from tests.browsing import all_of, walk_to
from tests.league.playing import play
from tests.web.test_browser import violations

PEOPLE = ("Ann Archer", "Ben Bishop", "Cem Cook", "Dana Drew")
PASSWORD = "a long enough secret"


@pytest.fixture
def club(transactional_db: None) -> Club:
    """A club that has an organiser and nothing else."""
    club = factories.ClubFactory.create(name="Hillside", slug="hillside")
    olga = factories.AccountFactory.create(username="olga")
    olga.set_password(PASSWORD)
    olga.save()
    factories.MemberFactory.create(club=club, account=olga, role=Member.Role.OWNER)
    return club


def press(target: Locator) -> None:
    """Reach the target and press it: a box by the space bar, all else by Enter."""
    walk_to(target)
    is_box = target.evaluate("one => one.matches('input[type=checkbox], input[type=radio], summary')")
    target.page.keyboard.press("Space" if is_box else "Enter")


class Season:
    """The desk in a browser."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def link(self, name: str) -> None:
        with self.page.expect_navigation():
            press(self.page.get_by_role("link", name=name, exact=True).first)

    def button(self, name: str) -> None:
        with self.page.expect_navigation():
            press(self.page.get_by_role("button", name=name, exact=True).first)

    def fill(self, label: str, value: str) -> None:
        self.page.get_by_label(label).first.fill(value)

    def tick(self, name: str) -> None:
        press(self.page.get_by_label(name).first)

    def does(self, verb: str, sent: str = "") -> None:
        """Choose a verb of the competition's page, and send what it asks."""
        self.link(verb)
        self.sends(sent or verb)

    def sends(self, button: str) -> None:
        self.button(button)
        expect(self.page).to_have_url(re.compile(r"/change/"))

    # ---- The course of a season -------------------------------------------------------------------

    def logs_in(self) -> None:
        self.page.goto("/admin/")
        self.fill("User name", "olga")
        self.fill("Password", PASSWORD)
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_text("There is no competition yet.")).to_be_visible()

    def makes_players(self) -> None:
        self.link("Add a player")
        for name in PEOPLE:
            self.page.get_by_role("textbox", name="Name").fill(name)
            self.page.get_by_role("button", name="Save and add another").click()
            expect(self.page.get_by_text(f"“{name}” was added successfully")).to_be_visible()

    def sets_up_a_league(self) -> None:
        self.page.goto("/admin/")
        self.link("Set up a competition")
        self.page.get_by_label("Tally").check()
        self.page.get_by_label("Monthly league").check()
        self.button("Continue")
        self.page.get_by_role("textbox", name="Name", exact=True).fill("Winter Evenings")
        self.fill("Rounds", "2")
        self.fill("Players at a table", "2")
        self.button("Set up the competition")
        expect(self.page.get_by_text("Winter Evenings is set up.").first).to_be_visible()

    def enters_everybody_and_starts(self) -> None:
        self.link("Enter players")
        for name in PEOPLE:
            self.tick(name)
        self.sends("Enter players")
        self.does("Start")

    def exchanges_two_seats(self) -> None:
        self.link("Exchange two seats")
        self.page.get_by_label("First entry").select_option(index=0)
        self.page.get_by_label("Second entry").select_option(index=2)
        self.fill("Reason", "they share a car")
        self.button("Show what it changes")
        expect(self.page.get_by_text("After the exchange:")).to_be_visible()
        press(self.page.get_by_role("button", name=re.compile("^Exchange")))
        expect(self.page.get_by_text("they share a car").first).to_be_visible()

    def publishes_until(self, deadline: str) -> None:
        self.link("Publish the round")
        self.page.get_by_label("Deadline").fill(deadline)
        self.sends("Publish the round")
        expect(self.page.get_by_text("Deadline: 31 Jan 2030, 20:00").first).to_be_visible()
        expect(self.page.get_by_text("waiting for").first).to_be_visible()

    def rules_on_the_first_table(self) -> None:
        press(self.page.get_by_role("link", name=re.compile(r"^Set the result \(table 1\)")))
        boxes = self.page.get_by_label(": score")
        for box, value in zip(all_of(boxes, 2), "70", strict=True):
            box.fill(value)
        self.fill("Reason", "the score sheet was found")
        self.sends("Set the result")

    def adjusts_points(self) -> None:
        self.link("Adjust points")
        self.page.get_by_label("Entry").select_option(label="Dana Drew")
        self.fill("Points", "-1/2")
        self.fill("Reason", "came late")
        self.sends("Adjust points")

    def marks_somebody_absent(self, name: str) -> None:
        self.page.goto(self.page.url)
        press(self.page.get_by_role("checkbox", name=name))
        self.button("Mark as absent")
        expect(self.page.get_by_role("checkbox", name=name)).to_be_checked()
        self.sends("Mark as absent")
        expect(self.page.get_by_text("absent next round").first).to_be_visible()


def league() -> Competition:
    return Competition.objects.get(slug="winter-evenings")


def the_others_play(page: Page) -> None:
    """Play every game that runs to its end, while the page is elsewhere: it would load itself again."""
    address = page.url
    page.goto("about:blank")
    for game in Game.objects.filter(club_game__competition=league(), status=Game.Status.ACTIVE):
        play(game)
        record_result(game_id=game.pk)
    page.goto(address)


@pytest.mark.long
def test_an_organiser_runs_a_season_from_an_empty_club_to_its_end(page: Page, club: Club) -> None:
    page.set_default_timeout(60_000)
    page.set_viewport_size({"width": 820, "height": 1180})
    season = Season(page)
    season.logs_in()
    season.makes_players()
    assert Player.objects.filter(club=club).count() == len(PEOPLE)
    season.sets_up_a_league()
    season.enters_everybody_and_starts()

    season.does("Draw the round")
    expect(page.get_by_text("Nobody meets the same opponent again.").first).to_be_visible()
    season.exchanges_two_seats()
    season.publishes_until("2030-01-31T20:00")
    assert Round.objects.get().moved == ["they share a car"]

    season.rules_on_the_first_table()
    the_others_play(page)
    season.adjusts_points()
    season.does("Close the round")

    season.marks_somebody_absent("Cem Cook")
    season.does("Draw the round")
    season.does("Publish the round")
    the_others_play(page)
    season.does("Close the round")
    season.does("Finish")
    assert violations(page) == []

    compute_standings(league().pk)
    page.goto("/competitions/winter-evenings/")
    expect(page.locator("table.standings tbody tr:has(th)")).to_have_count(len(PEOPLE))
    assert league().status == Competition.Status.FINISHED

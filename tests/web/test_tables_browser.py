"""The reader's own tables in the head of each page: which wait, on title and icon, and the next one."""

import re

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from games.models import Game
from tests import factories
from tests.browsing import LogIn
from tests.factories import Cast
from tests.web.test_browser import violations


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return factories.cast()


def of_paul(cast: Cast) -> Game:
    """Return a game of Tally, in which Paul is the first to move."""
    return cast.game("tally")


def test_my_tables_say_which_wait_and_lead_to_the_next(phone: Page, cast: Cast, log_in: LogIn) -> None:
    game, other = of_paul(cast), of_paul(cast)
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    expect(phone).to_have_title(re.compile(r"^\(2\) Tally"))
    expect(phone.locator("link[rel=icon]")).to_have_attribute("href", re.compile("turn"))
    phone.locator("#own-tables summary").tap()
    expect(phone.locator("#own-tables").get_by_text("Your turn")).to_have_count(2)
    assert violations(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    phone.keyboard.press("Escape")
    expect(phone.locator("#own-tables")).not_to_have_attribute("open", "")
    phone.get_by_label("says 1", exact=True).check()
    phone.get_by_role("button", name="Say", exact=True).click()
    expect(phone).to_have_title(re.compile(r"^\(1\) Tally"))
    phone.get_by_role("link", name="Next table: Tally, Petra Plum").tap()
    expect(phone).to_have_url(re.compile(str(other.pk)))


def test_own_tables_are_those_of_the_account_or_the_guest(cast: Cast) -> None:
    game, paul, guest = of_paul(cast), Client(), Client()
    paul.force_login(cast.paul)
    assert f"/games/{game.pk}/" in paul.get("/tables/mine/").content.decode()
    begun = guest.post("/play/", {"ruleset": "scoops", "level": "easy", "seats": 2, "length": "short"})[
        "Location"
    ]
    shown = guest.get("/tables/mine/").content.decode()
    assert begun in shown and "Easy bot 1" in shown and str(game.pk) not in shown
    assert "data-tables" in guest.get("/").content.decode()
    assert "data-tables" not in Client().get("/").content.decode()
    nobody = Client().get("/tables/mine/")
    assert 'data-waiting="0"' in nobody.content.decode() and "no-store" in nobody["Cache-Control"]

"""Wishes on the desk in a real browser: kept, told before a draw, heeded in all rounds; on a phone too."""

from playwright.sync_api import Page, expect

from league.core.verbs.draw import DrawRound
from league.core.verbs.start import StartCompetition
from tests.apps.wishes.test_wishes import keep, players_in
from tests.browsing import LogIn
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened
from tests.web.test_browser import violations


def test_an_organiser_keeps_a_wish_and_draws(phone: Page, cast: Cast, log_in: LogIn) -> None:
    competition = opened(cast, 9)
    one, other, third, *_ = players_in(competition)
    keep(cast, third, "table", table=2)
    log_in(phone, cast.olga)
    phone.goto(f"/admin/league/player/{one.pk}/wishes/")
    assert violations(phone) == []
    phone.get_by_label("With whom").select_option(str(other.pk))
    phone.get_by_label("Reason").fill("They had a quarrel")
    phone.get_by_role("button", name="Save").click()
    expect(phone.get_by_text("They had a quarrel")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    phone.goto(f"/admin/league/competition/{competition.pk}/do/start/")
    expect(phone.get_by_text("never at one table")).to_be_visible()
    act(cast.olga, competition, StartCompetition)
    act(cast.olga, competition, DrawRound)
    phone.goto(f"/admin/league/competition/{competition.pk}/change/")
    expect(phone.get_by_text("The wish of 1 pair for this draw is kept.")).to_be_visible()
    expect(phone.get_by_text("1 entry sits at its fixed table.")).to_be_visible()
    assert violations(phone) == []

"""A challenge in a browser: made, answered by the link of the email, won, and the rungs have changed."""

import os
from pathlib import Path

import pytest
from django.core import mail
from playwright.sync_api import Page, expect

from league.core.verbs.rulings import SetResult
from league.projections.standings import compute_standings
from tests.apps.challenges.test_challenges import addressed, link_in, written
from tests.browsing import LogIn
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import tables
from tests.league.test_challenges import ladder
from tests.web.test_matches_browser import fits

SHOTS = os.environ.get("SHOTS", "")


def shot(page: Page, name: str) -> None:
    """Keep a picture of the page where somebody wants to look at it."""
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"), full_page=True)


@pytest.mark.parametrize("width", [390, 1280])
def test_a_challenge_is_made_accepted_by_mail_won_and_the_rungs_change(
    page: Page, cast: Cast, log_in: LogIn, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    addressed(cast.paul_plays, cast.petra_plays)
    competition = ladder(cast)
    address = f"/competitions/{competition.slug}/"
    log_in(page, cast.petra)
    page.goto(address)
    page.get_by_text("Challenge somebody").first.click()
    shot(page, f"challenge-{width}")
    page.get_by_label("Opponent").select_option("Paul Pike")
    page.get_by_role("button", name="Challenge somebody").click()
    expect(page.get_by_text("Your challenge is on its way.")).to_be_visible()
    expect(page.get_by_role("heading", name="Open challenges")).to_be_visible()
    expect(page.locator("section[aria-labelledby=challenges]")).to_contain_text("to be answered by")
    assert fits(page)
    shot(page, f"open-{width}")
    (message,) = mail.outbox or written()
    page.context.clear_cookies()
    page.goto(link_in(message))
    expect(page.get_by_role("heading", name="Challenge: Petra Plum against Paul Pike")).to_be_visible()
    assert fits(page) and tables(competition) == []
    shot(page, f"asked-{width}")
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_text("The challenge: accepted.")).to_be_visible()
    shot(page, f"accepted-{width}")
    (table,) = tables(competition)
    scores = [{"seat": seat, "score": 5 * seat} for seat in (0, 1)]
    act(cast.olga, competition, SetResult, table=table.pk, seats=scores, reason="Played at the bar")
    compute_standings(competition.pk)
    page.goto(address)
    names = page.locator("#standings td, .standings td").filter(has_text="Plum")
    expect(names.first).to_be_visible()
    text = page.locator("main").inner_text()
    assert text.index("Petra Plum") < text.index("Paul Pike")
    expect(page.get_by_role("heading", name="Open challenges")).to_have_count(0)
    assert fits(page)
    shot(page, f"rungs-{width}")

"""Two desks in a browser: a team match of four boards, at home and then away, and the table of the league."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from league.core.verbs.rounds import CloseRound
from league.core.verbs.start import StartCompetition
from league.models import Competition
from league.projections.standings import compute_standings
from tests.apps.between.leagues import Side, boards, county, enter, publish, result, says, side, state
from tests.browsing import LogIn
from tests.factories import Cast
from tests.league.acting import act
from tests.web.test_matches_browser import fits

SHOTS = os.environ.get("SHOTS", "")


def shot(page: Page, name: str) -> None:
    """Keep a picture of the page where somebody wants to look at it."""
    assert fits(page), name
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"), full_page=True)


def desk_of(each: Side, competition: Competition) -> str:
    return f"/admin/league/competition/between/{competition.pk}/{each.club.pk}/"


def others_play(cast: Cast, competition: Competition, sides: list[Side]) -> None:
    """Let clubs that sit at open boards write that both sides have the same; close the round."""
    for each in sides:
        for table in boards(each, competition):
            if not state(competition).table(table.id)[2].decided:
                says(each, competition, result(table, 5, 5))
    act(cast.olga, competition, CloseRound)


def type_in(page: Page, number: int, home: int, away: int, button: str) -> None:
    """Type the scores of a board of the newest match."""
    form = page.locator("form.tf-board").nth(number - 1)
    form.get_by_label("At home").fill(str(home))
    form.get_by_label("Away").fill(str(away))
    form.get_by_role("button", name=button).click()
    expect(page.get_by_text("Saved.")).to_be_visible()


def confirm(page: Page, number: int) -> None:
    page.locator("form.tf-board").nth(number - 1).get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("Saved.")).to_be_visible()


def entered(page: Page, cast: Cast, log_in: LogIn, sides: list[Side], width: int) -> Competition:
    """Return a league into which clubs were let in, and for which the first has entered its team."""
    first = sides[0]
    competition = county(cast)
    log_in(page, cast.olga)
    page.goto(f"/admin/league/competition/{competition.pk}/clubs/")
    for each in sides:
        page.get_by_role("textbox", name="Club").fill(each.club.name)
        page.get_by_role("button", name="Save").click()
        expect(page.locator("main li").filter(has_text=each.club.name)).to_be_visible()
    shot(page, f"clubs-{width}")
    log_in(page, first.by)
    page.goto("/admin/league/competition/between/")
    page.get_by_role("link", name="County league").click()
    page.get_by_label("Name of the team").fill("Alder team")
    for number, player in enumerate(first.people[:4], 1):
        page.get_by_label(f"Board {number}").select_option(player.name)
    shot(page, f"team-{width}")
    page.get_by_role("button", name="Enter the team").click()
    expect(page.get_by_role("heading", name="Line-up of Alder team")).to_be_visible()
    for each in sides[1:]:
        enter(each, competition)
    return competition


def play_at_home(
    page: Page, log_in: LogIn, competition: Competition, alder: Side, other: Side, width: int
) -> None:
    """Let one desk write all four boards, the other correct the last of them, and the first confirm that."""
    page.goto(desk_of(alder, competition))
    for number in range(1, 5):
        type_in(page, number, 9, 4, "Save")
    shot(page, f"entered-{width}")
    log_in(page, other.by)
    page.goto(desk_of(other, competition))
    type_in(page, 4, 4, 9, "Correct")
    for number in range(1, 4):
        confirm(page, number)
    shot(page, f"confirmed-{width}")
    log_in(page, alder.by)
    page.goto(desk_of(alder, competition))
    confirm(page, 4)
    expect(page.get_by_role("heading", name="Round 1")).to_contain_text("3 : 1")


@pytest.mark.parametrize("width", [390, 1280])
def test_two_desks_play_a_match_at_home_and_away_and_the_league_has_a_table(
    page: Page, cast: Cast, log_in: LogIn, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    sides = [side(name) for name in ("Alder", "Birch", "Cedar", "Damson")]
    alder = sides[0]
    competition = entered(page, cast, log_in, sides, width)
    act(cast.olga, competition, StartCompetition)
    publish(cast, competition)
    other = _opponent(alder, competition, sides)
    at_home = _is_home(alder, competition)

    play_at_home(page, log_in, competition, alder, other, width)
    others_play(cast, competition, sides)
    for _round in range(2):
        publish(cast, competition)
        others_play(cast, competition, sides)

    publish(cast, competition)
    assert _opponent(alder, competition, sides) == other
    assert _is_home(alder, competition) != at_home
    page.goto(desk_of(alder, competition))
    expect(page.get_by_role("heading", name="Round 4")).to_be_visible()
    for number in range(1, 5):
        type_in(page, number, 7, 7, "Save")
    log_in(page, other.by)
    page.goto(desk_of(other, competition))
    for number in range(1, 5):
        confirm(page, number)
    others_play(cast, competition, sides)
    compute_standings(competition.pk)

    page.goto(f"/competitions/{competition.slug}/")
    expect(page.get_by_role("heading", name="Team matches", exact=True)).to_be_visible()
    winner = "Alder team" if at_home else f"{other.club.name} team"
    first = page.locator("table.standings tbody tr").first
    expect(first).to_contain_text(winner)
    expect(first).to_contain_text("5")
    shot(page, f"league-{width}")


def _opponent(each: Side, competition: Competition, sides: list[Side]) -> Side:
    now = state(competition)
    clubs = {now.entry(entry).club for entry in boards(each, competition)[0].entries}
    return next(other for other in sides if other != each and str(other.club.pk) in clubs)


def _is_home(each: Side, competition: Competition) -> bool:
    first = boards(each, competition)[0]
    return state(competition).entry(first.entries[0]).club == str(each.club.pk)

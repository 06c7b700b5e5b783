"""A knockout of best of three in a browser, wide and narrow: set up, typed in, and with games on the site."""

import re

import pytest
from playwright.sync_api import Page, expect

from league.models import Competition
from league.projections.standings import compute_standings
from league.services.score_cards import write_round
from tests.browsing import LogIn
from tests.factories import Cast
from tests.league.playing import in_play, tables
from tests.league.test_matches import CUP, match_in_play, only_table, win
from tests.web.test_score_sheets_browser import sheet

SIZES = [(1280, 900), (390, 844)]
SET_UP = "league/competition/add/?ruleset=scoops&plan=only-knockout"


def fits(page: Page) -> bool:
    """Whether nothing lies beside the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= screen.width"))


@pytest.mark.parametrize("size", SIZES)
def test_best_of_is_asked_where_a_table_has_two_sides(
    page: Page, cast: Cast, log_in: LogIn, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    log_in(page, cast.olga)
    page.goto(f"/admin/{SET_UP}")
    players, best = page.locator("[name='stages.0.table_size']"), page.locator("[name='stages.0.best_of']")
    drawn = page.locator("[name='stages.0.drawn_game']")
    players.fill("2")
    expect(best).to_be_visible()
    expect(drawn).to_be_hidden()
    best.fill("3")
    expect(drawn).to_be_visible()
    players.fill("4")
    expect(best).to_be_hidden()
    expect(drawn).to_be_hidden()
    players.fill("2")
    page.fill("[name=name]", "Cup of three")
    assert fits(page)
    page.get_by_role("button", name="Set up the competition").last.click()
    expect(page.get_by_text("Best of 3: the games follow each other")).to_be_visible()
    assert Competition.objects.get(name="Cup of three").stages.get().plan["best_of"] == 3


@pytest.mark.parametrize("size", SIZES)
def test_a_match_is_typed_in_game_by_game_and_another_is_played_here(
    page: Page, cast: Cast, log_in: LogIn, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    competition = match_in_play(cast, 4)
    typed, played = tables(competition)
    win(played, 0)
    log_in(page, cast.olga)
    page.goto(f"/admin/league/competition/{competition.pk}/do/rule/?table={typed.pk}")
    for number, scores in enumerate(((9, 4), (5, 8), (7, 2)), 1):
        for seat, score in enumerate(scores):
            page.fill(f"[name='game.{number}.{seat}']", str(score))
    assert fits(page)
    page.locator("main form.tf-form [type=submit].primary").click()
    expect(page.get_by_text("2–1 (9–4, 5–8, 7–2)")).to_be_visible()
    page.goto(f"/competitions/{competition.slug}/rounds/")
    own = page.locator(f"#table-{played.pk}")
    expect(own.get_by_text(re.compile("1–0.*Game 2 of at most 3"))).to_be_visible()
    assert fits(page)
    win(played, 0)
    compute_standings(competition.pk)
    page.reload()
    expect(own.get_by_text(re.compile(r"2–0 \(9–1, 9–1\)"))).to_be_visible()


def test_a_sheet_of_results_goes_on_with_the_next_game_of_a_match(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    options = {"rounds": 1, "first_dealer_bonus": 0}
    cup = in_play(cast, 2, ruleset="scamper-scorecard", options=options, stages=[CUP])
    first = only_table(cup).games.get().game
    log_in(page, cast.olga)
    page.goto(sheet(cup))
    expect(page.locator("[data-match]")).to_contain_text("0–0 · Game 1 of at most 3")
    points = {"seats": [{"cards": 0}, {"cards": 35}]}
    write_round(by=cast.olga, game_id=first.pk, number=1, version=0, result=points)
    expect(page.locator("[data-match]")).to_contain_text("1–0 (0–35) · Game 2 of at most 3", timeout=20_000)
    page.get_by_role("link", name="Score card of game 1").click()
    expect(page.locator("[data-status]")).to_have_text("Complete")
    page.goto(f"/competitions/{cup.slug}/live/")
    expect(page.locator("[data-match]")).to_contain_text("1–0 (0–35) · Game 2 of at most 3")


def test_a_game_that_is_missing_in_the_middle_is_said_at_its_field(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    competition = match_in_play(cast)
    (table,) = tables(competition)
    log_in(page, cast.olga)
    page.goto(f"/admin/league/competition/{competition.pk}/do/rule/?table={table.pk}")
    page.fill("[name='game.1.0']", "9")
    page.locator("main form.tf-form [type=submit].primary").click()
    expect(page.get_by_text("This score is missing.")).to_be_visible()
    page.fill("[name='game.1.1']", "4")
    page.locator("main form.tf-form [type=submit].primary").click()
    expect(page.get_by_text(re.compile("Best of 3: at 1–0 the match is not decided"))).to_be_visible()

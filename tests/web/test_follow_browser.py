"""Pages of a competition that follow what happens: standings, and the tables with their scores so far."""

import re

from playwright.sync_api import Page, expect

from games import log as games
from games.engine.replay import Actor
from games.models import Game
from league.core.verbs.course import PauseCompetition
from league.projections.standings import compute_standings
from league.services.automatic import record_result
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, tables
from tests.web.silence import silent_after


def said(game: Game, seat: int, number: int) -> None:
    move = {"type": "say", "number": number}
    games.append(game_id=game.pk, seq=seat + 2, actor=Actor("seat", seat), move=move, account=None)


def test_standings_and_tables_follow_results_and_moves_in_a_pause_too(page: Page, cast: Cast) -> None:
    competition = in_play(cast, 4)
    act(cast.olga, competition, PauseCompetition, reason="supper")
    compute_standings(competition.pk)
    (table,) = tables(competition)
    game = table.games.get().game
    first, last = (table.seats.get(number=number) for number in (0, 3))
    address = f"/competitions/{competition.slug}/"
    page.emulate_media(reduced_motion="reduce")
    with page.expect_response(lambda answer: "/stream/" in answer.url):
        page.goto(f"{address}live/")
    expect(page.locator(f"#seat-{first.pk}")).to_have_class("to-act")
    said(game, 0, 7)
    expect(page.locator(f"#seat-{first.pk} .number")).to_have_text("7")
    with page.expect_response(lambda answer: "/stream/" in answer.url):
        page.get_by_role("navigation", name="Competition").get_by_role("link", name="Standings").click()
    expect(page.get_by_role("link", name="Live", exact=True)).to_be_visible()
    why = page.locator(f"#why-{first.entry_id}")
    why.locator("summary").click()
    for seat, number in ((1, 1), (2, 2), (3, 12)):
        said(game, seat, number)
    record_result(game_id=game.pk)
    compute_standings(competition.pk)
    expect(page.locator(".standings tbody tr").first).to_have_id(f"row-{last.entry_id}")
    expect(page.locator("#said")).to_have_text("The page has new results.")
    expect(why).to_have_attribute("open", "")


def test_standings_whose_stream_falls_silent_follow_again(page: Page, cast: Cast) -> None:
    competition = in_play(cast, 4)
    compute_standings(competition.pk)
    (table,) = tables(competition)
    game = table.games.get().game
    page.clock.install()
    asked = re.compile(f"/competitions/{competition.slug}/$")
    with silent_after(page, "**/stream/**", "head", "{}"):
        page.goto(f"/competitions/{competition.slug}/")
        with page.expect_response(asked):
            page.clock.fast_forward(3_000)
    with page.expect_response("**/stream/**"):
        page.clock.fast_forward(36_000)
    # Before, the first seat is at the top.
    for seat in range(4):
        said(game, seat, seat)
    record_result(game_id=game.pk)
    compute_standings(competition.pk)
    last = table.seats.get(number=3)
    expect(page.locator(".standings tbody tr").first).to_have_id(f"row-{last.entry_id}")

"""Standings: the head that stays; on a phone the arrow beside a name, and what it opens."""

from collections.abc import Sequence

import pytest
from django.utils.translation import override
from playwright.sync_api import Page, expect

from league.core.presets import SWISS_ORDER
from league.core.standings.tie_breaks import BY_KEY
from league.core.verbs.course import FinishCompetition
from league.core.verbs.rounds import CloseRound
from league.models import Competition
from league.projections.standings import compute_standings
from league.services.automatic import record_result
from league.words.values import tie_break
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, in_play, play, tables
from tests.web.test_browser import violations

THREE = ("score_difference", "wins", "game_score")
ALL = tuple(key for key in BY_KEY if key != "lot")
TOP = "each => Math.abs(each.querySelector('thead th').getBoundingClientRect().top)"


def drawn(cast: Cast, order: Sequence[str] = THREE) -> Competition:
    """A competition of seven after its end: tables of four and three, with two level winners."""
    competition = in_play(cast, 7, stages=[{**PLAN, "rounds": 1, "tie_breaks": [*order]}])
    for table in tables(competition):
        game = table.games.get().game
        play(game, *((7, 7, 3, 1) if table.seats.count() == 4 else (5, 4, 2)))
        record_result(game_id=game.pk)
    for verb in (CloseRound, FinishCompetition):
        act(cast.olga, competition, verb)
    compute_standings(competition.pk)
    return competition


def test_an_arrow_stays_beside_its_name_and_opens_an_explanation_across_the_row(
    phone: Page, cast: Cast
) -> None:
    phone.goto(f"/competitions/{drawn(cast).slug}/")
    rows = phone.locator(".standings tbody tr:has(th)")
    for at in range(rows.count()):
        name, arrow = (rows.nth(at).locator(part).bounding_box() for part in ("th", ".ask"))
        assert name and arrow and arrow["x"] >= name["x"] + name["width"] - 1
        assert arrow["width"] >= 44
    told, row = phone.locator(".reasons").first, rows.first.bounding_box()
    assert row and row["height"] < 60 and not told.is_visible()
    rows.first.locator("summary").tap()
    expect(told).to_be_visible()
    shown = told.locator(".why").first.bounding_box()
    assert shown and shown["width"] > 300
    assert violations(phone) == []
    widths = phone.locator(".scroll").first.evaluate("each => [each.scrollWidth, each.clientWidth]")
    assert widths[0] <= widths[1]


@pytest.mark.parametrize("order", [SWISS_ORDER, ALL])
def test_the_head_stays_in_sight_and_nothing_is_cut_off_at_any_width(
    page: Page, cast: Cast, order: Sequence[str]
) -> None:
    page.goto(f"/competitions/{drawn(cast, order).slug}/")
    standings = page.locator(".standings")
    for width in (1280, 1024, 920, 390):
        page.set_viewport_size({"width": width, "height": 300})
        standings.locator("tbody tr:has(th)").nth(3).evaluate("each => each.scrollIntoView()")
        assert standings.evaluate(TOP) < 2
        assert standings.evaluate("each => each.scrollWidth <= each.parentElement.clientWidth")
    value = standings.locator("tbody tr").first.locator(".value").first
    page.set_viewport_size({"width": 1280, "height": 800})
    assert value.is_visible() is (order is SWISS_ORDER)


NAMED = """(head, title) => {
    head.textContent = title;
    const table = head.closest("table");
    return table.scrollWidth <= table.parentElement.clientWidth && head.scrollWidth <= head.clientWidth;
}"""


def test_no_tie_break_is_too_long_for_the_head_on_a_narrow_phone_in_german(german: Page, cast: Cast) -> None:
    german.goto(f"/competitions/{drawn(cast).slug}/")
    head = german.locator(".standings thead th.number:not(.roomy)").last
    with override("de"):
        titles = [tie_break(key) for key in ALL]
    assert [title for title in titles if not head.evaluate(NAMED, title)] == []
    german.locator(".standings .ask summary").first.tap()
    why = german.locator(".reasons").first.bounding_box()
    assert why and why["x"] + why["width"] <= 360

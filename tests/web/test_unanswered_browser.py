"""Requests of a running game's page that nobody answers, and its move that waits, in a real browser."""

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from games import log
from games.engine.replay import Actor
from games.models import Game
from games.models.moves import Move
from tests.browsing import LogIn, becomes, excuse, has_come, stop_the_clock
from tests.factories import Cast
from tests.web.test_game import play, seated
from tests.web.test_live_browser import a_turn_later, say

IN_TIME: Final = 20_000
"""How many milliseconds the page waits for an answer."""
LONGEST_WAIT: Final = 30_000
"""How many it waits at most before it asks again."""
KEPT: Final = "Object.keys(sessionStorage).filter(key => key.startsWith('trefoil move')).length"


@pytest.fixture
def lost_requests(page: Page, problems: list[str]) -> Iterator[None]:
    """Nothing but requests that a test lets fail may trouble the console."""
    yield
    excuse(page, problems, "Failed to load resource")


@pytest.fixture
def game(page: Page, cast: Cast, log_in: LogIn) -> Game:
    """A game of Tally in which the page is that of the seat to move."""
    game = cast.game("tally")
    log_in(page, cast.paul)
    return game


def unanswered(page: Page, address: str) -> None:
    page.route(address, lambda route: None)


def test_news_that_nobody_answers_are_asked_for_again(page: Page, cast: Cast) -> None:
    game = cast.game("scoops")
    stop_the_clock(page)
    unanswered(page, "**/news/**")
    with page.expect_request("**/events/**"):
        page.goto(f"/games/{game.pk}/")
    with page.expect_request("**/news/**"):
        play(game, 1)
    page.clock.fast_forward(IN_TIME)
    expect(page.get_by_text("Offline.")).to_be_visible()
    page.unroute("**/news/**")
    page.clock.fast_forward(LONGEST_WAIT)
    expect(page.locator("#where")).to_contain_text("Move 2 of 2")
    expect(page.get_by_text("Offline.")).to_be_hidden()


def test_a_move_that_nobody_answers_is_sent_again_and_made_once(page: Page, game: Game) -> None:
    made: list[int] = []

    def make_and_say_nothing(route: Route) -> None:
        made.append(route.fetch(max_redirects=0).status)

    stop_the_clock(page)
    page.route("**/play/**", make_and_say_nothing)
    page.goto(f"/games/{game.pk}/")
    say(page, 3)
    has_come(page, made)
    page.clock.fast_forward(IN_TIME)
    expect(page.get_by_text("The move is not sent yet.")).to_be_visible()
    page.unroute("**/play/**")
    page.clock.fast_forward(LONGEST_WAIT)
    expect(page.get_by_text("The move is not sent yet.")).to_be_hidden()
    expect(page.locator("#where")).to_contain_text("Paul Pike says 3")
    assert Move.objects.filter(game=game).count() == 2


def test_a_gesture_that_nobody_answers_is_told(page: Page, cast: Cast, log_in: LogIn) -> None:
    game = a_turn_later(seated(cast))
    log_in(page, cast.petra)
    stop_the_clock(page)
    page.goto(f"/games/{game.pk}/")
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    unanswered(page, "**/gestures/**")
    with page.expect_request("**/gestures/**"):
        page.locator("#hand [data-thing]").first.click()
    page.clock.fast_forward(IN_TIME)
    expect(page.locator("#dock [data-part=said]")).to_contain_text("No connection:")
    page.unroute("**/gestures/**")
    page.clock.fast_forward(LONGEST_WAIT)
    expect(page.locator("#dock [data-part=said]")).not_to_contain_text("No connection:")


def test_a_step_back_that_nobody_answers_is_told(page: Page, cast: Cast) -> None:
    game = play(cast.game("scoops"), 1)
    stop_the_clock(page)
    page.goto(f"/games/{game.pk}/")
    unanswered(page, "**/?at=*")
    with page.expect_request("**/?at=*"):
        page.keyboard.press("ArrowLeft")
    page.clock.fast_forward(IN_TIME)
    expect(page.get_by_text("This move could not be loaded.")).to_be_visible()


@pytest.fixture
def waiting(page: Page, game: Game) -> Game:
    """The game with a move that the page could not send."""
    page.route("**/play/**", lambda route: route.abort())
    page.goto(f"/games/{game.pk}/")
    say(page, 2)
    expect(page.get_by_text("The move is not sent yet.")).to_be_visible()
    return game


@pytest.mark.usefixtures("lost_requests")
def test_a_move_that_waits_outlasts_a_reload_and_is_made_once(page: Page, waiting: Game) -> None:
    page.reload()
    expect(page.get_by_text("The move is not sent yet.")).to_be_visible()
    assert Move.objects.filter(game=waiting).count() == 1
    page.unroute("**/play/**")
    page.reload()
    expect(page.locator("#where")).to_contain_text("Paul Pike says 2")
    becomes(lambda: page.evaluate(KEPT), 0)
    assert Move.objects.filter(game=waiting).count() == 2


@pytest.mark.usefixtures("lost_requests")
def test_a_move_that_waits_is_withdrawn_after_a_reload(page: Page, waiting: Game) -> None:
    page.reload()
    page.get_by_role("button", name="Don’t send it").click()
    expect(page.get_by_text("The move is not sent yet.")).to_be_hidden()
    page.unroute("**/play/**")
    say(page, 1)
    expect(page.locator("#where")).to_contain_text("Paul Pike says 1")
    assert Move.objects.filter(game=waiting).count() == 2


def append(game: Game, seat: int, move: dict[str, object]) -> None:
    log.append(game_id=game.pk, seq=game.seq + 1, actor=Actor("seat", seat), move=move, account=None)


@pytest.mark.usefixtures("lost_requests")
def test_a_move_that_the_game_has_overtaken_is_told_after_a_reload(page: Page, waiting: Game) -> None:
    append(waiting, 0, {"type": "say", "number": 1})
    page.unroute("**/play/**")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("so what you sent was not taken")
    expect(page.locator("#where")).to_contain_text("Paul Pike says 1")


@pytest.mark.usefixtures("lost_requests")
def test_a_move_that_the_end_of_the_game_has_overtaken_is_told(page: Page, waiting: Game) -> None:
    append(waiting, 1, {"type": "resign"})
    page.unroute("**/play/**")
    page.reload()
    expect(page.get_by_text("The game was over before what you did last could be sent")).to_be_visible()
    page.reload()
    expect(page.locator("#overdue")).to_be_hidden()

"""The end of a deal and of a game at the table, in a real browser."""

import re
from collections.abc import Mapping
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from games import log
from games.engine import replay
from games.engine.jsontypes import JsonObject
from games.engine.replay import Actor
from games.models import Game
from tests.browsing import LogIn
from tests.factories import Cast
from tests.web.test_browser import violations
from tests.web.test_game import play
from tests.web.test_table_browser import Hand, _same_deals, cast, chosen, turn_of

__all__ = ["_same_deals", "cast"]

GAMES: Final[Mapping[str, tuple[int, JsonObject]]] = {
    "scoops": (2, {"target": 3}),
    "scamper": (2, {"rounds": 2}),
    "scram": (4, {"rounds": 2}),
}
LAST: Final[Mapping[str, JsonObject]] = {
    "scoops": {"target": 1},
    "scamper": {"rounds": 1},
    "scram": {"rounds": 1},
}
"""Options with which the first deal, or the first that somebody wins, is the last."""


def opened(cast: Cast, key: str, options: JsonObject) -> Game:
    """Return a game of Paul and others, who sit after him."""
    others = [player.pk for player in cast.people(GAMES[key][0])[2:]]
    return cast.game(key, options, players=[cast.paul_plays.pk, cast.petra_plays.pk, *others])


def about_to_end(game: Game, seat: int) -> Game:
    """Let bots play until a move of a seat is about to end a deal."""
    while True:
        game = turn_of(game, seat)
        position = log.latest(game)
        move = replay.read_move(position.ruleset, chosen(game, seat))
        if replay.played(position, Actor("seat", seat), move).ends != position.ends:
            return game
        play(game, 1)


@pytest.mark.parametrize("key", GAMES)
def test_the_end_of_a_deal_stays_until_the_next_one_is_wanted(
    key: str, phone: Page, cast: Cast, log_in: LogIn
) -> None:
    game = about_to_end(opened(cast, key, GAMES[key][1]), 0)
    deal = replay.deal_number(log.latest(game))
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    dock, ending = phone.locator("#dock"), phone.locator("#ending")
    expect(dock).to_have_attribute("data-state", "shown")
    Hand(phone, game).make(chosen(game, 0))
    expect(ending).to_be_focused()
    expect(ending).to_contain_text(f"Deal {deal} is over")
    expect(phone.locator("#announcer")).to_contain_text(f"Deal {deal} is over")
    expect(phone.locator("#table .back:visible")).to_have_count(0 if key == "scram" else 3)
    game.refresh_from_db()
    play(game, 1)
    turn_of(game, 0)
    expect(dock).to_contain_text("It’s your turn.")
    expect(ending).to_be_visible()
    assert violations(phone) == []
    dock.get_by_role("button", name="Next deal").press("Enter")
    expect(phone.locator("#table-title")).to_have_text(re.compile(rf"^Deal {deal + 1}\b"))
    expect(ending).to_have_count(0)
    expect(phone.locator("#table-title")).to_be_focused()


def test_who_watches_sees_the_end_of_a_deal_too(page: Page, cast: Cast) -> None:
    game = about_to_end(opened(cast, "scoops", {"target": 3}), 0)
    deal = replay.deal_number(log.latest(game))
    with page.expect_request("**/events/**"):
        page.goto(f"/games/{game.pk}/")
    play(game, 3)
    expect(page.locator("#ending")).to_contain_text(f"Deal {deal} is over")
    page.get_by_role("button", name="Next deal").click()
    expect(page.locator("#table-title")).to_contain_text(f"Deal {deal + 1}")
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq))


@pytest.mark.parametrize("key", GAMES)
def test_a_finished_game_says_who_won_and_leaves_no_tools_of_play(
    key: str, phone: Page, cast: Cast, log_in: LogIn
) -> None:
    game = about_to_end(opened(cast, key, LAST[key]), 0)
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    expect(phone.locator("#dock")).to_have_attribute("data-state", "shown")
    Hand(phone, game).make(chosen(game, 0))
    expect(phone.locator("#ending h2")).to_have_text(re.compile(r"^(You|Your team) (won|lost)$"))
    expect(phone.locator("#ending")).to_contain_text("total wins the game.")
    expect(phone.locator("#ending tbody tr")).to_have_count(2)
    for tool in ("#pace", "#sound", "#dock"):
        expect(phone.locator(tool)).to_be_hidden()
    expect(phone.locator("#ending").get_by_role("button", name="Rematch")).to_be_visible()


@pytest.mark.parametrize("key", GAMES)
def test_what_could_be_done_is_not_offered_while_a_move_is_sent(
    key: str, phone: Page, cast: Cast, log_in: LogIn
) -> None:
    game = turn_of(opened(cast, key, GAMES[key][1]), 0)
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    offered = phone.locator("#dock [data-move]")
    expect(offered.first).to_be_visible()
    before = offered.all_inner_texts()
    phone.context.set_offline(True)
    offered.first.tap()
    expect(offered).to_have_count(0)
    expect(phone.get_by_text("The move is not sent yet.")).to_be_visible()
    phone.context.set_offline(False)
    phone.route("**/play/**", lambda route: route.abort())
    phone.get_by_role("button", name="Don’t send it").tap()
    expect(offered).to_have_count(len(before))

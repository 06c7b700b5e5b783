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
from tests.browsing import LogIn, excuse
from tests.factories import Cast
from tests.web.test_browser import violations
from tests.web.test_game import play
from tests.web.test_table_browser import Hand, chosen, turn_of

pytestmark = pytest.mark.usefixtures("same_deals")

GAMES: Final[Mapping[str, tuple[int, JsonObject]]] = {
    "scoops": (2, {"target": 3}),
    "scamper": (2, {"rounds": 2}),
    "scram": (4, {"rounds": 3}),
}
LAST: Final[Mapping[str, JsonObject]] = {
    "scoops": {"target": 1},
    "scamper": {"rounds": 1},
    "scram": {"rounds": 1},
}
"""Options with which the first deal, or the first that somebody wins, is the last."""


def opened(cast: Cast, key: str, options: JsonObject) -> Game:
    """Return a game of Paul and Petra, who sit last, and others."""
    others = [player.pk for player in cast.people(GAMES[key][0])[2:]]
    return cast.game(key, options, players=[*others, cast.paul_plays.pk, cast.petra_plays.pk])


def about_to_end(game: Game) -> tuple[Game, int]:
    """Let bots play until a move of Paul's or Petra's is about to end a deal; return it with the seat."""
    while True:
        game.refresh_from_db()
        position = log.latest(game)
        (seat, *_) = replay.awaited(position)
        move = replay.read_move(position.ruleset, chosen(game, seat))
        after = replay.played(position, Actor("seat", seat), move)
        if after.ends != position.ends and seat >= position.seats - 2:
            return game, seat
        play(game, 1)


def at_the_table(page: Page, cast: Cast, log_in: LogIn, game: Game, seat: int) -> Hand:
    """Return the hand of Paul or Petra, who see that they can move."""
    log_in(page, [cast.paul, cast.petra][seat % 2])
    page.goto(f"/games/{game.pk}/")
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    return Hand(page, game)


@pytest.mark.parametrize("key", GAMES)
def test_the_end_of_a_deal_stays_until_the_next_one_is_wanted(
    key: str, phone: Page, cast: Cast, log_in: LogIn
) -> None:
    game, seat = about_to_end(opened(cast, key, GAMES[key][1]))
    deal = replay.deal_number(log.latest(game))
    dock, ending = phone.locator("#dock"), phone.locator("#ending")
    at_the_table(phone, cast, log_in, game, seat).make(chosen(game, seat))
    expect(ending).to_be_focused()
    expect(ending).to_contain_text(f"Deal {deal} is over")
    expect(phone.locator("#announcer")).to_contain_text(f"Deal {deal} is over")
    expect(dock.locator("[data-part=said]")).to_have_text(re.compile(rf"^Deal {deal} is over\. "))
    expect(phone.locator("#guide")).to_be_hidden()
    expect(phone.locator("#sheet tbody .round")).to_have_count(deal)
    expect(phone.locator("#table .seats .back:visible")).to_have_count(0 if key == "scram" else 1)
    turn_of(play(game, 1), seat)
    expect(dock).to_contain_text("It’s your turn in the next deal.")
    expect(ending).to_be_visible()
    assert violations(phone) == []
    dock.get_by_role("button", name="Next deal").press("Enter")
    expect(phone.locator("#table-title")).to_have_text(re.compile(rf"^Deal {deal + 1}\b"))
    expect(ending).to_have_count(0)
    expect(phone.locator("#table-title")).to_be_focused()


def test_who_watches_sees_the_end_of_a_deal_too(page: Page, cast: Cast) -> None:
    game, _ = about_to_end(opened(cast, "scoops", {"target": 3}))
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
    game, seat = about_to_end(opened(cast, key, LAST[key]))
    at_the_table(phone, cast, log_in, game, seat).make(chosen(game, seat))
    expect(phone.locator("#ending h2")).to_have_text(re.compile(r"^(You|Your team) (won|lost)$"))
    expect(phone.locator("#ending")).to_contain_text("total wins the game.")
    expect(phone.locator("#ending tbody")).to_have_count(2)
    expect(phone.locator("#ending .won .crown")).to_have_count(1)
    expect(phone.locator("#ending .deals li")).to_have_count(2)
    for tool in ("#pace", "#sound", "#dock"):
        expect(phone.locator(tool)).to_be_hidden()
    expect(phone.locator("#again").get_by_role("button", name="Rematch")).to_be_in_viewport(ratio=1)
    # It is the page that everybody finds later.
    expect(phone.locator(".docked #ending")).to_be_focused()
    told = phone.locator("#ending").inner_text()
    phone.goto(f"/games/{game.pk}/")
    expect(phone.locator(".docked #ending")).to_be_visible()
    assert phone.locator("#ending").inner_text() == told
    assert violations(phone) == []


@pytest.mark.parametrize("key", GAMES)
def test_what_could_be_done_is_not_offered_while_a_move_is_sent(
    key: str, phone: Page, cast: Cast, log_in: LogIn, problems: list[str]
) -> None:
    seat = GAMES[key][0] - 1
    game = turn_of(opened(cast, key, GAMES[key][1]), seat)
    at_the_table(phone, cast, log_in, game, seat)
    phone.route("**/play/**", lambda route: route.abort())
    offered = phone.locator("#dock [data-move]")
    before = offered.all_inner_texts()
    phone.locator("#table [data-thing='pile:deck']").tap()
    expect(offered).to_have_count(0)
    phone.get_by_role("button", name="Don’t send it").tap()
    expect(offered).to_have_text(before)
    excuse(phone, problems, "Failed to load resource")

"""Games on paper on a phone: a round with fields of its own is entered by keyboard, and its page fits."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import log
from games.models import Game
from league.callers import ByAccount
from league.services.play import make_move
from tests.browsing import LogIn, choose, settle
from tests.factories import Cast
from tests.rules.scoops_scorecard.scenarios import entry as scoops
from tests.rules.scram_scorecard.scenarios import entry as scram
from tests.web.test_browser import violations_by_day_and_night


def card(cast: Cast, key: str, seats: int) -> Game:
    """Return a new score card at whose table Paul and Petra sit first."""
    return cast.game(key, {}, [player.pk for player in cast.people(seats)])


def test_goal_winner_and_bonus_are_entered_with_the_keyboard_alone(
    phone: Page, cast: Cast, log_in: LogIn
) -> None:
    game = card(cast, "scoops-scorecard", 3)
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/play/")
    settle(phone)
    phone.keyboard.press("Tab")
    expect(phone.get_by_label("Goal")).to_be_focused()
    choose(phone, "Float")
    phone.keyboard.press("Tab")
    choose(phone, "Petra")
    for key in ("Tab", "1", "Enter"):
        phone.keyboard.press(key)
    expect(phone.get_by_role("heading", name="Enter deal 2")).to_be_visible()
    assert log.entries(game, 1)[0].move == scoops(1, "Float 1 1")


def test_sums_and_who_declared_are_entered_with_the_keyboard_alone(
    phone: Page, cast: Cast, log_in: LogIn
) -> None:
    game = card(cast, "scram-scorecard", 4)
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/play/")
    settle(phone)
    phone.keyboard.press("Tab")
    expect(phone.get_by_label("Scram")).to_be_focused()
    choose(phone, "Petra")
    phone.keyboard.press("Tab")
    for points in ("12", "3", "20", "5"):
        phone.keyboard.type(points)
        phone.keyboard.press("Enter")
    expect(phone.get_by_role("heading", name="Enter deal 2")).to_be_visible()
    assert log.entries(game, 1)[0].move == scram(1, "12 3! 20 5")


@pytest.mark.parametrize(
    ("key", "seats", "move"),
    [
        ("scoops-scorecard", 9, scoops(1, "Bowl 1 2")),
        ("scram-scorecard", 6, scram(1, "3! 12 8 15 9 21")),
    ],
    ids=["scoops", "scram"],
)
def test_the_page_keeps_nobody_out_and_fits(
    phone: Page, cast: Cast, log_in: LogIn, key: str, seats: int, move: dict[str, Any]
) -> None:
    game = card(cast, key, seats)
    make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move=move)
    log_in(phone, cast.petra)
    phone.set_viewport_size({"width": 360, "height": 740})
    for form in ("", "?form=correct-1"):
        phone.goto(f"/games/{game.pk}/{form}")
        assert violations_by_day_and_night(phone) == []
        assert phone.evaluate("document.documentElement.scrollWidth - screen.width") <= 0

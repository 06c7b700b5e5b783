"""What a table tells by sound, clock and words, where the Tab key stops, and what its page weighs."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from playwright.sync_api import Locator, Page, expect

from games import database_time, log
from games.engine import replay
from games.engine.replay import Actor
from games.models import Game
from tests.browsing import LogIn, becomes, stop_the_clock
from tests.factories import Cast
from tests.web.test_game import play, seated
from tests.web.test_table_browser import turn_of
from tests.web.test_table_help_browser import reached

SOUNDS: Final = """(() => {
    localStorage.setItem("trefoil sound", "on");
    window.sounds = [];
    window.AudioContext = class extends AudioContext { constructor() { super(); sounds.push(this); } };
})()"""
"""Keeps the sound switched on, and what the page sounds with."""


def test_a_sound_that_was_kept_on_runs_from_the_first_key_on(page: Page, cast: Cast, log_in: LogIn) -> None:
    game = seated(cast)
    log_in(page, cast.paul)
    page.add_init_script(SOUNDS)
    page.goto(f"/games/{game.pk}/")
    game = play(game, 1)
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq))
    assert page.evaluate("sounds.length") == 0
    page.keyboard.press("Shift")
    becomes(lambda: page.evaluate("sounds.map(each => each.state)"), ["running"])


def test_the_last_hour_of_a_turn_is_counted_down_for_its_players(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    game = cast.game("scoops")
    Game.objects.filter(pk=game.pk).update(deadline=database_time.now() + timedelta(seconds=600))
    stop_the_clock(page)
    page.goto(f"/games/{game.pk}/")
    expect(page.get_by_text("Deadline:")).to_be_visible()
    expect(page.locator(".countdown")).to_have_count(0)
    log_in(page, cast.paul)
    page.reload()
    left = page.locator(".countdown")
    before = seconds(left)
    assert 0 < before < 600
    page.clock.fast_forward(60_000)
    becomes(lambda: seconds(left), before - 60)
    page.clock.fast_forward(600_000)
    expect(left).to_have_text("0:00")


def seconds(countdown: Locator) -> int:
    minutes, rest = countdown.inner_text().split(":")
    return 60 * int(minutes) + int(rest)


def hears_of_many(page: Page, game: Game) -> Callable[[], None]:
    """Open a table, and return what lets it hear of all moves since at once."""
    page.route("**/events/**", lambda route: None)
    page.goto(f"/games/{game.pk}/")
    return lambda: page.evaluate("document.dispatchEvent(new CustomEvent('trefoil:pace'))")


def test_of_many_moves_at_once_the_last_five_are_told_and_how_many_were_before(
    page: Page, german: Page, cast: Cast
) -> None:
    game = play(seated(cast), 1)
    hear = [hears_of_many(each, game) for each in (page, german)]
    game = play(game, 7)
    for each, ask in zip((page, german), hear, strict=True):
        ask()
        expect(each.locator("#live")).to_have_attribute("data-seq", str(game.seq))
    expect(page.locator("#announcer")).to_contain_text("and 2 moves before.")
    expect(german.locator("#announcer")).to_contain_text("und davor 2 Züge.")


def test_tab_stops_at_what_can_be_used_and_the_focus_goes_on_after_a_move(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    game = reached(seated(cast), lambda position: replay.view(position, None)["phase"] == "assign")
    (seat,) = replay.to_act(log.latest(game))
    log_in(page, (cast.paul, cast.petra)[seat])
    page.goto(f"/games/{game.pk}/")
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    die, deck = page.locator(".dice [data-thing]"), page.locator("#table [data-thing='pile:deck']")
    card = page.locator("#hand [data-thing]").first
    assert [each.get_attribute("tabindex") for each in (die.first, deck, card)] == ["0", "-1", "0"]
    for place in (0, 1):
        die.nth(place).press("Enter")
    page.locator("#dock [data-move]").first.press("Enter")
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq + 1))
    expect(die.first).to_have_attribute("tabindex", "-1")
    expect(card).to_have_attribute("tabindex", "0")
    expect(page.locator(".thumb")).to_be_focused()
    page.keyboard.press("Tab")
    expect(card).to_be_focused()


def test_after_a_move_tab_leads_to_ones_own_cards_on_the_cloth(page: Page, cast: Cast, log_in: LogIn) -> None:
    game = turn_of(cast.game("scram", players=[player.pk for player in cast.people(4)]), 0)
    log_in(page, cast.paul)
    page.goto(f"/games/{game.pk}/")
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    page.locator("#dock [data-move]", has_text="deck").press("Enter")
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq + 1))
    expect(page.locator("#table [data-mine] .cards")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#table [data-thing='at:0.0']")).to_be_focused()


def test_the_focus_of_a_card_that_is_gone_goes_to_its_neighbour(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    game = play(seated(cast), 3)
    (seat,) = replay.to_act(log.latest(game))
    log_in(page, (cast.paul, cast.petra)[seat])
    with page.expect_request("**/events/**"):
        page.goto(f"/games/{game.pk}/")
    hand = page.locator("#hand [data-thing]")
    hand.nth(3).focus()
    page.keyboard.press("ArrowLeft")
    gone, neighbour = (str(hand.nth(place).get_attribute("data-thing")) for place in (2, 3))
    move = {"type": "discard", "card": gone.removeprefix("card:")}
    log.append(game_id=game.pk, seq=game.seq + 1, actor=Actor("seat", seat), move=move, account=None)
    expect(page.locator(f"#hand [data-thing='{neighbour}']")).to_be_focused()
    expect(hand.nth(2)).to_be_focused()

"""What a tap will do is seen before it: what dice would give, and where picked cards can be laid."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import log
from games.engine import replay
from games.engine.replay import Position
from games.models import Game
from games.rules.scoops.contract import COFFEE
from tests.browsing import LogIn, becomes, excuse, settle
from tests.factories import Cast
from tests.web.test_game import play, seated

pytestmark = pytest.mark.usefixtures("same_deals")


def reached(game: Game, wanted: Callable[[Position], bool]) -> Game:
    """Let bots play until the game is as wanted."""
    while not wanted(log.latest(game)):
        game = play(game, 1)
        assert not game.is_over
    return game


def opened(page: Page, game: Game) -> None:
    page.goto(f"/games/{game.pk}/")
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")


def lays_off(position: Position) -> bool:
    offered = replay.choices(position, 0)
    return any(choice.type == "lay_off" for choice in offered)


def test_dice_are_explained_and_an_assignment_is_seen_before_it_is_sent(
    phone: Page, cast: Cast, log_in: LogIn
) -> None:
    game = cast.game("scoops", {"target": 3})
    game = reached(game, lambda position: replay.view(position, None)["phase"] == "assign")
    (seat,) = replay.to_act(log.latest(game))
    log_in(phone, (cast.paul, cast.petra)[seat])
    opened(phone, game)
    dice = phone.locator(".dice [data-thing]")
    for place in range(4):
        expect(phone.locator(".dice li").nth(place)).to_contain_text(re.compile("Rule .*Goal "))
    said, buttons = phone.locator("#dock [data-part=said]"), phone.locator("#dock [data-move]")
    for place in (0, 1):
        dice.nth(place).tap()
    expect(said).to_contain_text("Special:")
    expect(buttons).to_have_count(2)
    dice.nth(3).tap()
    expect(said).to_contain_text("Goal ")
    expect(phone.locator(".dice [data-role]")).to_have_text(["special", "special", "goal", "rule"])
    expect(buttons).to_have_count(1)
    promised = buttons.inner_text()
    assert promised.startswith("Special ")
    buttons.tap()
    expect(phone.locator("#live")).not_to_have_attribute("data-seq", str(game.seq))
    game.refresh_from_db()
    view = replay.view(log.latest(game), None)
    assert promised.endswith(f"rule {view['rule']}, goal {view['goal']}")


def test_where_a_picked_card_can_be_laid_off_is_marked_before_the_tap(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    game = reached(cast.game("scamper", {"rounds": 4}), lays_off)
    lay_off: Any = next(each for each in replay.choices(log.latest(game), 0) if each.type == "lay_off")
    (meld,), (card, *_) = lay_off.fields["meld"].values, lay_off.fields["cards"].values[0]
    log_in(page, cast.paul)
    opened(page, game)
    melds = page.locator("#table [data-thing^='meld:']")
    assert melds.count() and page.locator(".meld.takes").count() == 0
    page.locator(f"#hand [data-thing='card:{card}']").first.click()
    target = page.locator(f"[data-thing='meld:{meld}'].takes")
    expect(target).to_have_attribute("data-does", re.compile("Lay off here"))
    expect(page.locator("[data-thing='pile:discard']")).to_have_attribute(
        "data-does", re.compile("Discard here")
    )
    page.locator(f"#hand [data-thing='card:{card}']").first.click()
    expect(page.locator(".takes")).to_have_count(0)


def test_a_card_that_is_put_where_nothing_goes_stays_picked_with_its_buttons(
    phone: Page, cast: Cast, log_in: LogIn
) -> None:
    game = reached(cast.game("scoops"), lambda position: bool(discards(position)))
    log_in(phone, cast.paul)
    opened(phone, game)
    card = phone.locator("#hand [data-thing]").last
    card.tap()
    own = phone.locator("#table [data-thing='pile:0'].takes")
    expect(own).to_be_visible()
    phone.locator("#table [data-thing='pile:1']").tap()
    said = phone.locator("#dock [data-part=said]")
    expect(said).to_contain_text("You discard onto your own pile. C15")
    expect(phone.locator("#dock [data-move]", has_text="Discard")).to_have_count(1)
    expect(phone.locator("#hand .picked")).to_have_count(1)
    expect(own).to_be_visible()


def discards(position: Position) -> list[object]:
    """Return the discards of Paul where they are all that he can do."""
    offered = replay.choices(position, 0)
    return [choice for choice in offered if {each.type for each in offered} == {"discard"}]


def may_knock(position: Position) -> bool:
    """Return whether Paul has drawn in a deal of Coffee and may knock."""
    table = position.state.round
    return (table.phase, table.seat, table.contract.goal, table.knocker) == ("play", 0, COFFEE, None)


def test_a_pile_that_a_discard_or_a_knock_goes_to_asks_which(phone: Page, cast: Cast, log_in: LogIn) -> None:
    game = reached(seated(cast, secret=bytes([7]) * 32), may_knock)
    log_in(phone, cast.paul)
    opened(phone, game)
    phone.locator("#hand [data-thing]").last.tap()
    pile = phone.locator("#table [data-thing='pile:0'].takes")
    expect(pile).to_have_attribute("data-does", "Discard here")
    pile.tap()
    expect(phone.locator("#dock [data-part=said]")).to_contain_text("Several moves are possible there:")
    moves = phone.locator("#dock [data-move]")
    expect(moves).to_have_text([re.compile("^Discard [^ ]+$"), re.compile("and knock$")])
    expect(phone.locator("#hand .picked")).to_have_count(1)


def only_replaces(position: Position) -> bool:
    """Return whether Paul has drawn a card that has no action."""
    return replay.to_act(position) == (0,) and {each.type for each in replay.choices(position, 0)} == {
        "replace",
        "discard",
    }


def test_a_card_of_others_that_no_move_is_about_is_not_picked(phone: Page, cast: Cast, log_in: LogIn) -> None:
    game = cast.game("scram", players=[player.pk for player in cast.people(4)])
    log_in(phone, cast.paul)
    opened(phone, reached(game, only_replaces))
    said = phone.locator("#dock [data-part=said]")
    phone.locator("#table [data-thing='at:1.0']").tap()
    expect(said).to_contain_text("Choose cards of your own team's campsites. B10")
    expect(phone.locator("#table .picked")).to_have_count(0)
    phone.reload()
    phone.locator("#table [data-thing='at:0.0']").tap()
    expect(phone.locator("#dock [data-move]")).to_have_count(1)
    phone.locator("#table [data-thing='at:1.0']").tap()
    expect(said).to_contain_text("Choose cards of your own team's campsites.")
    expect(phone.locator("#table .picked")).to_have_count(1)
    expect(phone.locator("#dock [data-move]")).to_have_count(1)


def test_keys_are_told_why_a_pile_is_no_use_and_pass_the_moves_by_one_stop(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    game = reached(cast.game("scoops"), lambda position: bool(discards(position)))
    log_in(page, cast.paul)
    opened(page, game)
    page.locator("#table [data-thing='pile:deck']").press("Enter")
    expect(page.locator("#dock [data-part=said]")).to_contain_text("You have drawn a card already. C14")
    moves = page.locator("#moves-list")
    moves.focus()
    page.keyboard.press("Tab")
    assert not moves.evaluate("list => list.contains(document.activeElement)")
    moves.focus()
    for place in (0, 1):
        page.keyboard.press("ArrowDown")
        expect(moves.locator("a").nth(place)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(moves.locator("a").first).to_be_focused()


@pytest.mark.parametrize("width", [390, 1280])
def test_what_is_said_offline_covers_nothing(
    page: Page, cast: Cast, log_in: LogIn, width: int, problems: list[str]
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    game = reached(cast.game("scoops"), lambda position: replay.to_act(position) == (0,))
    log_in(page, cast.paul)
    opened(page, game)
    settle(page)
    hand = page.locator("#hand li").first.bounding_box()
    page.context.set_offline(True)
    bar = page.locator("#offline")
    expect(bar).to_be_visible()
    expect(bar).to_be_in_viewport(ratio=1)
    settle(page)
    covered = """bar => [...document.querySelectorAll("header, h1, .steps :is(button, a), .board")]
        .filter((other) => {
        const [one, two] = [bar, other].map((part) => part.getBoundingClientRect());
        return two.width && one.top < two.bottom - 1 && two.top < one.bottom - 1
            && one.left < two.right && two.left < one.right;
    }).map((other) => other.outerHTML.slice(0, 60))"""
    assert bar.evaluate(covered) == []
    top = f"document.querySelector('#hand li').getBoundingClientRect().top - {hand['y']}" if hand else "9"
    becomes(lambda: page.evaluate(f"Math.abs({top}) < 1"), wanted=True)
    excuse(page, problems, "Failed to load resource")


SOUNDS = """(() => {
    localStorage.setItem("trefoil sound", "on");
    window.sounds = [];
    const Context = AudioContext;
    window.AudioContext = class extends Context {
        constructor() {
            super();
            sounds.push(this);
        }
    };
})()"""
"""Notes what plays sounds, which a reader has switched on before."""


def test_sounds_that_are_on_may_be_heard_from_the_first_gesture_on(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    log_in(page, cast.paul)
    page.add_init_script(SOUNDS)
    page.goto(f"/games/{cast.game('scoops').pk}/")
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
    page.locator("h1").click()
    becomes(lambda: page.evaluate("sounds.map((each) => each.state)"), ["running"])
    crossed = page.locator("#sound .mute")
    page.get_by_text("Menu").click()
    expect(crossed).to_be_hidden()
    page.locator("#sound").click()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")
    expect(crossed).to_be_visible()


def offers_back(position: Position) -> bool:
    table = position.state.round
    return bool(table.phase == "offer" and table.left == 0 and table.offers_back)


def test_ones_own_discard_is_declined_by_the_page_once_it_is_asked_to(
    phone: Page, cast: Cast, log_in: LogIn
) -> None:
    game = reached(cast.game("scamper"), offers_back)
    log_in(phone, cast.paul)
    opened(phone, game)
    live, always = phone.locator("#live"), phone.get_by_role("button", name="Always decline my own discard")
    expect(phone.locator("#dock [data-part=said]")).to_contain_text("is your own discard, which nobody took.")
    always.tap()
    expect(live).to_have_attribute("data-seq", str(game.seq + 1))
    game.refresh_from_db()
    game = reached(game, offers_back)
    expect(live).to_have_attribute("data-seq", str(game.seq + 1))
    expect(phone.locator("#where")).to_contain_text("declines the discard")
    game.refresh_from_db()
    game = reached(
        game, lambda position: position.state.round.phase == "begin" and replay.to_act(position) == (0,)
    )
    expect(phone.locator("#dock")).to_have_attribute("data-state", "shown")
    again = phone.get_by_role("button", name="Ask me about my own discard again")
    expect(again).to_have_count(0)
    phone.get_by_role("button", name="Choose from a list").tap()
    again.tap()
    expect(again).to_have_count(0)
    game = reached(game, offers_back)
    expect(always).to_be_visible()

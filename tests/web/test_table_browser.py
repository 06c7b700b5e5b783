"""Whole games at the table in a real browser: cards are tapped and moves made, on one screen."""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final

import pytest
from playwright.sync_api import Error, Locator, Page, expect

from games import log
from games.engine import replay
from games.engine.jsontypes import JsonObject
from games.models import Game
from games.packages import policy_of
from tests.browsing import IS_WHOLE, LogIn, excuse, settle
from tests.factories import Cast
from tests.rules.by_hand import gesture_for, same
from tests.rules.recording import as_clients_see
from tests.web.test_browser import violations
from tests.web.test_game import play, seated

PHONE: Final = {"width": 390, "height": 844}
GAMES: Final[Mapping[str, tuple[int, JsonObject, int]]] = {
    "scoops": (2, {"target": 1}, 0),
    "scamper": (2, {"rounds": 1}, 28),
    "scram": (4, {"rounds": 1}, 0),
}
"""The seats and options of a short game, and how many moves bots make before a hand takes over."""
BY_HAND: Final = 10
"""How many moves are made by hand: among them is one of each kind. Bots play on, and the page shows the end.

With `WHOLE_GAMES=1` all moves of a longer game are made by hand.
"""
KINDS: Final = {
    "scoops": {"draw", "discard"},
    "scamper": {"decline", "draw", "meld", "discard"},
    "scram": {"draw", "replace", "act"},
}

HIDDEN: Final = """async () => {
    const [cloth, hand] = ["#table", ".thumb"].map((part) => document.querySelector(part));
    const found = () => [cloth.scrollHeight - cloth.clientHeight,
        Math.max(0, hand.getBoundingClientRect().bottom - innerHeight)];
    const isHidden = () => found().some(Boolean);
    for (let frame = 0; frame < 3 && isHidden(); frame += 1) await new Promise(requestAnimationFrame);
    return found();
}"""
"""How many pixels of the cloth and of the hand no screen shows without scrolling, once they are fitted."""
NEXT_KEY: Final = """each => {
    const here = document.activeElement;
    if (here === each) return null;
    const isBack = here.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_PRECEDING;
    const areThings = [here, each].every((one) => one.matches("#table [data-thing], #hand [data-thing]"));
    if (areThings) return isBack ? "ArrowLeft" : "ArrowRight";
    return isBack ? "Shift+Tab" : "Tab";
}"""
"""Which key leads on to an element, the shorter way; null at the element."""
MOST_KEYS: Final = 200
TAPPED: Final = """(() => {
    window.tapped = new Promise((done) => addEventListener("click", done, { capture: true, once: true }));
})()"""
"""Lets `tapped` end with the next click, which a browser makes of a tap after the finger has left."""
WAITS: Final = """(() => {
    let tapped = 0;
    window.waits = JSON.parse(sessionStorage.getItem("waits") || "[]");
    addEventListener("pagehide", () => sessionStorage.setItem("waits", JSON.stringify(window.waits)));
    const painted = (act) => requestAnimationFrame(() => setTimeout(act));
    addEventListener("click", () => { tapped = performance.now(); }, true);
    document.addEventListener("trefoil:updated", () => {
        const since = tapped;
        tapped = 0;
        if (since) painted(() => window.waits.push(performance.now() - since));
    });
})()"""
"""Notes the milliseconds from the tap that makes a move until the table with it is painted."""


pytestmark = pytest.mark.usefixtures("same_deals")

MOST: Final = 2000
"""How many moves of a seat a game surely has not."""
ONE_TRY: Final = 2000
"""How many milliseconds a button is tried that may be gone."""


@dataclass
class Hand:
    """A hand at the table: it taps things, or presses Enter on them, and counts how often.

    It notes how many pixels could only be seen by scrolling at which move, with cards picked too.
    """

    page: Page
    game: Game
    taps: int = 0
    kinds: set[str] = field(default_factory=set)
    hidden: dict[int, int] = field(default_factory=dict)
    by_keys: bool = False

    def press(self, thing: Locator) -> None:
        """Go to a thing with Tab and, among the things of the table, with arrows; press Enter on it."""
        for _ in range(MOST_KEYS):
            if (key := thing.evaluate(NEXT_KEY)) is None:
                break
            self.page.keyboard.press(key)
        expect(thing).to_be_focused()
        self.page.keyboard.press("Enter")

    def measure(self) -> None:
        """Note how many pixels of the table are hidden now."""
        if pixels := sum([self.page.evaluate("scrollY"), *self.page.evaluate(HIDDEN)]):
            self.hidden[self.game.seq] = pixels

    def tap(self, thing: Locator) -> None:
        """Tap a thing, and wait until the page has shown what that means, or sent a move."""
        if self.by_keys:
            self.press(thing)
        elif self.page.viewport_size == PHONE:
            self.page.evaluate(TAPPED)
            thing.tap(scroll="none")
            self.page.evaluate("() => window.tapped.then(() => null)")
        else:
            thing.click()
        self.taps += 1
        expect(self.page.locator("#dock")).to_have_attribute("data-state", re.compile("shown|sent|ended"))

    def pick(self, name: str, taken: list[str]) -> None:
        """Pick a thing; of equal cards the next one that was not taken before."""
        self.tap(self.page.locator(f"[data-thing='{name}']").nth(taken.count(name)))
        taken.append(name)

    def make(self, move: JsonObject) -> None:
        """Make a move by a gesture."""
        gesture, taken = gesture_for(move), list[str]()
        self.kinds.add(str(move["type"]))
        for group in gesture.aside:
            for name in group:
                self.pick(name, taken)
            self.tap(self.page.get_by_role("button", name="Put aside"))
        for name in gesture.picked:
            self.pick(name, taken)
        if taken:
            self.measure()
        if gesture.onto:
            self.pick(gesture.onto, [])
        if not self.is_made():
            self.tap(self.button(move))

    def is_made(self) -> bool:
        """Return whether the last tap has made a move, which is on its way or shown."""
        is_sent = self.page.locator("#dock").get_attribute("data-state") == "sent"
        return is_sent or self.page.locator("#live").get_attribute("data-seq") != str(self.game.seq)

    def button(self, move: JsonObject) -> Locator:
        """Return the button of a move; no end is asked for where cards surely match."""
        buttons = self.page.locator("#dock [data-move]").all()
        offered = {same(json.loads(button.get_attribute("data-move") or "{}")): button for button in buttons}
        alike = [same(each) for each in (move, {**move, "end": "right"}) if same(each) in offered]
        assert alike
        return offered[alike[0]]

    def see(self, game: Game) -> None:
        """Wait until the page shows the game as it is, and go on where it waits for the player."""
        over, running_on = "#ending", f"#live[data-seq='{game.seq}']:not(.ending)"
        as_it_is = self.page.locator(over if game.is_over else running_on)
        running = self.page.locator(".one-screen")
        goes_on = running.get_by_role("button", name=re.compile("^(Next deal|Got it)$"))
        expect(as_it_is.or_(goes_on).first).to_be_visible()
        while goes_on.count():
            # What others do meanwhile may draw it anew, put another one in its place, or take it away.
            with suppress(Error):
                button = goes_on.first.element_handle(timeout=ONE_TRY)
                if self.by_keys:
                    self.press(goes_on.first)
                else:
                    goes_on.first.click(timeout=ONE_TRY)
                self.taps += 1
                button.wait_for_element_state("hidden")
            expect(as_it_is.or_(goes_on).first).to_be_visible()


def chosen(game: Game, seat: int) -> JsonObject:
    position = log.latest(game)
    view = as_clients_see(replay.view(position, seat))
    choices = [as_clients_see(choice.as_json()) for choice in replay.choices(position, seat)]
    move: Any = policy_of(position.ruleset).choose(seat, view, choices)
    return replay.write_move(position.ruleset, replay.read_move(position.ruleset, move))


def play_by_hand(page: Page, game: Game, seat: int, most: int, *, by_keys: bool = False) -> Hand:
    """Play at most so many moves of a seat by hand, as its bot would, and the other seats by bots."""
    hand = Hand(page, game, by_keys=by_keys)
    for _ in range(most):
        game = turn_of(game, seat)
        hand.see(game)
        if game.is_over:
            break
        expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
        hand.game = game
        hand.measure()
        hand.make(chosen(game, seat))
        expect(page.locator("#live")).not_to_have_attribute("data-seq", str(game.seq))
    return hand


def turn_of(game: Game, seat: int) -> Game:
    """Let bots play until a seat is to move or the game is over."""
    game.refresh_from_db()
    while not game.is_over and replay.awaited(log.latest(game)) != (seat,):
        play(game, 1)
    return game


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_a_game_is_played_by_hand_on_a_phone(key: str, phone: Page, cast: Cast, log_in: LogIn) -> None:
    count, short, begun = GAMES[key]
    options = {} if IS_WHOLE else short
    game = cast.game(key, options, players=[player.pk for player in cast.people(count)])
    log_in(phone, cast.paul)
    phone.add_init_script(WAITS)
    phone.goto(f"/games/{play(game, 0 if IS_WHOLE else begun).pk}/")
    hand = play_by_hand(phone, game, 0, MOST if IS_WHOLE else BY_HAND)
    hand.see(play(game))
    assert hand.kinds >= KINDS[key]
    waits = phone.evaluate("window.waits")
    sys.stdout.write(
        f"{key}: {hand.taps} taps, {median(waits):.0f} ms from tap to card ({len(waits)} moves)\n"
    )
    assert hand.taps < (500 if IS_WHOLE else 50)
    assert hand.hidden == {}
    assert violations(phone) == []


def test_a_game_is_played_by_keys_and_goes_on_after_a_lost_connection(
    page: Page, cast: Cast, log_in: LogIn, problems: list[str]
) -> None:
    game = cast.game("scamper", {"rounds": 1})
    log_in(page, cast.paul)
    page.goto(f"/games/{game.pk}/")
    play_by_hand(page, game, 0, most=2, by_keys=True)
    game = turn_of(game, 0)
    hand = Hand(page, game, by_keys=True)
    hand.see(game)
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    hand.tap(page.locator("#hand [data-thing]").first)
    page.context.set_offline(True)
    hand.press(page.locator("#dock [data-move]").first)
    expect(page.get_by_text("The move is not sent yet.")).to_be_visible()
    page.wait_for_timeout(60_000 if IS_WHOLE else 0)
    page.context.set_offline(False)
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq + 1))
    play_by_hand(page, game, 0, MOST if IS_WHOLE else 2, by_keys=True)
    game.refresh_from_db()
    assert game.is_over or not IS_WHOLE
    excuse(page, problems, "Failed to load resource")


def test_what_a_seat_can_do_comes_with_the_table(page: Page, cast: Cast, log_in: LogIn) -> None:
    game = cast.game("scoops", {"target": 1})
    log_in(page, cast.paul)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"/games/{game.pk}/")
    game = turn_of(game, 0)
    Hand(page, game).see(game)
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    expect(page.locator("#table .takes").first).to_be_visible()
    page.locator("#table [data-thing='pile:deck']").click()
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq + 1))
    expect(page.locator("#dock [data-part=said]")).to_contain_text("Pick the card that you discard, or")
    assert [address for address in asked if "/gestures/" in address] == []
    page.locator("#hand [data-thing]").first.click()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    assert len([address for address in asked if "/gestures/" in address]) == 1


def test_an_organiser_who_plays_decides_once_and_is_asked_whether_they_are_sure(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    cast.paul_plays.account = cast.olga
    cast.paul_plays.save()
    game = cast.game("scoops")
    log_in(page, cast.olga)
    page.goto(f"/games/{game.pk}/")
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    page.get_by_text("Arbiter’s moves").click()
    expect(page.get_by_text("You sit at this table yourself.")).to_be_visible()
    page.locator("summary", has_text="Penalty").click()
    form = page.locator("form[data-form=penalty]")
    form.get_by_label("Player").select_option(label="Petra Plum")
    form.get_by_label("Points").fill("1")
    form.get_by_label("Reason").fill("late")
    form.get_by_role("button").click()
    expect(form.get_by_role("checkbox")).to_be_focused()
    form.get_by_role("checkbox").check()
    form.get_by_role("button").click()
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq + 1))
    expect(form.get_by_role("checkbox")).not_to_be_checked()
    expect(form.get_by_label("Reason")).to_have_value("")


def book_in(names: Sequence[str]) -> Sequence[int]:
    """Return the places of three cards of one rank."""
    ranks = [name.removeprefix("card:")[0] for name in names]
    book = next(rank for rank in ranks if ranks.count(rank) > 2)
    return [place for place, rank in enumerate(ranks) if rank == book][:3]


def test_what_cannot_be_laid_is_explained_with_its_rule(page: Page, cast: Cast, log_in: LogIn) -> None:
    game = play(seated(cast), 3)
    (seat,) = replay.to_act(log.latest(game))
    log_in(page, (cast.paul, cast.petra)[seat])
    page.goto(f"/games/{game.pk}/")
    hand = page.locator("#hand [data-thing]")
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    settle(page)
    lying = [hand.nth(place).bounding_box() for place in (1, 2)]
    for place in (0, 4, 8):
        hand.nth(place).click()
    said = page.locator("#dock [data-part=said]")
    expect(said.get_by_role("link").first).to_have_attribute("href", re.compile(r"/rules/.*#C\d+"))
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    expect(page.get_by_role("button", name="Put aside")).to_have_count(0)
    settle(page)
    assert [hand.nth(place).bounding_box() for place in (1, 2)] == lying
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#hand .picked")).to_have_count(0)
    one, other, third = book_in([str(card.get_attribute("data-thing")) for card in hand.all()])
    for place in (one, other):
        hand.nth(place).click()
    expect(said).to_contain_text("pick at least one more card")
    expect(page.get_by_role("button", name="Put aside")).to_have_count(0)
    hand.nth(third).click()
    page.get_by_role("button", name="Put aside").click()
    for left in (3, 2, 1):
        expect(page.locator("#hand .aside")).to_have_count(left)
        page.locator("#tray [data-thing]").first.click()
    expect(page.locator("#hand .aside")).to_have_count(0)
    expect(said).to_contain_text("Pick the card that you discard, or")

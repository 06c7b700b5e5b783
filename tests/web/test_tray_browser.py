"""The tray above the hand: one line, a draft that lasts, the hand sorted, and the rules in short."""

import re
from collections.abc import Callable, Sequence
from typing import Final
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from games import log
from games.engine import cards, replay
from games.models import Game
from games.rules.scram.actions import ACTIONS
from league.services.channel import report_watchers
from tests.browsing import LogIn, settle
from tests.factories import Cast
from tests.web.test_browser import violations_by_day_and_night
from tests.web.test_game import play, seated
from tests.web.test_table_browser import HIDDEN, book_in, turn_of

pytestmark = pytest.mark.usefixtures("same_deals")


@pytest.fixture
def game(cast: Cast) -> Game:
    """A game of Scoops in which somebody has drawn and may discard."""
    return play(seated(cast), 3)


@pytest.fixture
def table(game: Game, cast: Cast, phone: Page, log_in: LogIn) -> Page:
    """The table of the player whose turn it is."""
    (seat,) = replay.to_act(log.latest(game))
    log_in(phone, (cast.paul, cast.petra)[seat])
    phone.goto(f"/games/{game.pk}/")
    expect(phone.locator("#dock")).to_have_attribute("data-state", "shown")
    return phone


def hand(page: Page) -> Sequence[str]:
    return [str(card.get_attribute("data-thing")) for card in page.locator("#hand [data-thing]").all()]


def test_what_is_put_aside_outlasts_a_new_load_and_moves_and_what_is_picked_no_move(
    game: Game, table: Page
) -> None:
    (seat,) = replay.to_act(log.latest(game))
    lying = table.locator("#hand [data-thing]")
    book = book_in(hand(table))
    for place in book:
        lying.nth(place).tap()
    said = table.locator("#dock [data-part=said]")
    expect(said.locator("p")).to_have_count(1)
    table.get_by_role("button", name="Put aside").tap()
    lying.nth(max({*range(lying.count())} - {*book})).tap()
    expect(table.locator("#hand .picked")).to_have_count(1)
    table.reload()
    expect(table.locator("#hand .aside")).to_have_count(3)
    expect(table.locator("#hand .picked")).to_have_count(1)
    table.locator("#dock [data-move]", has_text=re.compile("^Discard [^ ]+$")).tap()
    expect(table.locator("#live")).to_have_attribute("data-seq", str(game.seq + 1))
    expect(table.locator("#hand .picked")).to_have_count(0)
    expect(table.locator("#tray li")).to_have_count(3)
    expect(table.locator("#dock [data-part=said]")).to_have_text("Others are to move.")
    game = turn_of(game, seat)
    table.locator("#table [data-thing='pile:deck'].takes").tap()
    expect(table.locator("#live")).to_have_attribute("data-seq", str(game.seq + 1))
    expect(table.locator("#tray .fits")).to_have_count(1)
    expect(table.locator("#tray li")).to_have_count(3)


def drag(page: Page, thing: Locator, place: Locator) -> None:
    """Drag a thing with the mouse onto a place."""
    settle(page)
    start, end = thing.bounding_box(), place.bounding_box()
    assert start and end
    page.mouse.move(start["x"] + 9, start["y"] + 9)
    page.mouse.down()
    for x, y in ((start["x"] + 30, start["y"] - 15), (end["x"] + 20, end["y"] + 12)):
        page.mouse.move(x, y, steps=3)
    page.mouse.up()


def lying(page: Page) -> list[list[str]]:
    """Return the cards of each group in the tray."""
    groups = page.locator("#tray .group").all()
    return [
        [str(card.get_attribute("data-thing")) for card in each.locator("li > *").all()] for each in groups
    ]


def test_cards_are_dragged_into_the_tray_between_its_groups_and_back(game: Game, table: Page) -> None:
    one, other, third = (table.locator(f"#hand [data-thing='{name}']").first for name in [*hand(table)][:3])
    names = [*hand(table)][:3]
    said = table.locator("#dock .line-of-play")
    drag(table, one, said)
    expect(table.locator("#tray .group")).to_have_count(1)
    expect(table.locator("#dock")).to_have_attribute("data-state", "shown")
    settle(table)
    height = "document.querySelector('#dock').getBoundingClientRect().height"
    before = table.evaluate(height)
    drag(table, other, said)
    expect(table.locator("#tray .group")).to_have_count(2)
    drag(table, third, table.locator("#tray .group").first)
    expect(table.locator("#tray .group").first.locator("li")).to_have_count(2)
    assert lying(table) == [[names[0], names[2]], [names[1]]]
    expect(table.locator("#dock")).to_have_attribute("data-state", "shown")
    settle(table)
    assert abs(table.evaluate(height) - before) < 1
    assert violations_by_day_and_night(table) == []
    table.get_by_role("link", name="Previous move").tap()
    expect(table.locator("#hand [data-thing]:visible")).to_have_count(len(hand(table)))
    table.get_by_role("link", name="Back to the game").tap()
    expect(table.locator("#hand .aside:visible")).to_have_count(0)
    expect(table.locator("#tray .words .lacks")).to_have_count(2)
    expect(said.get_by_role("link")).to_have_attribute("href", re.compile(r"/rules/.*#C\d+"))
    settle(table)
    assert table.evaluate(HIDDEN) == [0, 0]
    drag(table, table.locator("#tray li > *").first, table.locator("#hand li:not(.aside)").last)
    expect(table.locator("#hand .aside")).to_have_count(2)
    assert lying(table) == [[names[2]], [names[1]]]
    expect(table.locator("#live")).to_have_attribute("data-seq", str(game.seq))


def test_a_draft_is_undone_step_by_step_and_made_by_keys_alone(table: Page) -> None:
    undo = table.get_by_role("button", name="Undo")
    for place in book_in(hand(table)):
        table.locator("#hand [data-thing]").nth(place).press("Enter")
    table.get_by_role("button", name="Put aside").press("Enter")
    expect(table.locator("#tray li")).to_have_count(3)
    table.locator("#hand li:not(.aside) > *").first.press("Enter")
    table.get_by_role("button", name="Add here").press("Enter")
    expect(table.locator("#tray li")).to_have_count(4)
    expect(table.locator("#dock [data-part=said] .lacks").get_by_role("link")).to_have_count(1)
    table.locator("#tray li > *").last.press(" ")
    expect(table.locator("#tray .fits")).to_have_count(1)
    table.locator("#hand li:not(.aside) > *").first.press("Enter")
    table.get_by_role("group", name="Group 1").get_by_role("button", name="Take back").press("Enter")
    expect(table.locator("#tray .group")).to_have_count(0)
    expect(table.get_by_role("group", name="Your hand")).to_be_focused()
    for laid, picked in ((3, 1), (3, 0), (4, 0), (3, 1), (3, 0), (0, 3), (0, 0)):
        undo.press("Enter")
        expect(table.locator("#tray li")).to_have_count(laid)
        expect(table.locator("#hand .picked")).to_have_count(picked)
    expect(undo).to_have_count(0)


def test_the_hand_is_sorted_by_rank_and_by_suit_with_one_button(table: Page) -> None:
    dealt = hand(table)
    by_rank, by_suit = (table.get_by_role("button", name=f"Sort by {each}") for each in ("rank", "suit"))
    by_rank.tap()
    expect(by_suit).to_be_visible()
    ranks = [cards.RANKS.find(name.removeprefix("card:")[0]) for name in hand(table) if name != "card:JK"]
    assert ranks == sorted(ranks)
    table.reload()
    expect(table.locator("#dock")).to_have_attribute("data-state", "shown")
    assert [cards.RANKS.find(name[5]) for name in hand(table) if name != "card:JK"] == ranks
    table.get_by_role("button", name="Choose from a list").tap()
    listed = [each.get_attribute("data-card") for each in table.locator("#play li[data-card]").all()]
    assert listed == [code for name in dict.fromkeys(hand(table)) if (code := name[5:]) in listed]
    by_suit.tap()
    expect(by_rank).to_be_visible()
    assert hand(table) == dealt


def open_rules(table: Page) -> None:
    """Open the rules in short in the menu of the table."""
    table.locator("#table-menu > summary").tap()
    table.locator(".short-rules summary").tap()


def test_the_menu_closes_and_gives_the_focus_back(game: Game, table: Page) -> None:
    rules, summary = table.locator("#table-menu"), table.locator("#table-menu > summary")
    ways: list[Callable[[], None]] = [
        table.get_by_role("button", name="Close").tap,
        lambda: table.keyboard.press("Escape"),
        table.locator("#hand [data-thing]").last.tap,
    ]
    for close in ways:
        summary.tap()
        expect(rules).to_have_attribute("open", "")
        close()
        expect(rules).not_to_have_attribute("open", "")
        expect(summary).to_be_focused()
    expect(table.locator("#hand .picked")).to_have_count(0)


def test_what_closes_the_rules_covers_no_end_of_a_line(table: Page) -> None:
    open_rules(table)
    close, lines = table.get_by_role("button", name="Close"), table.locator(".short-rules ul")
    table.locator("#table-menu > div").evaluate("each => each.scrollTo(0, 80)")
    over, under = close.bounding_box(), lines.bounding_box()
    assert over and under and over["x"] <= under["x"]
    assert over["x"] + over["width"] >= under["x"] + under["width"]


def test_rules_open_in_a_tab_of_their_own_and_the_table_stays(table: Page) -> None:
    open_rules(table)
    link = table.locator(".short-rules").get_by_role("link", name="Rules of Scoops (opens in a new tab)")
    with table.context.expect_page() as opened:
        link.tap()
    expect(opened.value).to_have_url("/rules/scoops/")
    assert "/games/" in table.url
    links = table.locator("#live a[href^='/rules/']")
    assert links.count() == table.locator("#live a[href^='/rules/'][target=_blank]").count() > 5


def test_a_list_of_moves_opens_on_the_cloth_and_nothing_moves(table: Page) -> None:
    places = """[...document.querySelectorAll(".steps, #table, #dock button, #hand li")]
        .map((part) => part.getBoundingClientRect().top)"""
    settle(table)
    before, button = table.evaluate(places), table.get_by_role("button", name="Choose from a list")
    back = table.get_by_role("button", name="Back to the cards")
    button.tap()
    expect(table.locator("#play > .play")).to_be_focused()
    expect(table.get_by_role("heading", name="Your move")).to_be_in_viewport(ratio=1)
    settle(table)
    assert (table.evaluate(places), table.evaluate("scrollY")) == (before, 0)
    ways: list[Callable[[], None]] = [back.tap, lambda: table.keyboard.press("Escape")]
    for close in ways:
        expect(back).to_be_visible()
        close()
        expect(table.locator("#play > .play")).to_be_hidden()
        expect(button).to_be_focused()
        button.press("Enter")
    back.tap()
    expect(table.locator("#play > .play")).to_be_hidden()
    settle(table)
    assert table.evaluate(places) == before


def test_what_a_tap_does_covers_nothing_of_what_the_pile_is_called(game: Game, table: Page) -> None:
    table.locator("#hand [data-thing]").last.tap()
    pile = table.locator("#table .pile.takes").first
    expect(pile).to_be_visible()
    settle(table)
    name, thing = pile.locator("> :last-child").bounding_box(), pile.bounding_box()
    assert name and thing and name["y"] + name["height"] < thing["y"] + thing["height"] - 10


def test_who_watches_adds_no_row(cast: Cast, phone: Page, log_in: LogIn) -> None:
    game = cast.game("scamper")
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    above = "document.querySelector('.board').getBoundingClientRect().top"
    settle(phone)
    before = phone.evaluate(above)
    report_watchers(uuid4(), {game.pk: 13})
    phone.reload()
    expect(phone.locator("#watching .number")).to_have_text("13")
    expect(phone.locator("#watching .number")).to_be_visible()
    settle(phone)
    assert phone.evaluate(above) == before


def test_a_long_name_is_read_whole_at_its_seat(cast: Cast, phone: Page, log_in: LogIn) -> None:
    cast.petra_plays.name = "Petronella Plumtree-Featherstonehaugh"
    cast.petra_plays.save()
    game = cast.game("scoops")
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    name = phone.locator("#table .who").nth(1).locator("> :first-child")
    expect(name).to_have_text(cast.petra_plays.name)
    settle(phone)
    assert name.evaluate("name => name.scrollWidth <= name.clientWidth + 1")
    assert name.evaluate("name => getComputedStyle(name).textOverflow") == "clip"
    assert phone.evaluate("document.documentElement.scrollWidth") == 390


def test_a_hint_of_scram_speaks_of_no_action_that_is_not_chosen(
    cast: Cast, phone: Page, log_in: LogIn
) -> None:
    game = cast.game("scram", players=[player.pk for player in cast.people(4)])
    while replay.to_act(log.latest(game)) != (0,):
        game = play(game, 1)
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    said = phone.locator("#dock [data-part=said]")
    expect(said).to_have_text("Draw a card from the deck or from the discard pile.")


def test_the_action_of_a_drawn_card_has_a_button_before_a_card_is_picked(
    cast: Cast, phone: Page, log_in: LogIn
) -> None:
    game = cast.game("scram", players=[player.pk for player in cast.people(4)])
    drawn: object = None
    while drawn not in ACTIONS or replay.awaited(log.latest(game)) != (0,):
        view = replay.view(log.latest(play(game, 1)), 0)
        drawn = None if view["taken"] else view["drawn"]
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    first = "document.querySelector('#dock [data-part=moves] button').getBoundingClientRect().toJSON()"
    expect(phone.get_by_role("button", name=f"Use the {drawn}")).to_be_visible()
    place = phone.evaluate(first)
    phone.get_by_role("button", name=f"Use the {drawn}").tap()
    said = phone.locator("#dock [data-part=said]")
    expect(said.locator(".targets")).to_be_visible()
    expect(phone.locator("#dock [data-move]")).to_have_count(0)
    phone.locator("#table .choice").first.tap()
    expect(phone.locator("#table .picked")).to_have_count(1)
    is_shown(phone)
    expect(phone.locator("#dock [data-part=moves] button").first).to_have_text(f"Don’t use the {drawn}")
    now = phone.evaluate(first)
    assert [now[side] for side in ("x", "bottom")] == [place[side] for side in ("x", "bottom")]
    phone.get_by_role("button", name=f"Don’t use the {drawn}").tap()
    expect(phone.get_by_role("button", name="Discard the drawn card")).to_be_visible()
    expect(phone.locator("#table .choice")).to_have_count(0)
    sign = "card => getComputedStyle(card, '::after').maskImage"
    assert "svg" in phone.locator("#table [data-held] .card").evaluate(sign)
    about = phone.locator("#table .laid .pop-up")
    about.locator("summary").tap()
    expect(about.locator("dd").last).to_be_in_viewport(ratio=1)
    phone.get_by_role("button", name="Close").tap()
    expect(about.locator("dd").last).to_be_hidden()


def test_cards_of_campsites_are_of_one_size_however_many_lie_there(
    cast: Cast, phone: Page, log_in: LogIn
) -> None:
    game = cast.game("scram", players=[player.pk for player in cast.people(6)])
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    expect(phone.locator("#dock")).to_have_attribute("data-state", re.compile("shown|following"))
    few = phone.locator(".campsites .cards").first
    few.evaluate("campsite => [...campsite.children].slice(2).forEach((card) => card.remove())")
    settle(phone)
    sizes = """cards => cards.map((card) => card.getBoundingClientRect())
        .map(({ width, height }) => `${width.toFixed(1)} ${height.toFixed(1)}`)"""
    for whose in ("[data-mine]", ":not([data-mine])"):
        assert len({*phone.locator(f".campsites > {whose} .card").evaluate_all(sizes)}) == 1
    own = phone.locator("[data-mine] .card").first.bounding_box()
    assert own and own["width"] >= 44 and own["height"] >= 61


@pytest.mark.usefixtures("transactional_db")
def test_a_lesson_is_the_one_line_of_the_tray(phone: Page) -> None:
    phone.goto("/play/")
    phone.get_by_role("button", name="Play (Scamper)").tap()
    expect(phone.locator("#dock [data-part=said] p")).to_have_text(re.compile("^First deal: "))
    expect(phone.get_by_text("First deal:").filter(visible=True)).to_have_count(1)
    phone.locator("#table-menu > summary").tap()
    phone.get_by_role("button", name="Help in the first deals").tap()
    expect(phone.get_by_text("First deal:").filter(visible=True)).to_have_count(0)
    phone.reload()
    expect(phone.locator("#dock")).to_have_attribute("data-state", "shown")
    expect(phone.get_by_text("First deal:").filter(visible=True)).to_have_count(0)


def test_the_focus_of_the_keys_stays_on_a_thing_when_the_table_is_another_one(
    cast: Cast, page: Page, log_in: LogIn
) -> None:
    game = seated(cast)
    (seat,) = replay.to_act(log.latest(game))
    log_in(page, (cast.paul, cast.petra)[seat])
    page.goto(f"/games/{game.pk}/")
    page.locator("#hand [data-thing]").first.focus()
    deck = page.locator("#table [data-thing='pile:deck']")
    page.keyboard.press("ArrowLeft")
    expect(deck).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq + 1))
    expect(deck).to_be_focused()


def test_the_focus_of_the_keys_goes_before_the_hand_with_the_button_that_is_used(
    game: Game, table: Page
) -> None:
    thumb = table.locator(".thumb")
    table.locator("#hand [data-thing]").last.press("Enter")
    table.get_by_role("button", name="Undo").press("Enter")
    expect(table.locator("#hand .picked")).to_have_count(0)
    expect(thumb).to_be_focused()
    table.locator("#hand [data-thing]").last.press("Enter")
    table.locator("#dock [data-move]", has_text="Discard").press("Enter")
    expect(table.locator("#live")).to_have_attribute("data-seq", str(game.seq + 1))
    expect(thumb).to_be_focused()


UNDER_UNDO: Final = """place => {
    const { left, right, top, bottom } = place;
    return [...document.querySelectorAll("#dock button:not(.undo)")].filter((button) => {
        const box = button.getBoundingClientRect();
        return box.width && box.left < right && left < box.right && box.top < bottom && top < box.bottom;
    }).map((button) => button.textContent);
}"""
"""The buttons that lie where another one was."""
PICKED: Final = {
    "scoops": "#hand [data-thing]",
    "scamper": "#hand [data-thing]",
    "scram": "#table [data-mine] [data-thing^=at]",
}
"""Games and the cards that a player picks in them."""


@pytest.mark.parametrize("key", PICKED)
def test_no_button_ever_lies_where_undo_is(cast: Cast, german: Page, log_in: LogIn, key: str) -> None:
    game = cast.game(key, players=[player.pk for player in cast.people(3)])
    while replay.to_act(log.latest(game)) != (0,) or not may_discard(game):
        game = play(game, 1)
    log_in(german, cast.paul)
    german.goto(f"/games/{game.pk}/")
    cards, undo = german.locator(PICKED[key]), german.locator("#dock .undo")
    box = "undo => undo.getBoundingClientRect().toJSON()"
    places = []
    for card in range(3):
        cards.nth(card).tap()
        expect(german.locator(".picked")).to_have_count(card + 1)
        is_shown(german)
        places.append(undo.evaluate(box))
        assert german.evaluate(UNDER_UNDO, places[0]) == []
    while left := german.locator(".picked").count():
        undo.tap()
        expect(german.locator(".picked")).not_to_have_count(left)
        is_shown(german)
        assert german.evaluate(UNDER_UNDO, places[0]) == []
    assert places == [places[0]] * 3


def is_shown(page: Page) -> None:
    """Wait until what is picked is judged, and all lies still."""
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    settle(page)


def may_discard(game: Game) -> bool:
    return any(choice.type == "discard" for choice in replay.choices(log.latest(game), 0))


OWN: Final = {"scoops": "#hand [data-thing]", "scram": "#table [data-mine] [data-thing^=at]"}
"""Games and where a player's own cards lie in them."""


@pytest.mark.parametrize("key", OWN)
def test_a_players_own_cards_are_two_tab_stops_from_the_top_of_the_page(
    cast: Cast, page: Page, log_in: LogIn, key: str
) -> None:
    game = cast.game(key, players=[player.pk for player in cast.people(4)])
    log_in(page, cast.paul)
    page.goto(f"/games/{game.pk}/")
    expect(page.locator("#dock")).to_have_attribute("data-state", re.compile("."))
    for wanted in ("Skip to the content", "Skip to your cards"):
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name=wanted)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(OWN[key]).first).to_be_focused()

"""The page of a running game in a real browser while connections come and go."""

import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from games import log
from games.engine import replay
from games.engine.replay import Actor
from games.models import Game
from games.models.moves import Move
from league.services.channel import report_watchers
from tests.browsing import LogIn, excuse, has_come, stop_the_clock
from tests.factories import Cast
from tests.web.silence import silent_after
from tests.web.test_game import play, seated


@pytest.fixture
def lost_requests(page: Page, problems: list[str]) -> Iterator[None]:
    """Nothing but requests that a test lets fail may trouble the console."""
    yield
    assert problems
    excuse(page, problems, "Failed to load resource")


@pytest.fixture
def at_the_table(page: Page, cast: Cast, log_in: LogIn) -> Game:
    """A game of Tally in which the page is that of the seat to move."""
    game = cast.game("tally")
    log_in(page, cast.paul)
    with page.expect_request("**/events/**"):
        page.goto(f"/games/{game.pk}/")
    return game


def say(page: Page, number: int) -> None:
    page.get_by_label(f"says {number}", exact=True).check()
    page.get_by_role("button", name="Say", exact=True).click()


def test_a_move_is_made_without_loading_the_page(page: Page, at_the_table: Game) -> None:
    report_watchers(uuid4(), {at_the_table.pk: 3})
    page.reload()
    expect(page.get_by_text("3 watching")).to_be_visible()
    page.evaluate("document.body.dataset.same = 'yes'")
    say(page, 1)
    expect(page.locator("#where")).to_contain_text("Paul Pike says 1")
    expect(page.get_by_text("3 watching")).to_be_visible()
    expect(page.locator("body")).to_have_attribute("data-same", "yes")


@pytest.mark.usefixtures("lost_requests")
def test_a_refused_move_is_explained_beside_the_form(page: Page, at_the_table: Game) -> None:
    page.evaluate("document.body.dataset.same = 'yes'")
    page.locator("form[data-form=say] input[name=offer]").first.evaluate("box => { box.value = '{}' }")
    page.locator("form[data-form=say] input[name=offer]").first.check()
    page.get_by_role("button", name="Say", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Not saved.")
    expect(page.locator("body")).to_have_attribute("data-same", "yes")


@pytest.mark.usefixtures("lost_requests")
def test_a_move_made_offline_is_sent_once_when_the_connection_is_back(page: Page, at_the_table: Game) -> None:
    page.context.set_offline(True)
    say(page, 2)
    expect(page.get_by_text("The move is not sent yet.")).to_be_visible()
    expect(page.get_by_text("Offline.")).to_be_visible()
    expect(page.get_by_text("live", exact=True)).to_be_hidden()
    page.context.set_offline(False)
    expect(page.locator("#where")).to_contain_text("Paul Pike says 2")
    expect(page.get_by_text("The move is not sent yet.")).to_be_hidden()
    expect(page.get_by_text("Offline.")).to_be_hidden()
    assert Move.objects.filter(game=at_the_table).count() == 2


@pytest.mark.usefixtures("lost_requests")
def test_a_move_whose_answer_was_lost_is_made_once(page: Page, at_the_table: Game) -> None:
    lost, again = list[str](), list[Route]()

    def lose_the_first(route: Route) -> None:
        if lost:
            again.append(route)
            return
        lost.append(route.request.url)
        route.fetch(max_redirects=0)
        route.abort()

    page.route("**/play/**", lose_the_first)
    with page.expect_request(lambda request: bool(lost) and "/play/" in request.url):
        say(page, 3)
    expect(page.get_by_text("The move is not sent yet.")).to_be_visible()
    again[0].continue_()
    expect(page.locator("#where")).to_contain_text("Paul Pike says 3")
    expect(page.get_by_text("The move is not sent yet.")).to_be_hidden()
    assert Move.objects.filter(game=at_the_table).count() == 2


@pytest.mark.usefixtures("lost_requests")
def test_a_watched_table_goes_on_after_its_stream_was_refused(page: Page, cast: Cast) -> None:
    game = cast.game("scoops")
    events = re.compile(r"/events/")
    page.route(events, lambda route: route.fulfill(status=503))
    page.goto(f"/games/{game.pk}/")
    play(game, 1)
    expect(page.locator("#where")).to_contain_text("Move 2 of 2")
    page.unroute(events)
    play(game, 1)
    expect(page.locator("#where")).to_contain_text("Move 3 of 3")


def test_a_stream_that_falls_silent_is_begun_anew(page: Page, cast: Cast) -> None:
    game = cast.game("scoops")
    stop_the_clock(page)
    with silent_after(page, "**/events/**", "watching", '{"watching": 7}'):
        page.goto(f"/games/{game.pk}/")
        expect(page.get_by_text("7 watching")).to_be_visible()
        play(game, 1)
    page.clock.fast_forward(34_000)
    expect(page.locator("#where")).to_contain_text("Move 1 of 1")
    with page.expect_response("**/events/**"):
        page.clock.fast_forward(2_000)
    expect(page.locator("#where")).to_contain_text("Move 2 of 2")
    play(game, 1)
    expect(page.locator("#where")).to_contain_text("Move 3 of 3")


def test_a_move_that_two_answers_bring_is_listed_once(page: Page, cast: Cast) -> None:
    game = play(seated(cast), 1)
    page.route(
        "**/news/**", lambda route: route.continue_(url=route.request.url.replace("after=2", "after=1"))
    )
    with page.expect_request("**/events/**"):
        page.goto(f"/games/{game.pk}/")
    play(game, 1)
    expect(page.locator("#where")).to_contain_text("Move 3 of 3")
    expect(page.locator("#moves-list li")).to_have_count(3)


def test_moves_that_come_fast_are_shown_one_by_one(page: Page, cast: Cast) -> None:
    game = cast.game("scoops")
    page.add_init_script("""
        localStorage.setItem("trefoil pace", "450");
        window.seen = [];
        const seq = () => document.getElementById("live").dataset.seq;
        document.addEventListener("trefoil:updated", () => seen.push(seq()));
    """)
    with page.expect_request("**/events/**"):
        page.goto(f"/games/{game.pk}/")
    play(game, 3)
    expect(page.locator("#where")).to_contain_text("Move 4 of 4")
    assert page.evaluate("seen") == ["2", "3", "4"]


@pytest.mark.usefixtures("lost_requests")
def test_a_lost_request_for_news_is_made_again(page: Page, cast: Cast) -> None:
    game = cast.game("scoops")
    failed: list[str] = []

    def fail_the_first(route: Route) -> None:
        if failed:
            route.continue_()
        else:
            failed.append(route.request.url)
            route.abort()

    page.route("**/news/**", fail_the_first)
    with page.expect_request("**/events/**"):
        page.goto(f"/games/{game.pk}/")
    play(game, 1)
    expect(page.locator("#where")).to_contain_text("Move 2 of 2")
    assert failed


def a_turn_later(game: Game) -> Game:
    """Let bots play until it is the turn of the seat that is to move now once more."""
    seats = replay.awaited(log.latest(game))
    while replay.awaited(log.latest(game)) == seats:
        play(game, 1)
    while replay.awaited(log.latest(game)) != seats:
        play(game, 1)
    return game


def test_a_card_that_stays_is_the_same_with_its_focus_when_others_move(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    game = play(seated(cast), 4)
    (seat,) = replay.awaited(log.latest(game))
    log_in(page, (cast.petra, cast.paul)[seat])
    page.goto(f"/games/{game.pk}/")
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    page.get_by_role("button", name="Sort by rank").click()
    hand = page.locator("#hand [data-thing]")
    names = [card.get_attribute("data-thing") for card in hand.all()]
    page.evaluate("document.querySelectorAll('[data-thing]').forEach(thing => { thing.isSame = true })")
    hand.nth(1).focus()
    while replay.awaited(log.latest(game)) == (seat,):
        game = play(game, 1)
    expect(page.locator(f"#live[data-seq='{game.seq}']:not(.behind)")).to_be_visible()
    others = (
        "[...document.querySelectorAll('[data-thing]')].filter(thing => !thing.isSame).map(thing => thing.id)"
    )
    assert page.evaluate(others) == []
    assert [card.get_attribute("data-thing") for card in hand.all()] == names
    expect(hand.nth(1)).to_be_focused()
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(each => each.id)")
    assert len(ids) == len({*ids})


def test_what_a_reader_has_unfolded_stays_so_when_others_move(page: Page, cast: Cast) -> None:
    game = play(cast.game("scram", players=[player.pk for player in cast.people(4)]), 1)
    with page.expect_request("**/events/**"):
        page.goto(f"/games/{game.pk}/")
    unfolded = page.locator("#table details", has_text="What the cards do")
    unfolded.locator("summary").click()
    game = play(game, 1)
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq))
    expect(unfolded).to_have_attribute("open", "")


def open_list(page: Page) -> Locator:
    """Open the list of moves, choose where to draw from, and return the button that draws."""
    page.get_by_role("button", name="Choose from a list").click()
    form = page.locator("#play form[data-form=draw]")
    form.locator("label.pick").first.click()
    return form.locator("button[type=submit]")


@pytest.fixture
def to_draw(page: Page, cast: Cast, log_in: LogIn) -> Game:
    """A game of Scoops in which it is Petra's turn to draw, whose browser hears nothing of it and is slow."""
    game = a_turn_later(seated(cast))
    log_in(page, cast.petra)
    stop_the_clock(page)
    page.route("**/events/**", lambda route: None)
    page.goto(f"/games/{game.pk}/")
    with page.expect_response(re.compile("/news/")):
        choose_pace(page, "2400")
    return game


def choose_pace(page: Page, milliseconds: str) -> None:
    """Choose in the menu how fast the moves of others are shown."""
    menu = page.locator("#table-menu > summary")
    menu.click()
    page.get_by_label("Pace").select_option(milliseconds)
    menu.click()


def test_a_move_from_a_list_that_came_too_late_is_told_beside_the_table_as_it_is_now(
    page: Page, to_draw: Game, problems: list[str]
) -> None:
    draw = open_list(page)
    game = a_turn_later(to_draw)
    draw.click()
    refusal = page.locator("#refusal")
    expect(refusal).to_contain_text("The game has gone on meanwhile, so what you sent was not taken.")
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq))
    expect(page.locator("#live")).not_to_have_class(re.compile("behind"))
    expect(refusal).to_be_visible()
    expect(page.locator("#dock [data-part=said]")).to_contain_text("The table has changed since.")
    open_list(page).click()
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq + 1))
    expect(refusal).to_be_hidden()
    excuse(page, problems, "409")


def test_no_list_is_offered_while_moves_of_others_are_shown_one_by_one(page: Page, to_draw: Game) -> None:
    live, dock = page.locator("#live"), page.locator("#dock")
    expect(dock).to_have_attribute("data-state", "shown")
    game = a_turn_later(to_draw)
    page.evaluate("document.dispatchEvent(new CustomEvent('trefoil:pace'))")
    expect(live).to_have_class(re.compile("behind"))
    expect(page.locator("#play")).to_be_hidden()
    expect(page).to_have_title(re.compile(r"^Scoops"))
    expect(page.get_by_role("button", name="Choose from a list")).to_have_count(0)
    page.get_by_role("button", name="Show all moves now").click()
    expect(live).to_have_attribute("data-seq", str(game.seq))
    expect(page).to_have_title(re.compile(r"^\(1\) Scoops"))
    open_list(page).click()
    expect(live).to_have_attribute("data-seq", str(game.seq + 1))


def test_a_button_that_is_pressed_while_the_next_move_is_shown_does_what_it_says(
    page: Page, to_draw: Game
) -> None:
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    game = a_turn_later(to_draw)
    page.evaluate("document.dispatchEvent(new CustomEvent('trefoil:pace'))")
    page.get_by_role("button", name="Show all moves now").hover()
    shown = str(page.locator("#live").get_attribute("data-seq"))
    page.mouse.down()
    page.clock.fast_forward(2400)
    expect(page.locator("#live")).not_to_have_attribute("data-seq", shown)
    expect(page.locator("#live")).to_have_class(re.compile("behind"))
    page.mouse.up()
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq))


def test_moves_of_an_older_table_are_not_offered_for_what_is_picked(page: Page, to_draw: Game) -> None:
    page.reload()
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    game, said = a_turn_later(to_draw), page.locator("#dock [data-part=said]")
    page.locator("#hand [data-thing]").first.click()
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq))
    expect(said).to_contain_text("The table has changed since.")
    expect(page.locator("#hand .picked")).to_have_count(0)
    page.locator("#hand [data-thing]").first.click()
    expect(page.locator("#hand .picked")).to_have_count(1)
    expect(said).not_to_contain_text("The table has changed since.")


def take_instead(game: Game) -> Game:
    """Let Petra take a discard in another window, so that it is still her turn."""
    (seat,) = replay.awaited(log.latest(game))
    move = {"type": "draw", "from": 1 - seat}
    log.append(game_id=game.pk, seq=game.seq + 1, actor=Actor("seat", seat), move=move, account=None)
    game.refresh_from_db()
    return game


def test_a_table_that_shows_what_a_late_move_missed_goes_on_with_the_turn(
    page: Page, to_draw: Game, problems: list[str]
) -> None:
    page.clock.resume()
    with page.expect_response(re.compile("/news/")):
        choose_pace(page, "0")
    held: list[Route] = []
    lost = [True]
    page.route("**/play/**", lambda route: route.abort() if lost else held.append(route))
    page.locator("#table [data-thing='pile:deck']").click()
    expect(page.get_by_text("The move is not sent yet.")).to_be_visible()
    game = take_instead(to_draw)
    lost.clear()
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq))
    has_come(page, held)
    held[0].continue_()
    expect(page.locator("#refusal")).to_contain_text("Too late.")
    page.unroute("**/play/**")
    expect(page.locator("#dock [data-part=said]")).to_contain_text(
        "The table has changed since. Pick the card"
    )
    expect(page.get_by_role("button", name="Choose from a list")).to_be_enabled()
    page.locator("#hand [data-thing]").first.click()
    page.locator("#dock [data-move]", has_text="Discard").click()
    expect(page.locator("#refusal")).to_be_hidden()
    assert all("409" in problem or "Failed to load resource" in problem for problem in problems)
    problems.clear()


@pytest.mark.usefixtures("lost_requests")
def test_offline_only_what_is_surely_a_move_waits_to_be_sent(page: Page, cast: Cast, log_in: LogIn) -> None:
    game = play(seated(cast), 3)
    (seat,) = replay.to_act(log.latest(game))
    log_in(page, (cast.paul, cast.petra)[seat])
    page.goto(f"/games/{game.pk}/")
    said, unsent = page.locator("#dock [data-part=said]"), page.get_by_text("The move is not sent yet.")
    card, pile = page.locator("#hand [data-thing]").first, page.locator(f"#table [data-thing='pile:{seat}']")
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")
    page.context.set_offline(True)
    pile.click()
    expect(said).to_contain_text("No connection: what this means can’t be asked now.")
    expect(unsent).to_be_hidden()
    card.click()
    expect(page.locator("#hand .picked")).to_have_count(1)
    expect(said).to_contain_text("No connection:")
    page.context.set_offline(False)
    expect(page.locator("#dock [data-move]", has_text="Discard")).to_be_visible()
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq))
    page.context.set_offline(True)
    pile.click()
    expect(unsent).to_be_visible()
    expect(said).to_contain_text("Discard")
    expect(page.locator("#table .seat.turn .badge.good")).to_be_hidden()
    page.context.set_offline(False)
    expect(page.locator("#live")).to_have_attribute("data-seq", str(game.seq + 1))

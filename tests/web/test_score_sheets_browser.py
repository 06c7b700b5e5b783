"""The sheet of a round and the grid of a card in a browser, with the keyboard alone."""

from collections.abc import Sequence
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from games import log, rules
from games.models import Game
from games.rules.card_game import CardGame
from league.models import Competition, Round, Table
from league.web import scores
from tests.browsing import LogIn, choose, excuse
from tests.factories import Cast
from tests.league.playing import PLAN, in_play
from tests.rules.scamper_scorecard.scenarios import EVENING
from tests.web.test_browser import violations_by_day_and_night

FOCUSED: Final = "[data-row] :focus"
"""The field in which typing begins, once the page is ready for it."""


@pytest.fixture
def competition(cast: Cast) -> Competition:
    """Two tables of four with cards of two rounds."""
    options = {"rounds": 2, "first_dealer_bonus": 0}
    return in_play(cast, 8, ruleset="scamper-scorecard", options=options)


def sheet(competition: Competition) -> str:
    return f"/rounds/{Round.objects.get(stage__competition=competition, number=1).pk}/scores/"


def games(competition: Competition) -> list[Game]:
    tables = Table.objects.filter(round__stage__competition=competition).order_by("number")
    return [table.games.get().game for table in tables]


def enter(page: Page, rounds: Sequence[str]) -> None:
    """Type rounds of points one after another, each followed by Enter, from where the focus is put.

    Each number is there at once: a row with half of one would be sent if the machine came to a halt.
    """
    expect(page.locator(FOCUSED)).to_be_visible()
    for points in " ".join(rounds).split():
        page.keyboard.insert_text(points)
        page.keyboard.press("Enter")


def written(game: Game) -> list[tuple[str, list[int]]]:
    """Return what was written on a card: each kind of move with its points."""
    return [
        (entry.move["type"], [seat["cards"] for seat in entry.move["seats"]])
        for entry in log.entries(game, 1)
    ]


def points(text: str) -> list[int]:
    return [int(each) for each in text.split()]


def test_a_round_is_typed_with_the_keyboard_alone_while_the_connection_drops(
    page: Page, cast: Cast, competition: Competition, log_in: LogIn, problems: list[str]
) -> None:
    log_in(page, cast.olga)
    page.goto(sheet(competition))
    status, first, second = page.locator(".save-state"), *games(competition)
    expect(page.locator(FOCUSED)).to_be_visible()
    expect(status).to_have_text("")
    enter(page, EVENING[:1])
    expect(status).to_have_text("Everything is saved.")
    assert written(first) == [("round", points(EVENING[0]))]
    page.context.set_offline(True)
    enter(page, EVENING[1:3])
    expect(status).to_contain_text("no connection")
    assert written(second) == []
    page.context.set_offline(False)
    expect(status).to_have_text("Everything is saved.")
    enter(page, EVENING[3:4])
    expect(status).to_have_text("Everything is saved.")
    assert written(first) == [("round", points(EVENING[number])) for number in (0, 1)]
    assert written(second) == [("round", points(EVENING[number])) for number in (2, 3)]
    expect(page.locator(f"#card-{first.pk} [data-total]")).to_have_text(["15", "35", "60", "85"])
    expect(page.locator(f"#card-{first.pk} [data-place]")).to_have_text(["1st", "2nd", "3rd", "4th"])
    expect(page.locator(f"#card-{second.pk} [data-status]")).to_have_text("Complete")
    problems.clear()  # The browser complains of the dropped connection.


def test_what_is_typed_without_a_connection_outlives_the_page(
    page: Page, cast: Cast, competition: Competition, log_in: LogIn, problems: list[str]
) -> None:
    log_in(page, cast.olga)
    page.goto(sheet(competition))
    expect(page.locator(FOCUSED)).to_be_visible()
    expect(page.locator(".save-state")).to_be_hidden()
    page.route("**/scores/", _without_posts)
    enter(page, EVENING[:1])
    expect(page.locator(".save-state")).to_contain_text("no connection")
    page.unroute("**/scores/")
    page.goto("/")
    page.goto(sheet(competition))
    expect(page.locator(".save-state")).to_have_text("Everything is saved.")
    assert written(games(competition)[0]) == [("round", points(EVENING[0]))]
    problems.clear()


def test_what_is_typed_after_a_log_out_is_saved_after_the_next_log_in(
    page: Page, cast: Cast, competition: Competition, log_in: LogIn, site: str, problems: list[str]
) -> None:
    log_in(page, cast.olga)
    page.goto(sheet(competition))
    expect(page.locator(FOCUSED)).to_be_visible()
    page.context.clear_cookies()
    enter(page, EVENING[:1])
    expect(page.locator(".save-state")).to_contain_text("log in again in another tab")
    log_in(page, cast.olga)
    page.context.add_cookies([{"name": "csrftoken", "value": "b" * 32, "url": site}])
    expect(page.locator(".save-state")).to_have_text("Everything is saved.")
    assert written(games(competition)[0]) == [("round", points(EVENING[0]))]
    excuse(page, problems, "Failed to load resource")


def _without_posts(route: Route) -> None:
    if route.request.method == "POST":
        route.abort()
    else:
        route.continue_()


def test_a_click_selects_a_number_so_that_typing_replaces_it(
    page: Page, cast: Cast, competition: Competition, log_in: LogIn
) -> None:
    log_in(page, cast.olga)
    for address in (sheet(competition), f"/games/{games(competition)[0].pk}/"):
        page.goto(address)
        first, second = (page.locator(f"input[name$='seats-{seat}-cards']").first for seat in (0, 1))
        first.fill("0")
        second.fill("55")
        first.click(position={"x": 3, "y": 10})
        page.keyboard.type("5")
        expect(first).to_have_value("5")
        second.click()
        second.click()
        page.keyboard.press("End")
        page.keyboard.type("1")
        expect(second).to_have_value("551")


def test_a_wrong_value_is_named_at_its_field(
    page: Page, cast: Cast, competition: Competition, log_in: LogIn
) -> None:
    log_in(page, cast.olga)
    page.goto(sheet(competition))
    enter(page, ["0 37 20 60"])
    card = page.locator(f"#card-{games(competition)[0].pk}")
    expect(card.get_by_text("multiples of 5")).to_be_visible()
    wrong = card.locator("[aria-invalid=true]")
    expect(wrong).to_have_value("37")
    for _field in range(3):
        page.keyboard.press("Shift+Enter")
    expect(wrong).to_be_focused()
    page.keyboard.type("35")
    page.keyboard.press("Enter")
    expect(page.locator(".save-state")).to_have_text("Everything is saved.")
    expect(card.locator("[aria-invalid=true]")).to_have_count(0)
    assert written(games(competition)[0]) == [("round", points(EVENING[0]))]


def test_the_second_sees_what_the_first_wrote(
    page: Page, phone: Page, cast: Cast, competition: Competition, log_in: LogIn
) -> None:
    for each in (page, phone):
        log_in(each, cast.olga)
        each.goto(sheet(competition))
    card = phone.locator(f"#card-{games(competition)[0].pk}")
    card.get_by_role("textbox").first.focus()
    # What is begun does not give way to what the other saves meanwhile.
    enter(phone, ["5"])
    enter(page, EVENING[:1])
    expect(page.locator(".save-state")).to_have_text("Everything is saved.")
    enter(phone, ["35 20 60"])
    expect(card.get_by_text("Meanwhile: olga enters deal 1")).to_be_visible()
    assert len(written(games(competition)[0])) == 1
    phone.get_by_role("button", name="Replace by mine").click()
    expect(phone.get_by_role("status")).to_have_text("Everything is saved.")
    assert written(games(competition)[0])[1:] == [("correct", [5, 35, 20, 60])]
    expect(page.locator(f"#card-{games(competition)[0].pk} input:not([type=hidden])").first).to_have_value(
        "5", timeout=60_000
    )


def field(page: Page, game: Game, name: str) -> Locator:
    """Return a field of a card, by deal and name: ``2.seats-0-cards``."""
    return page.locator(f"#card-{game.pk} [name$='.{name}']")


def test_a_saved_row_that_is_typed_over_without_a_pause_is_saved_as_it_ends(
    page: Page, cast: Cast, competition: Competition, log_in: LogIn
) -> None:
    log_in(page, cast.olga)
    page.goto(sheet(competition))
    enter(page, [EVENING[0], "10 0 20 30"])
    expect(page.locator(".save-state")).to_have_text("Everything is saved.")
    game = games(competition)[0]
    field(page, game, "2.seats-0-cards").click()
    for number in ("0", "10", "", ""):
        page.keyboard.type(number)
        page.keyboard.press("Enter")
    expect(page.locator(".save-state")).to_have_text("Everything is saved.")
    assert written(game)[2:] == [("correct", [0, 10, 20, 30])]


@pytest.mark.parametrize("between", ["0", "5"], ids=["refused", "saved"])
def test_what_is_typed_while_the_server_is_slow_to_answer_is_sent_afterwards(
    page: Page, cast: Cast, competition: Competition, log_in: LogIn, between: str
) -> None:
    held: list[Route] = []
    log_in(page, cast.olga)
    page.goto(sheet(competition))
    enter(page, ["10 0 20 30"])
    expect(page.locator(".save-state")).to_have_text("Everything is saved.")
    game = games(competition)[0]
    page.route("**/scores/", lambda route: held.append(route), times=1)
    with page.expect_request("**/scores/"):
        field(page, game, "1.seats-0-cards").fill(between)
        field(page, game, "2.seats-0-cards").focus()
    field(page, game, "1.seats-0-cards").fill("0")
    field(page, game, "1.seats-1-cards").fill("10")
    field(page, game, "2.seats-0-cards").focus()
    held[0].continue_()
    expect(page.locator(".save-state")).to_have_text("Everything is saved.")
    assert written(game)[-1] == ("correct", [0, 10, 20, 30])
    expect(page.locator(f"#card-{game.pk} [data-total]")).to_have_text(["0", "10", "20", "30"])


def test_totals_are_saved_once_all_are_typed_and_say_so(
    page: Page, cast: Cast, competition: Competition, log_in: LogIn
) -> None:
    log_in(page, cast.olga)
    page.goto(sheet(competition))
    card = page.locator(f"#card-{games(competition)[0].pk}")
    card.get_by_text("Enter totals only").click()
    expect(card.get_by_text("saved as soon as all of them are typed")).to_be_visible()
    for at, total in enumerate(("15", "35", "60", "85")):
        card.locator(".totals-row input:not([type=hidden])").nth(at).fill(total)
    assert page.locator(".save-state").inner_text() in ("Saving…", "Everything is saved.")
    expect(page.locator(".save-state")).to_have_text("Everything is saved.")
    expect(card.locator("[data-status]")).to_have_text("Result set")


@pytest.mark.parametrize("width", [1280, 390])
def test_the_totals_of_all_tables_are_typed_on_one_page_with_enter_alone(
    page: Page, cast: Cast, competition: Competition, log_in: LogIn, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    log_in(page, cast.olga)
    page.goto(sheet(competition))
    page.get_by_role("link", name="Enter only the totals of all tables").click()
    fields = page.locator("[data-row] input:not([type=hidden])")
    expect(fields).to_have_count(8)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    fields.first.focus()
    for total in ("15", "35", "sixty", "85", "10", "20", "30", "40"):
        page.keyboard.insert_text(total)
        page.keyboard.press("Enter")
    expect(page.locator(".save-state")).to_have_text("Not saved: correct what is marked.")
    assert fields.nth(2).input_value() == "sixty" and fields.nth(3).input_value() == "85"
    fields.nth(2).fill("60")
    fields.nth(2).press("Enter")
    expect(page.locator(".save-state")).to_have_text("Everything is saved.")
    expect(page.locator("[data-status]")).to_have_text(["Result set", "Result set"])
    scores = [
        [seat.score for seat in table.seats.order_by("number")] for table in Table.objects.order_by("number")
    ]
    assert scores == [[15, 35, 60, 85], [10, 20, 30, 40]]


def test_a_round_that_can_not_be_closed_yet_says_why(
    page: Page, cast: Cast, competition: Competition, log_in: LogIn
) -> None:
    log_in(page, cast.olga)
    page.goto(sheet(competition))
    enter(page, EVENING[:4])
    expect(page.get_by_role("button", name="Close the round")).to_be_enabled()
    reason = page.get_by_text("It can be closed once everything is saved.")
    expect(reason).to_be_hidden()
    field(page, games(competition)[0], "2.seats-0-cards").fill("")
    expect(page.get_by_role("button", name="Close the round")).to_be_disabled()
    expect(reason).to_be_visible()


def test_ten_rounds_are_typed_into_a_grid_without_a_submit(page: Page, cast: Cast, log_in: LogIn) -> None:
    players = [player.pk for player in cast.people(4)]
    game = cast.game("scamper-scorecard", {"first_dealer_bonus": 0}, players)
    log_in(page, cast.olga)
    page.goto(f"/games/{game.pk}/play/")
    enter(page, EVENING)
    expect(page.locator("[data-status]")).to_have_text("Complete")
    assert written(game) == [("round", points(cards)) for cards in EVENING]


def test_bonuses_and_penalties_are_reached_with_the_plus_key(page: Page, cast: Cast, log_in: LogIn) -> None:
    game = cast.game("scamper-scorecard", {"rounds": 1})
    log_in(page, cast.olga)
    page.goto(f"/games/{game.pk}/scores/")
    expect(page.locator(FOCUSED)).to_be_visible()
    page.keyboard.type("15+")
    expect(page.get_by_label("First dealer")).to_be_focused()
    for key in ("Enter", "Enter", "1", "Enter"):
        page.keyboard.press(key)
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    expect(page.locator("[data-status]")).to_have_text("Complete")
    assert log.entries(game, 1)[0].move["seats"] == [
        {"cards": 15, "adjustments": ["first_dealer", "misdeal"]},
        {"cards": 0},
    ]


def test_goals_and_winners_are_chosen_with_the_keyboard_and_the_card_grows(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    game = cast.game("scoops-scorecard", {"target": 6, "round_limit": 30})
    log_in(page, cast.olga)
    page.goto(f"/games/{game.pk}/scores/")
    expect(page.locator(FOCUSED)).to_be_visible()
    for number in range(11):
        for option in ("Bowl", "Petra" if number % 2 else "Paul"):
            choose(page, option)
            page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        expect(page.locator(f'[data-row$=".{number + 1}."]')).to_have_attribute("data-state", "agreed")
    expect(page.locator("[data-status]")).to_have_text("Complete")
    expect(page.locator("[data-total]")).to_have_text(["6", "5"])


def test_a_deal_is_not_sent_before_it_is_said_whether_the_declarer_has_won(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    game = cast.game("card-game", CardGame.shipped["skat"], players=[each.pk for each in cast.people(3)])
    log_in(page, cast.olga)
    page.goto(f"/games/{game.pk}/scores/")
    expect(page.locator(FOCUSED)).to_be_visible()
    for option in ("Paul", "Spades"):
        choose(page, option)
        page.keyboard.press("Enter")
    page.keyboard.insert_text("2")
    page.get_by_label("Deal 2, Declarer").focus()
    expect(page.locator(".save-state")).to_have_text("Not saved yet: fill in the whole row.")
    assert not log.entries(game, 1)
    page.get_by_label("Deal 1, Won").select_option("no")
    expect(page.locator('[data-row$=".1."]')).to_have_attribute("data-state", "agreed")
    page.get_by_label("Deal 2, Declarer").select_option("Nobody")
    expect(page.locator('[data-row$=".2."]')).to_have_attribute("data-state", "agreed")
    assert [entry.move.get("won") for entry in log.entries(game, 1)] == [False, None]


def test_rows_wait_for_one_that_is_refused_and_are_saved_after_it(
    page: Page, cast: Cast, log_in: LogIn
) -> None:
    game = cast.game("card-game", CardGame.shipped["skat"], players=[each.pk for each in cast.people(4)])
    log_in(page, cast.olga)
    page.goto(f"/games/{game.pk}/scores/")
    expect(page.locator(FOCUSED)).to_be_visible()
    expect(page.locator('[data-row$=".2."] th')).to_contain_text("Petra Plum deals")
    for field, chosen in (("Declarer", "Paul Pike"), ("Game", "Spades"), ("Won", "yes")):
        page.get_by_label(f"Deal 1, {field}").select_option(chosen)
    page.get_by_label("Deal 1, Times").fill("2")
    expect(page.locator('[data-note$=".1."]')).to_have_text("The dealer sits out and declares nothing.")
    page.get_by_label("Deal 2, Declarer").select_option("Nobody")
    expect(page.locator('[data-note$=".2."]')).to_have_text("Waits for deal 1, and is saved after it.")
    page.get_by_label("Deal 1, Declarer").select_option("Petra Plum")
    expect(page.locator('[data-row$=".2."]')).to_have_attribute("data-state", "agreed")
    assert [entry.move.get("declarer") for entry in log.entries(game, 1)] == [1, None]


@pytest.mark.parametrize("game", ["skat", "doppelkopf", "jass"])
def test_on_a_phone_every_choice_of_a_deal_is_seen_whole(
    phone: Page, cast: Cast, log_in: LogIn, game: str
) -> None:
    stages = [{**PLAN, "table_size": 4}]
    competition = in_play(cast, 8, ruleset="card-game", options=CardGame.shipped[game], stages=stages)
    log_in(phone, cast.olga)
    for width in (390, 360):
        phone.set_viewport_size({"width": width, "height": 800})
        phone.goto(sheet(competition))
        fields = phone.locator(".results-grid select, .results-grid input:not([type=hidden])")
        boxes = [box for each in fields.all() if (box := each.bounding_box())]
        assert len(boxes) > 10
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
        assert all(box["width"] >= 100 and box["height"] >= 44 for box in boxes)
        assert phone.evaluate("document.documentElement.scrollWidth") <= width
    assert violations_by_day_and_night(phone) == []


@pytest.mark.parametrize("game", [*CardGame.shipped])
def test_the_sheet_of_every_shipped_game_is_seen_whole(
    page: Page, cast: Cast, log_in: LogIn, game: str
) -> None:
    options = CardGame.shipped[game]
    size = min(4, *rules.of("card-game", options).seats[-1:])
    stages = [{**PLAN, "table_size": size}]
    competition = in_play(cast, size, ruleset="card-game", options=options, stages=stages)
    log_in(page, cast.olga)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(sheet(competition))
        (card,) = page.locator(".results .scroll").all()
        assert card.evaluate("each => each.scrollWidth - each.clientWidth") == 0


@pytest.mark.parametrize("key", ["scamper-scorecard", "scoops-scorecard", "scram-scorecard"])
def test_the_sheet_keeps_nobody_out_and_fits(phone: Page, cast: Cast, log_in: LogIn, key: str) -> None:
    stages = [{**PLAN, "table_size": 4}]
    competition = in_play(cast, 8, ruleset=key, stages=stages)
    log_in(phone, cast.olga)
    for address in (sheet(competition), "/scores/"):
        phone.goto(address)
        assert violations_by_day_and_night(phone) == []
        assert phone.evaluate("document.documentElement.scrollWidth - screen.width") <= 0


def test_enter_in_the_last_field_goes_on_to_the_next_sheet_once_all_is_saved(
    page: Page, cast: Cast, competition: Competition, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scores, "MOST_TABLES", 1)
    log_in(page, cast.olga)
    page.goto(sheet(competition))
    with page.expect_navigation(url="**/?part=2"):
        enter(page, EVENING[:2])
    enter(page, EVENING[2:3])
    expect(page.locator(".save-state")).to_have_text("Everything is saved.")
    assert [len(written(game)) for game in games(competition)] == [2, 1]
    page.locator("[data-row] input:not([type=hidden])").first.focus()
    with page.expect_navigation(url="**/?part=1#end"):
        page.keyboard.press("Shift+Enter")

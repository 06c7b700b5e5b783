"""The sheet of a round and the grid of a card in a browser, with the keyboard alone."""

from collections.abc import Sequence
from typing import Final, Literal

import pytest
from playwright.sync_api import Page, Route, expect

from games import log
from games.models import Game
from league.models import Competition, Round, Table
from league.web import scores
from tests import factories
from tests.browsing import LogIn
from tests.factories import Cast
from tests.league.playing import PLAN, in_play
from tests.rules.scamper_scorecard.scenarios import EVENING
from tests.web.test_browser import violations

SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return factories.cast()


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
    """Type rounds of points one after another, each followed by Enter."""
    for points in " ".join(rounds).split():
        page.keyboard.type(points)
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
    page.route("**/scores/", _without_posts)
    enter(page, EVENING[:1])
    expect(page.locator(".save-state")).to_contain_text("no connection")
    page.unroute("**/scores/")
    page.goto("/")
    page.goto(sheet(competition))
    expect(page.locator(".save-state")).to_have_text("Everything is saved.")
    assert written(games(competition)[0]) == [("round", points(EVENING[0]))]
    problems.clear()


def _without_posts(route: Route) -> None:
    if route.request.method == "POST":
        route.abort()
    else:
        route.continue_()


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
    enter(page, EVENING[:1])
    expect(page.locator(".save-state")).to_have_text("Everything is saved.")
    card = phone.locator(f"#card-{games(competition)[0].pk}")
    card.get_by_role("textbox").first.focus()
    enter(phone, ["5 35 20 60"])
    expect(card.get_by_text("Meanwhile: olga enters deal 1")).to_be_visible()
    assert len(written(games(competition)[0])) == 1
    phone.get_by_role("button", name="Replace by mine").click()
    expect(phone.get_by_role("status")).to_have_text("Everything is saved.")
    assert written(games(competition)[0])[1:] == [("correct", [5, 35, 20, 60])]
    expect(page.locator(f"#card-{games(competition)[0].pk} input:not([type=hidden])").first).to_have_value(
        "5", timeout=60_000
    )


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
    for number in range(11):
        page.keyboard.type("Bowl")
        page.keyboard.press("Enter")
        page.keyboard.type("Petra" if number % 2 else "Paul")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        expect(page.locator(f'[data-row$=".{number + 1}."]')).to_have_attribute("data-state", "agreed")
    expect(page.locator("[data-status]")).to_have_text("Complete")
    expect(page.locator("[data-total]")).to_have_text(["6", "5"])


@pytest.mark.parametrize("key", ["scamper-scorecard", "scoops-scorecard", "scram-scorecard"])
def test_the_sheet_keeps_nobody_out_and_fits(phone: Page, cast: Cast, log_in: LogIn, key: str) -> None:
    stages = [{**PLAN, "table_size": 4}]
    competition = in_play(cast, 8, ruleset=key, stages=stages)
    log_in(phone, cast.olga)
    for scheme in SCHEMES:
        phone.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for address in (sheet(competition), "/scores/"):
            phone.goto(address)
            assert violations(phone) == []
            assert phone.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


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

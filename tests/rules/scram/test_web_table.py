"""Scram! at the table in a browser: what is asked beside a move, and how cards travel."""

import re
from itertools import product
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Locator, Page, expect

from games import log
from games.engine import replay
from games.engine.replay import Actor
from games.models import Game
from tests import factories
from tests.browsing import LogIn, becomes, count_flights, settle
from tests.factories import Cast
from tests.rules.scram.dealing import deal


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return factories.cast()


@pytest.fixture
def game(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game of three in which Paul, the solo, has three cards that differ and draws an 11."""
    deal(monkeypatch, {0: "4", 1: "9", 2: "2", 19: "11"})
    return cast.game("scram", players=[player.pk for player in cast.people(3)])


@pytest.fixture
def drawn(game: Game, cast: Cast, phone: Page, page: Page, log_in: LogIn) -> Page:
    """The page on which Paul has drawn the 11."""
    for each in (phone, page):
        count_flights(each)
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    thing(phone, "pile:deck").tap()
    expect(phone.locator("#table [data-held='11']")).to_have_count(1)
    return phone


def thing(page: Page, name: str) -> Locator:
    return page.locator(f"[data-thing='{name}']")


def pick(page: Page, *names: str) -> None:
    for name in names:
        thing(page, name).tap()
    expect(page.locator("#table .picked")).to_have_count(len(names))
    expect(page.locator("#dock")).to_have_attribute("data-state", "shown")


def test_a_campsite_says_what_a_tap_does_with_a_13(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, german: Page, log_in: LogIn
) -> None:
    deal(monkeypatch, {19: "13"})
    game = cast.game("scram", players=[player.pk for player in cast.people(3)])
    log_in(german, cast.paul)
    german.goto(f"/games/{game.pk}/")
    thing(german, "pile:deck").tap()
    expect(german.locator("#dock [data-part=moves] button:not(.opener)")).to_have_text(
        ["Die 13 nutzen", "Die gezogene Karte abwerfen"]
    )
    expect(german.locator("#table [data-held]")).to_have_text(re.compile("13.*gezogen$"))
    german.get_by_role("button", name="Die 13 nutzen").tap()
    expect(thing(german, "seat:1")).to_have_attribute("data-does", "Hierhin legen: links oder rechts")
    settle(german)
    is_cut = "labels => labels.filter((label) => label.scrollWidth > label.clientWidth).length"
    assert (
        german.locator("#dock [data-part=moves] button:not(.opener), #table [data-thing^=seat]").evaluate_all(
            is_cut
        )
        == 0
    )
    thing(german, "seat:1").tap()
    expect(german.locator("#dock [data-move]")).to_have_text([re.compile("^Rechts"), re.compile("^Links")])


def test_a_drawn_card_is_dragged_onto_the_one_that_it_replaces(drawn: Page) -> None:
    settle(drawn)
    start, end = (
        drawn.locator(each).bounding_box() for each in ("#table [data-held]", "[data-thing='at:0.1']")
    )
    assert start and end
    drawn.mouse.move(start["x"] + 9, start["y"] + 9)
    drawn.mouse.down()
    drawn.wait_for_timeout(300)
    drawn.mouse.move(end["x"] + 9, end["y"] + 9, steps=5)
    drawn.mouse.up()
    expect(thing(drawn, "at:0.1")).to_have_class(re.compile("picked"))
    expect(drawn.locator("#dock [data-move]").first).to_be_visible()


def test_the_top_of_a_deck_that_is_empty_is_not_spoken_of(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal(monkeypatch, {55: "12"})
    game = cast.game("scram", players=[player.pk for player in cast.people(3)])
    turns = product(range(37), ({"type": "draw", "from": "deck"}, {"type": "discard"}))
    for seq, (_, made) in enumerate([*turns][:-1], 2):
        game.refresh_from_db()
        (seat,) = replay.awaited(log.latest(game))
        log.append(game_id=game.pk, seq=seq, actor=Actor("seat", seat), move=made, account=None)
    client = Client()
    client.force_login(cast.paul)
    text = client.get(f"/games/{game.pk}/").content.decode()
    assert "deck: 0" in text and 'data-held="12"' in text
    assert "for the action of the 12" not in text


def test_where_cards_of_the_deck_are_added_is_asked_for_three_cards_and_not_for_two(
    drawn: Page, game: Game
) -> None:
    question = drawn.locator("#dock").get_by_label("Cards added from the deck at (B12)")
    pick(drawn, "at:0.0", "at:0.1")
    expect(question).to_have_count(0)
    thing(drawn, "at:0.2").tap()
    expect(question.locator("option")).to_have_text(["the same end", "the right", "the left"])
    question.select_option("the left")
    drawn.get_by_role("button", name="add it at the right").tap()
    expect(drawn.locator("#where")).to_contain_text("the left")
    game.refresh_from_db()
    view: Any = replay.view(log.latest(game), None)
    sides = "".join("^v"[each["card"] is None] for each in view["campsites"][0])
    assert sides == "v" + "^^^" + "vvv" + "^^" + "v"


def test_cards_that_are_exchanged_cross_unless_the_reader_wants_no_motion(
    game: Game, cast: Cast, drawn: Page, page: Page, log_in: LogIn
) -> None:
    log_in(page, cast.petra)
    page.goto(f"/games/{game.pk}/")
    drawn.emulate_media(reduced_motion="reduce")
    pick(drawn, "at:0.0", "at:1.0")
    seen = drawn.evaluate("flights")
    drawn.get_by_role("button", name="Use the action").tap()
    for each in (drawn, page):
        expect(each.locator("#where")).to_contain_text("exchanges")
    # Beside the two there is the 11, which goes to the discards.
    becomes(lambda: page.evaluate("flights"), 3)
    settle(drawn)
    assert drawn.evaluate("flights") == seen

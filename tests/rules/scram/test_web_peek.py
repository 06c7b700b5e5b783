"""A card that a seat looks at turns over where it lies, and turns back when the player has seen it (A4)."""

import pytest
from playwright.sync_api import Locator, Page, expect

from games.models import Game
from tests import factories
from tests.api.web import bearer, move
from tests.browsing import LogIn
from tests.factories import Cast
from tests.rules.scram.dealing import deal

DRAW = {"type": "draw", "from": "deck"}


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return factories.cast()


@pytest.fixture
def game(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game of three in which Paul, the solo, can look at a 4 of his own and a 9 of Petra's with a 6."""
    deal(monkeypatch, {0: "4", 8: "9", 19: "6"})
    return cast.game("scram", players=[player.pk for player in cast.people(3)])


@pytest.fixture
def looking(game: Game, cast: Cast, phone: Page, log_in: LogIn) -> Page:
    """The page on which Paul has looked at both cards, one by one."""
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    thing(phone, "pile:deck").tap()
    expect(phone.locator("#table [data-held='6']")).to_have_count(1)
    for name in ("at:0.0", "at:1.0"):
        thing(phone, name).tap()
        phone.get_by_role("button", name="Use the action").tap()
        expect(thing(phone, name).locator(".peek")).to_have_count(1)
    return phone


def thing(page: Page, name: str) -> Locator:
    return page.locator(f"[data-thing='{name}']")


def test_both_cards_lie_face_up_in_their_places_and_are_spoken_once(looking: Page) -> None:
    expect(thing(looking, "at:0.0").locator(".peek")).to_contain_text("4")
    expect(thing(looking, "at:1.0").locator(".peek")).to_contain_text("9")
    expect(looking.locator("#announcer")).to_contain_text("You look at:")
    expect(looking.locator("#where")).to_contain_text("goes on with the 6: looks at card 1 of")


def test_the_moves_of_others_wait_until_they_are_seen(looking: Page, game: Game, cast: Cast) -> None:
    expect(looking.locator("#table [data-peek]")).to_have_count(2)
    with looking.expect_response("**/news/**"):
        assert move(bearer(cast.petra), game, 5, DRAW).status_code == 201
    expect(looking.locator("#live")).to_have_attribute("data-seq", "4")
    expect(looking.locator("#dock")).to_contain_text("Remember what you see")
    looking.get_by_role("button", name="Got it").tap()
    expect(looking.locator("#live")).to_have_attribute("data-seq", "5")
    expect(looking.locator("#moves-list > li")).to_have_count(5)
    expect(looking.locator("#table [data-peek]")).to_have_count(0)
    expect(looking.locator("#announcer")).not_to_contain_text("You look at:")


def test_cards_that_have_turned_back_stay_so_when_the_page_is_loaded_again(looking: Page) -> None:
    expect(looking.locator("#table [data-peek]")).to_have_count(2)
    thing(looking, "at:2.0").tap()
    expect(looking.locator("#table [data-peek]")).to_have_count(0)
    looking.reload()
    expect(looking.locator("#dock")).to_have_attribute("data-state", "shown")
    expect(looking.locator("#table [data-peek]")).to_have_count(0)
    expect(thing(looking, "at:1.0")).not_to_contain_text("9")


def test_cards_that_are_still_face_up_in_the_next_turn_are_turned_back_by_a_button(
    looking: Page, game: Game, cast: Cast
) -> None:
    for seq, made in enumerate((DRAW, {"type": "discard"}), 5):
        assert move(bearer(cast.petra), game, seq, made).status_code == 201
    looking.reload()
    expect(looking.locator("#turn")).to_have_count(1)
    expect(looking.locator("#table [data-peek]")).to_have_count(2)
    looking.get_by_role("button", name="Got it").tap()
    expect(looking.locator("#table [data-peek]")).to_have_count(0)
    expect(looking.locator("#table .takes").first).to_be_visible()
    looking.reload()
    expect(looking.locator("#dock")).to_have_attribute("data-state", "shown")
    expect(looking.locator("#table [data-peek]")).to_have_count(0)
    expect(looking.get_by_role("button", name="Got it")).to_have_count(0)


def test_what_a_chosen_action_is_not_for_is_explained_and_nothing_else_is_offered(
    game: Game, cast: Cast, phone: Page, log_in: LogIn
) -> None:
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    thing(phone, "pile:deck").tap()
    expect(phone.locator("#table [data-held='6']")).to_have_count(1)
    phone.get_by_role("button", name="Use the 6").tap()
    expect(phone.locator("#table .choice").first).to_be_visible()
    thing(phone, "at:0.7").tap()
    said = phone.locator("#dock [data-part=said]")
    expect(said).to_contain_text("The 6 is for face-down cards of any campsites, or the deck's top 2. A0")
    thing(phone, "at:0.0").tap()
    expect(said).to_contain_text("Use the action now, or pick 1 more card first.")
    expect(phone.locator("#dock [data-move]")).to_have_text(["Use the action"])
    for name in ("Undo", "Don’t use the 6"):
        phone.get_by_role("button", name=name).tap()
    expect(phone.locator("#dock [data-move]")).to_have_text(["Discard the drawn card"])


def test_cards_stay_face_up_while_their_exchange_is_to_be_decided(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, phone: Page, log_in: LogIn
) -> None:
    deal(monkeypatch, {0: "4", 8: "9", 19: "12"})
    game = cast.game("scram", players=[player.pk for player in cast.people(3)])
    log_in(phone, cast.paul)
    phone.goto(f"/games/{game.pk}/")
    thing(phone, "pile:deck").tap()
    expect(phone.locator("#table [data-held='12']")).to_have_count(1)
    said = phone.locator("#dock [data-part=said]")
    expect(said.get_by_text("12:")).to_be_in_viewport(ratio=1)
    expect(said.get_by_role("link", name="Rule A0")).to_be_in_viewport(ratio=1)
    for name in ("at:0.0", "at:1.0"):
        thing(phone, name).tap()
    phone.get_by_role("button", name="Use the action").tap()
    expect(phone.locator("#table [data-peek]")).to_have_count(2)
    expect(phone.locator("#dock [data-move]")).to_have_count(2)
    expect(phone.get_by_role("button", name="Got it")).to_have_count(0)
    phone.locator("#dock [data-move]").first.tap()
    expect(phone.locator("#live")).to_have_attribute("data-seq", str(game.seq + 3))
    expect(phone.locator("#table [data-peek]")).to_have_count(0)

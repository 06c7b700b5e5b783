"""Score cards on their page: entered on a phone by keyboard, confirmed in one tap, corrected, never lost."""

import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from games import log
from games.models import Game
from league.callers import ByAccount
from league.models import Member
from league.services.play import make_move
from tests import factories
from tests.browsing import LogIn, settle
from tests.factories import Cast, MemberFactory
from tests.web.conftest import Visit
from tests.web.test_browser import violations, violations_by_day_and_night
from tests.web.test_game import page_text

WORDS = {"round": "Enter deal", "correct": "?form=correct-1", "confirm": "Deal 1 is right"}


def card(cast: Cast, seats: int = 3, **options: Any) -> Game:
    """Return a new score card at whose table Paul and Petra sit first."""
    return cast.game("scamper-scorecard", options, [player.pk for player in cast.people(seats)])


def entered(cast: Cast, game: Game, *cards: int, seq: int = 2, number: int = 1) -> None:
    """Let Paul enter a round."""
    held = [{"cards": points} for points in cards]
    move = {"type": "round", "round": number, "seats": held}
    make_move(ByAccount(cast.paul), game_id=game.pk, seq=seq, move=move)


def sent(
    game: Game, *cards: str, seq: int = 2, kind: str = "round", more: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return what the form for round 1 sends."""
    row = {f"seats-{seat}-cards": points for seat, points in enumerate(cards)} | {**(more or {})}
    return {"seq": str(seq), "type": kind} | {f"{game.pk}.1.{name}": text for name, text in row.items()}


ROW = f"{UUID(int=1)}.1."


@pytest.mark.django_db
class TestForm:
    @pytest.fixture
    def game(self, cast: Cast) -> Game:
        return card(cast)

    def send(self, client: Client, game: Game, fields: dict[str, str]) -> Any:
        return client.post(f"/games/{game.pk}/play/", fields)

    def test_enters_a_round_with_all_that_stands_in_its_lines(
        self, as_account: Visit, cast: Cast, game: Game
    ) -> None:
        names = {"seats-0-adjustments-exact_deal": "1", "seats-1-adjustments-wrong_challenge": "2"}
        answer = self.send(as_account(cast.paul), game, sent(game, "0", "35", " 20 ", more=names))
        assert answer["Location"] == f"/games/{game.pk}/#messages"
        assert log.entries(game, 1)[0].move["seats"] == [
            {"cards": 0, "adjustments": ["exact_deal"]},
            {"cards": 35, "adjustments": ["wrong_challenge", "wrong_challenge"]},
            {"cards": 20},
        ]

    @pytest.mark.parametrize(
        ("cards", "status", "said", "marked"),
        [
            (("0", "7", "5"), 422, "multiples of 5", 1),
            (("0", "0", "5"), 422, "At most one seat", 2),
            (("0", "", "5"), 400, "This field is required", 1),
            (("0", "x", "-5"), 400, "This must be between 0 and", 2),
        ],
    )
    def test_keeps_what_was_typed_and_marks_what_cannot_be(
        self,
        as_account: Visit,
        cast: Cast,
        game: Game,
        cards: tuple[str, ...],
        status: int,
        said: str,
        marked: int,
    ) -> None:
        answer = self.send(as_account(cast.paul), game, sent(game, *cards))
        page = page_text(answer)
        assert (answer.status_code, page.count('aria-invalid="true"')) == (status, marked)
        assert said in page and "seats." not in page
        assert re.findall(r'\.seats-\d-cards" value="([^"]*)"', page)[:3] == list(cards)
        assert len(log.entries(game)) == 1

    def test_puts_what_came_too_late_into_a_correction(
        self, as_account: Visit, cast: Cast, game: Game
    ) -> None:
        entered(cast, game, 0, 35, 20)
        answer = self.send(as_account(cast.petra), game, sent(game, "0", "30", "20"))
        page = page_text(answer)
        assert answer.status_code == 409
        assert page.index("Correct deal 1</h2>") < page.index("Enter deal 2</h2>")
        assert 'value="30"' in page
        answer = self.send(as_account(cast.petra), game, sent(game, "0", "30", "20", seq=3, kind="correct"))
        assert answer.status_code == 302
        page = page_text(as_account(cast.paul).get(f"/games/{game.pk}/"))
        assert "enters deal 1: 0, 35, 20" in page and "corrects deal 1: 0, 30, 20" in page

    @pytest.mark.parametrize("count", ["100", "-1", "many", "9" * 30])
    def test_takes_no_name_more_often_than_a_line_may_hold(
        self, as_account: Visit, cast: Cast, game: Game, count: str
    ) -> None:
        fields = sent(game, "0", "5", "5", more={"seats-1-adjustments-advice": count})
        answer = self.send(as_account(cast.paul), game, fields)
        assert answer.status_code == 400
        assert "This must have 0 to 20 items" in page_text(answer)

    @pytest.mark.parametrize(
        "fields",
        [
            {"seats-0-cards": "5"},
            {"type": "round"},
            {"type": "round", ROW: "5"},
            {"type": "round", f"{ROW}seats-x-cards": "5"},
            {"type": "round", f"{'-' * 36}.1.seats-0-cards": "5"},
            {"type": "round", f"{ROW}hats-0-shoes": "5"},
        ],
    )
    def test_that_is_damaged_enters_nothing(
        self, as_account: Visit, cast: Cast, game: Game, fields: dict[str, str]
    ) -> None:
        assert self.send(as_account(cast.paul), game, {"seq": "2", **fields}).status_code == 400
        assert len(log.entries(game)) == 1


@pytest.mark.django_db
class TestWho:
    @pytest.mark.parametrize(
        ("role", "may"),
        [
            (Member.Role.SCOREKEEPER, {"round": True, "correct": True, "confirm": True}),
            (Member.Role.ORGANISER, {"round": True, "correct": True, "confirm": True}),
            (Member.Role.PLAYER, {"round": False, "correct": False, "confirm": False}),
        ],
    )
    def test_without_a_seat_may_do_what_the_role_says(
        self, as_account: Visit, cast: Cast, role: str, may: dict[str, bool]
    ) -> None:
        account = MemberFactory.create(club=cast.club, role=role).account
        for kind, allowed in may.items():
            game = card(cast)
            if kind != "round":
                entered(cast, game, 0, 5, 10)
            page = page_text(as_account(account).get(f"/games/{game.pk}/"))
            assert (WORDS[kind] in page) == allowed
            fields = {"seq": "3", "type": kind, "offer": '{"type": "confirm", "round": 1}'}
            if kind != "confirm":
                fields = sent(game, "0", "5", "15", seq=2 + (kind == "correct"), kind=kind)
            answer = as_account(account).post(f"/games/{game.pk}/play/", fields)
            assert answer.status_code == (302 if allowed else 403)

    def test_wrote_without_a_seat_is_told_in_the_log(self, client: Client, cast: Cast) -> None:
        game = card(cast, 2)
        lines = [{"cards": 0}, {"cards": 5}]
        for seq, (by, number) in enumerate(((cast.olga, 1), (cast.paul, 2)), 2):
            move = {"type": "round", "round": number, "seats": lines}
            make_move(ByAccount(by), game_id=game.pk, seq=seq, move=move)
        make_move(ByAccount(cast.olga), game_id=game.pk, seq=4, move={"type": "confirm", "round": 2})
        page = page_text(client.get(f"/games/{game.pk}/"))
        assert "An organiser or scorekeeper enters deal 1: 0, 5" in page
        assert "An organiser or scorekeeper confirms deal 2" in page
        assert "confirmed by an organiser or scorekeeper" in page

    def test_watches_sees_the_card_and_no_form(self, client: Client, cast: Cast) -> None:
        game = card(cast)
        entered(cast, game, 0, 35, 20)
        page = page_text(client.get(f"/games/{game.pk}/"))
        assert "entered by Paul Pike" in page and "to be confirmed" in page
        assert re.findall('<form[^>]* action="([^"]*)"', page) == ["/language/"]

    def test_entered_it_is_not_asked_to_confirm_it(self, as_account: Visit, cast: Cast) -> None:
        game = card(cast)
        entered(cast, game, 0, 35, 20)
        assert "Deal 1 is right" not in page_text(as_account(cast.paul).get(f"/games/{game.pk}/"))
        assert "Deal 1 is right" in page_text(as_account(cast.petra).get(f"/games/{game.pk}/"))

    def test_scans_the_code_comes_through_the_log_in_to_the_form(
        self, client: Client, as_account: Visit, cast: Cast
    ) -> None:
        address = f"/games/{card(cast).pk}/"
        assert client.get(f"{address}play/")["Location"] == f"/account/login/?next={address}play/"
        assert as_account(cast.paul).get(f"{address}play/")["Location"] == f"{address}#play"


class TestOnAPhone:
    @pytest.fixture
    def cast(self, transactional_db: None) -> Cast:
        return factories.cast()

    def test_a_round_is_entered_with_the_keyboard_alone(self, phone: Page, cast: Cast, log_in: LogIn) -> None:
        game = card(cast, 4)
        log_in(phone, cast.paul)
        phone.goto(f"/games/{game.pk}/play/")
        settle(phone)
        phone.keyboard.press("Tab")
        expect(phone.get_by_label("Paul Pike (Cards)", exact=False)).to_be_focused()
        for points in ("0", "35", "20", "15"):
            phone.keyboard.type(points)
            phone.keyboard.press("Enter")
        expect(phone.get_by_role("heading", name="Enter deal 2")).to_be_visible()
        assert [held["cards"] for held in log.entries(game, 1)[0].move["seats"]] == [0, 35, 20, 15]
        expect(phone.locator("#messages")).to_be_focused()
        expect(phone.locator("#messages")).to_be_in_viewport()
        for key in ("Tab", "Enter", "Tab"):
            phone.keyboard.press(key)
        expect(phone.get_by_label("Paul Pike (Cards)", exact=False)).to_be_focused()

    def test_a_round_is_entered_without_scripts(self, plain: Page, cast: Cast, log_in: LogIn) -> None:
        game = card(cast, 2)
        log_in(plain, cast.paul)
        plain.goto(f"/games/{game.pk}/play/")
        plain.get_by_label("Petra Plum (Cards)").fill("35")
        plain.keyboard.press("Enter")
        expect(plain.get_by_label("Paul Pike (Cards)")).to_be_focused()
        plain.keyboard.type("0")
        plain.keyboard.press("Enter")
        expect(plain.get_by_role("heading", name="Enter deal 2")).to_be_visible()
        assert [held["cards"] for held in log.entries(game, 1)[0].move["seats"]] == [0, 35]

    def test_totals_run_along(self, phone: Page, cast: Cast, log_in: LogIn) -> None:
        game = card(cast, 3)
        entered(cast, game, 0, 35, 20)
        log_in(phone, cast.paul)
        phone.goto(f"/games/{game.pk}/")
        line = phone.locator("[data-line]").nth(1)
        expect(line.locator(".so-far")).to_have_text("total 35")
        line.get_by_label("Petra Plum (Cards)").fill("40")
        expect(line.locator(".so-far")).to_have_text("total 75")
        line.get_by_text("Adjustments").click()
        line.get_by_label("Wrong challenge").fill("2")
        expect(line.locator(".so-far")).to_have_text("total 115")
        phone.goto(f"/games/{game.pk}/?form=correct-1")
        line = phone.locator("[data-grid=correct-1] [data-line]").nth(1)
        line.get_by_label("Petra Plum (Cards)").fill("30")
        expect(line.locator(".so-far")).to_have_text("total 30")

    def test_a_round_is_confirmed_in_one_tap(self, phone: Page, cast: Cast, log_in: LogIn) -> None:
        game = card(cast, 3)
        entered(cast, game, 0, 35, 20)
        log_in(phone, cast.petra)
        phone.goto(f"/games/{game.pk}/")
        expect(phone.locator(".confirm")).to_contain_text("entered by Paul Pike")
        phone.get_by_role("button", name="Deal 1 is right").tap()
        expect(phone.locator("#sheet")).to_contain_text("confirmed by Petra Plum")

    def test_deals_confirmed_in_quick_succession_all_count(
        self, phone: Page, cast: Cast, log_in: LogIn
    ) -> None:
        game = card(cast, 3)
        for number in (1, 2, 3):
            entered(cast, game, 0, 35, 20, seq=number + 1, number=number)
        log_in(phone, cast.petra)
        phone.goto(f"/games/{game.pk}/")
        phone.wait_for_load_state()
        for number in (1, 2):
            phone.get_by_role("button", name=f"Deal {number} is right").tap()
        expect(phone.locator("#messages")).to_contain_text("2 deals are confirmed")
        expect(phone.locator(".confirm")).to_have_count(1)
        expect(phone.locator(".confirm")).to_contain_text("Is deal 3 right?")

    def test_what_is_being_typed_outlives_what_others_do(
        self, phone: Page, cast: Cast, log_in: LogIn, problems: list[str]
    ) -> None:
        game = card(cast, 3)
        entered(cast, game, 0, 35, 20)
        log_in(phone, cast.paul)
        with phone.expect_request("**/events/**"):
            phone.goto(f"/games/{game.pk}/")
        field = phone.get_by_label("Paul Pike (Cards)")
        field.fill("45")
        confirm = {"type": "confirm", "round": 1}
        make_move(ByAccount(cast.petra), game_id=game.pk, seq=3, move=confirm)
        expect(phone.locator("#sheet")).to_contain_text("confirmed by Petra Plum")
        expect(field).to_have_value("45")
        second = {"type": "round", "round": 2, "seats": [{"cards": points} for points in (50, 0, 5)]}
        make_move(ByAccount(cast.petra), game_id=game.pk, seq=4, move=second)
        expect(phone.locator("#sheet")).to_contain_text("entered by Petra Plum")
        expect(field).to_have_value("45")
        for seat, points in ((1, "0"), (2, "5")):
            phone.locator(f"#round-2-seats-{seat}-cards").fill(points)
        phone.get_by_role("button", name="Enter deal 2").tap()
        expect(phone.get_by_role("heading", name="Correct deal 2")).to_be_visible()
        expect(phone.get_by_label("Paul Pike (Cards)").first).to_have_value("45")
        assert "409" in problems.pop()

    def test_what_cannot_be_is_refused_at_its_field_and_put_right_there(
        self, phone: Page, cast: Cast, log_in: LogIn, problems: list[str]
    ) -> None:
        game = card(cast, 3)
        log_in(phone, cast.paul)
        phone.goto(f"/games/{game.pk}/play/")
        for seat, points in enumerate(("0", "37", "0")):
            phone.locator(f"#round-1-seats-{seat}-cards").fill(points)
        phone.get_by_role("button", name="Enter deal 1").tap()
        wrong = phone.get_by_label("Petra Plum (Cards)")
        expect(wrong).to_be_focused()
        expect(wrong).to_have_accessible_description("total 37 The points of cards are multiples of 5.")
        assert violations(phone) == []
        assert "422" in problems.pop()
        wrong.fill("35")
        phone.get_by_role("button", name="Enter deal 1").tap()
        expect(phone.get_by_label("Paul Pike (Cards)")).to_be_focused()
        expect(phone.get_by_text("At most one seat can have gone out.").first).to_be_visible()
        phone.locator("#round-1-seats-2-cards").fill("20")
        phone.get_by_role("button", name="Enter deal 1").tap()
        expect(phone.get_by_role("heading", name="Enter deal 2")).to_be_visible()
        assert "422" in problems.pop()

    @pytest.mark.parametrize("seats", [2, 10])
    def test_keeps_nobody_out_and_fits(self, phone: Page, cast: Cast, log_in: LogIn, seats: int) -> None:
        game = card(cast, seats)
        entered(cast, game, *range(0, 5 * seats, 5))
        log_in(phone, cast.petra)
        phone.set_viewport_size({"width": 360, "height": 740})
        for form in ("", "?form=correct-1"):
            phone.goto(f"/games/{game.pk}/{form}")
            assert violations_by_day_and_night(phone) == []
            assert phone.evaluate("document.documentElement.scrollWidth - screen.width") <= 0

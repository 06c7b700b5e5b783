"""Scores entered and confirmed without accounts: with codes, each in a browser of its own, and at kiosks."""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

import pytest
from django.core.cache import cache
from django.test import Client

from games import log, rules
from games.models import Game
from league.apps.hall.models import Call
from league.apps.hall.queries import link_to, shown
from league.apps.hall.services import MOST_AT_TABLE, MOST_OF_CLIENT, make_codes, make_kiosk
from league.core.verbs.rounds import CloseRound, WithdrawRound
from league.models import Competition, Table
from league.services.automatic import record_result
from league.services.competitions import change_details
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, tables
from tests.league.test_matches import CUP
from tests.rules.high_card_on_paper.scenarios import lines
from tests.toys import TOYS
from tests.web.conftest import Visit

ROUND: Final[dict[str, Any]] = {"type": "round", "round": 1, "lines": lines(1, 0, 0, 0)}
CORRECTION: Final[dict[str, Any]] = {"type": "correct", "replaces": 1, "lines": lines(0, 1, 0, 0)}
CONFIRM: Final[dict[str, Any]] = {"type": "confirm", "round": 1}


@pytest.fixture(autouse=True)
def _on_paper() -> Iterator[None]:
    with rules.registered(*TOYS):
        yield


@pytest.fixture
def competition(cast: Cast) -> Competition:
    return in_play(cast, 8, ruleset="high-card-on-paper", options={"rounds": 1})


@pytest.fixture
def table(competition: Competition) -> Table:
    return tables(competition)[0]


@pytest.fixture
def game(table: Table) -> Game:
    return table.games.get().game


@pytest.fixture
def codes(cast: Cast, competition: Competition, table: Table) -> list[str]:
    return made(cast, competition, table)


def made(cast: Cast, competition: Competition, table: Table) -> list[str]:
    """Return new codes of a table, seat by seat."""
    codes = make_codes(by=cast.olga, competition=competition, tables=[table])
    return [code for _, code in sorted(codes.items())]


def text(answer: Any) -> str:
    return str(answer.content.decode())


def enter(code: str, client: Client | None = None) -> Client:
    """Return a browser in which a code was typed."""
    client = client or Client()
    answer = client.post("/enter/", {"code": shown(code).lower()})
    assert answer.status_code == 302, text(answer)
    return client


def send(client: Client, game: Game, move: dict[str, Any], seq: int) -> Any:
    """Send a move as the form of an offer does."""
    return client.post(
        f"/games/{game.pk}/play/", {"seq": seq, "type": move["type"], "offer": json.dumps(move)}
    )


def name_of(table: Table, seat: int) -> str:
    return table.seats.get(number=seat).player.name


def test_a_match_goes_on_with_its_next_game_on_the_phones_of_both(cast: Cast) -> None:
    cup = in_play(cast, 2, ruleset="high-card-on-paper", options={"rounds": 1}, stages=[CUP])
    (table,) = tables(cup)
    first = table.games.get().game
    made = make_codes(by=cast.olga, competition=cup, tables=[table])
    phones = [enter(code) for _, code in sorted(made.items())]
    assert "Game 1 of at most 3" in text(phones[0].get(f"/games/{first.pk}/"))
    send(phones[0], first, {**ROUND, "lines": lines(1, 0)}, 2)
    send(phones[1], first, CONFIRM, 3)
    assert "is added to the match in a moment" in text(phones[1].get(f"/games/{first.pk}/"))
    record_result(game_id=first.pk)
    second = table.games.latest("pk").game
    for phone in phones:
        over = text(phone.get(f"/games/{first.pk}/"))
        assert ": 1–0 (1–0) · Game 2 of at most 3" in over and "in a moment" not in over
        assert f'href="/games/{second.pk}/#play">Go on to game 2</a>' in over
        assert "Enter deal 1" in text(phone.get(f"/games/{second.pk}/"))


class TestWithACode:
    def test_one_lands_on_the_score_card_as_the_seats_player(
        self, codes: list[str], game: Game, table: Table, client: Client
    ) -> None:
        assert client.post("/enter/", {"code": codes[2]})["Location"] == f"/games/{game.pk}/#play"
        page = text(client.get(f"/games/{game.pk}/"))
        assert f"<strong>{name_of(table, 2)}</strong> (seat 3) with a code" in page
        assert "Enter deal 1" in page and "Leave this game" not in page

    def test_scores_are_entered_and_confirmed_in_another_browser(
        self, codes: list[str], game: Game, table: Table
    ) -> None:
        one, other = enter(codes[0]), enter(codes[1])
        assert send(one, game, ROUND, 2).status_code == 302
        assert "Deal 1 is right" not in text(one.get(f"/games/{game.pk}/"))
        seen = text(other.get(f"/games/{game.pk}/"))
        assert "Deal 1 is right" in seen and "Correct it" in seen
        assert send(other, game, CONFIRM, 3).status_code == 302
        game.refresh_from_db()
        assert game.status == "finished"
        everybody = text(Client().get(f"/games/{game.pk}/"))
        entered = f"entered by {name_of(table, 0)} (with the code of seat 1, without a log-in)"
        confirmed = f"confirmed by {name_of(table, 1)} (with the code of seat 2, without a log-in)"
        assert f"{entered}, {confirmed}" in everybody
        assert "(with the code of seat 1, without a log-in)" in everybody
        assert "(with the code of seat 2, without a log-in)" in everybody

    def test_all_deals_are_confirmed_with_one_button(self, cast: Cast) -> None:
        many = in_play(cast, 4, name="Long", ruleset="high-card-on-paper", options={"rounds": 9})
        (its_table,) = tables(many)
        codes, game = made(cast, many, its_table), its_table.games.get().game
        one, other = enter(codes[0]), enter(codes[1])
        for number in range(1, 10):
            assert send(one, game, {**ROUND, "round": number}, number + 1).status_code == 302
        seen = text(other.get(f"/games/{game.pk}/"))
        assert "Confirm all 9 deals" in seen
        offers = [json.dumps({**CONFIRM, "round": number}) for number in range(1, 10)]
        sent = {"seq": 11, "type": "confirm", "offer": offers}
        assert other.post(f"/games/{game.pk}/play/", sent).status_code == 302
        assert "Saved. 9 deals are confirmed." in text(other.get(f"/games/{game.pk}/"))
        game.refresh_from_db()
        assert game.status == "finished"

    def test_of_several_deals_none_is_confirmed_where_one_cannot_be(
        self, cast: Cast, codes: list[str], game: Game
    ) -> None:
        one, other = enter(codes[0]), enter(codes[1])
        send(one, game, ROUND, 2)
        offers = [json.dumps({**CONFIRM, "round": number}) for number in (1, 2)]
        answer = other.post(f"/games/{game.pk}/play/", {"seq": 3, "type": "confirm", "offer": offers})
        assert answer.status_code == 422
        game.refresh_from_db()
        assert game.seq == 2

    def test_whose_game_is_over_enters_scores_for_nobody_any_more(self, codes: list[str], game: Game) -> None:
        first, second = enter(codes[0]), enter(codes[1])
        assert "You enter scores for" in text(first.get(f"/games/{game.pk}/"))
        send(first, game, ROUND, 2)
        send(second, game, CONFIRM, 3)
        page = text(first.get(f"/games/{game.pk}/"))
        assert "You enter scores for" not in page and "I am not" not in page

    def test_whose_round_is_closed_meanwhile_is_told_whom_to_ask_and_keeps_the_numbers(
        self, codes: list[str], game: Game, cast: Cast, competition: Competition
    ) -> None:
        browser = enter(codes[0])
        change_details(by=cast.olga, competition=competition, values={"contact": "Olga, at the desk"})
        act(cast.olga, competition, CloseRound, void_undecided="late")
        answer = send(browser, game, ROUND, 2)
        assert answer.status_code == 422
        assert "Table 1 of round 1 is void: it does not count. Ask: Olga, at the desk." in text(answer)
        kept = [line for line in text(answer).splitlines() if "to show it" in line]
        assert kept and ": 1; " in kept[0] and ": 0; " in kept[0], kept

    def test_a_code_of_a_void_table_is_no_typing_error(
        self, codes: list[str], cast: Cast, competition: Competition
    ) -> None:
        act(cast.olga, competition, CloseRound, void_undecided="late")
        answer = Client().post("/enter/", {"code": codes[0]})
        assert answer.status_code == 422
        told = "Table 1 of round 1 is void: it does not count. Ask: an organiser or a scorekeeper."
        assert told in text(answer)

    def test_a_code_of_a_decided_table_says_so(
        self, codes: list[str], cast: Cast, competition: Competition, table: Table
    ) -> None:
        table.status = Table.Status.PLAYED
        table.save()
        answer = Client().post("/enter/", {"code": codes[0]})
        assert "Table 1 of round 1 is decided. Is its result wrong? Ask: " in text(answer)

    def test_one_who_disagrees_corrects_it(self, codes: list[str], game: Game) -> None:
        send(enter(codes[0]), game, ROUND, 2)
        assert send(enter(codes[1]), game, CORRECTION, 3).status_code == 302
        assert [entry.move["type"] for entry in log.entries(game, 1)] == ["round", "correct"]

    def test_nobody_confirms_as_another_seat_in_the_same_browser(self, codes: list[str], game: Game) -> None:
        browser = enter(codes[0])
        send(browser, game, ROUND, 2)
        answer = browser.post("/enter/", {"code": codes[1]})
        assert answer.status_code == 422 and "on another device" in text(answer)
        assert send(browser, game, CONFIRM, 3).status_code == 422

    def test_the_seat_can_be_changed_before_anything_is_entered(self, codes: list[str], game: Game) -> None:
        browser = enter(codes[1], enter(codes[0]))
        send(browser, game, ROUND, 2)
        assert log.entries(game, 1)[0].seat == 1

    def test_a_player_who_is_logged_in_is_no_other_seat(
        self, cast: Cast, codes: list[str], game: Game, table: Table, as_account: Visit
    ) -> None:
        client = as_account(cast.paul)
        seats = {seat.player_id: seat.number for seat in table.seats.all()}
        own = seats.get(cast.paul_plays.pk)
        other = next(seat for seat in range(4) if seat != own)
        answer = client.post("/enter/", {"code": codes[other]})
        assert answer.status_code == (302 if own is None else 422)

    def test_a_seat_can_be_left(self, codes: list[str], game: Game) -> None:
        browser = enter(codes[0])
        browser.post(f"/games/{game.pk}/leave/")
        assert send(browser, game, ROUND, 2)["Location"].startswith("/account/login/")

    def test_nothing_is_done_at_another_table(
        self, codes: list[str], competition: Competition, game: Game
    ) -> None:
        other = tables(competition)[1].games.get().game
        assert send(enter(codes[0]), other, ROUND, 2)["Location"].startswith("/account/login/")

    def test_nobody_leaves_the_game_or_rules(self, codes: list[str], game: Game) -> None:
        browser = enter(codes[0])
        for move in ({"type": "resign"}, {"type": "abandon", "reason": "x"}):
            assert send(browser, game, move, 2).status_code == 422
        assert log.entries(game, 1) == []

    def test_nothing_is_done_once_the_round_is_over(
        self, cast: Cast, competition: Competition, codes: list[str], game: Game
    ) -> None:
        browser = enter(codes[0])
        act(cast.olga, competition, CloseRound, void_undecided="late")
        assert "with a code" not in text(browser.get(f"/games/{game.pk}/"))
        assert send(browser, game, ROUND, 2).status_code == 422
        assert send(Client(), game, ROUND, 2)["Location"].startswith("/account/login/")
        assert "round" not in [entry.move["type"] for entry in log.entries(game, 1)]


class TestTheCodesForm:
    def test_names_what_is_wrong_with_a_code(self, codes: list[str], client: Client) -> None:
        answer = client.post("/enter/", {"code": "ABC"})
        assert answer.status_code == 422 and "letters and digits in fours" in text(answer)
        answer = client.post("/enter/", {"code": "ZZZZ-ZZZZ"})
        assert answer.status_code == 422 and "Nobody’s seat or evening has this code now" in text(answer)

    def test_is_throttled(self, codes: list[str], client: Client) -> None:
        for _ in range(MOST_OF_CLIENT):
            client.post("/enter/", {"code": "ZZZZZZZZ"})
        answer = client.post("/enter/", {"code": "ZZZZZZZZ"})
        assert (answer.status_code, answer["Retry-After"]) == (429, "600")
        assert "Too many wrong codes" in text(answer)
        enter(codes[0], client)

    def test_is_throttled_at_the_table(self, codes: list[str]) -> None:
        wrong = codes[0][:4] + ("0000" if codes[0][4:] != "0000" else "1111")
        for number in range(MOST_AT_TABLE):
            Client(REMOTE_ADDR=f"198.51.100.{number}").post("/enter/", {"code": wrong})
        assert Client().post("/enter/", {"code": codes[0]}).status_code == 429
        enter(codes[1])

    def test_counts_one_network_of_ipv6_as_one_client(self, codes: list[str]) -> None:
        for number in range(MOST_OF_CLIENT):
            Client(REMOTE_ADDR=f"2001:db8::{number:x}").post("/enter/", {"code": "ZZZZZZZZ"})
        last = Client(REMOTE_ADDR="2001:db8:0:0:1::1").post("/enter/", {"code": "ZZZZZZZZ"})
        assert last.status_code == 429
        assert Client(REMOTE_ADDR="2001:db8:0:1::1").post("/enter/", {"code": "ZZZZZZZZ"}).status_code == 422


class TestNothingLeaks:
    def test_neither_pages_nor_files_nor_logs_have_a_code(
        self,
        cast: Cast,
        competition: Competition,
        codes: list[str],
        game: Game,
        as_account: Visit,
        capfd: pytest.CaptureFixture[str],
    ) -> None:
        browser, olga = enter(codes[0]), as_account(cast.olga)
        send(browser, game, ROUND, 2)
        answers = [
            *(browser.get(f"/games/{game.pk}/{part}") for part in ("", "news/?after=1")),
            Client().get(f"/api/v1/games/{game.pk}/"),
            Client().get(f"/api/v1/games/{game.pk}/moves/"),
            Client().get(f"/api/v1/games/{game.pk}/log/"),
            olga.get(f"/api/v1/competitions/{competition.pk}/export/"),
            olga.get(f"/admin/league/competition/{competition.pk}/export/everything.json"),
            olga.get(f"/admin/league/competition/{competition.pk}/change/"),
        ]
        said = "".join(b"".join(answer).decode(errors="replace") for answer in answers)
        said += capfd.readouterr().err + str(dict(browser.session))
        assert all(answer.status_code == 200 for answer in answers)
        assert not [code for code in codes if code in said or shown(code) in said]

    def test_the_code_is_not_in_an_address(self, codes: list[str], client: Client) -> None:
        assert client.get(f"/enter/{codes[0]}/").status_code == 404
        assert client.get(f"/enter/?code={codes[0]}").status_code == 200
        assert "codes" not in client.session

    def test_the_moves_of_a_seat_are_not_shown_to_others(self, codes: list[str], game: Game) -> None:
        enter(codes[0]).get(f"/games/{game.pk}/news/?after=0")
        cache.clear()
        browser = enter(codes[0])
        assert "Enter deal 1" in text(browser.get(f"/games/{game.pk}/news/?after=0"))
        assert "Enter deal 1" not in text(Client().get(f"/games/{game.pk}/news/?after=0"))


class TestCallingTheOrganiser:
    def test_is_for_those_at_the_table(self, cast: Cast, codes: list[str], game: Game, table: Table) -> None:
        browser = enter(codes[0])
        assert "Call the organiser" in text(browser.get(f"/games/{game.pk}/"))
        browser.post(f"/games/{game.pk}/call/")
        page = text(browser.get(f"/games/{game.pk}/"))
        assert "The organiser was called to this table" in page
        assert Call.objects.get().caller == name_of(table, 0)

    def test_is_for_players_with_an_account(
        self, cast: Cast, competition: Competition, as_account: Visit
    ) -> None:
        table = Table.objects.get(seats__player=cast.paul_plays)
        game = table.games.get().game
        client = as_account(cast.paul)
        assert "Call the organiser" in text(client.get(f"/games/{game.pk}/"))
        client.post(f"/games/{game.pk}/call/")
        assert Call.objects.get().account == cast.paul

    def test_is_for_nobody_else(self, cast: Cast, game: Game, as_account: Visit) -> None:
        for client in (Client(), as_account(cast.nora), as_account(cast.olga)):
            assert "Call the organiser" not in text(client.get(f"/games/{game.pk}/"))
            assert client.post(f"/games/{game.pk}/call/").status_code == 403
        assert not Call.objects.exists()


class TestAtAKiosk:
    @pytest.fixture
    def tablet(self, cast: Cast, competition: Competition) -> Client:
        client = Client()
        client.post(link_to(make_kiosk(by=cast.olga, competition=competition, name="Door")))
        return client

    def test_one_names_the_table_and_the_seat(
        self, tablet: Client, competition: Competition, game: Game, table: Table
    ) -> None:
        home = f"/competitions/{competition.slug}/kiosk/"
        assert f"/games/{game.pk}/kiosk/" in text(tablet.get(home))
        assert name_of(table, 3) in text(tablet.get(f"/games/{game.pk}/kiosk/"))
        tablet.post(f"/games/{game.pk}/kiosk/", {"seat": "3"})
        assert "at this kiosk" in text(tablet.get(f"/games/{game.pk}/"))
        assert send(tablet, game, ROUND, 2)["Location"] == home
        written = log.entries(game, 1)[0]
        assert (written.role, written.seat, written.account) == ("kiosk", 3, None)
        assert "at this kiosk" not in text(tablet.get(f"/games/{game.pk}/"))

    def test_scores_are_confirmed_with_a_code(
        self, tablet: Client, codes: list[str], competition: Competition, game: Game
    ) -> None:
        tablet.post(f"/games/{game.pk}/kiosk/", {"seat": "3"})
        send(tablet, game, ROUND, 2)
        tablet.post(f"/games/{game.pk}/kiosk/", {"seat": "0"})
        assert "Deal 1 is right" not in text(tablet.get(f"/games/{game.pk}/"))
        assert send(tablet, game, CONFIRM, 3).status_code == 403
        enter(codes[0], tablet)
        assert send(tablet, game, CONFIRM, 3)["Location"] == f"/competitions/{competition.slug}/kiosk/"
        assert "Saved. The deal is confirmed." in text(tablet.get(f"/competitions/{competition.slug}/kiosk/"))
        assert [entry.role for entry in log.entries(game, 1)] == ["kiosk", "code"]

    def test_other_devices_and_other_competitions_are_kept_out(
        self, cast: Cast, tablet: Client, competition: Competition, game: Game
    ) -> None:
        other = in_play(cast, 4, ruleset="high-card-on-paper", name="Other")
        for client, slug in ((Client(), competition.slug), (tablet, other.slug)):
            assert client.get(f"/competitions/{slug}/kiosk/").status_code == 403
        its_game = tables(other)[0].games.get().game
        assert tablet.post(f"/games/{its_game.pk}/kiosk/", {"seat": "0"}).status_code == 403
        assert Client().post(f"/games/{game.pk}/kiosk/", {"seat": "0"}).status_code == 403

    @pytest.mark.parametrize(
        ("verb", "told"),
        [
            (partial(CloseRound, void_undecided="late"), "Table 1 of round 1 is void"),
            (partial(WithdrawRound, reason="wrong"), "was withdrawn"),
        ],
    )
    def test_a_form_of_a_round_that_is_over_says_which_table_it_was_and_keeps_the_numbers(
        self, cast: Cast, tablet: Client, competition: Competition, game: Game, verb: Any, told: str
    ) -> None:
        tablet.post(f"/games/{game.pk}/kiosk/", {"seat": "3"})
        act(cast.olga, competition, verb.func, **verb.keywords)
        answer = send(tablet, game, ROUND, 2)
        assert answer.status_code == 422 and told in text(answer) and "to show it" in text(answer)
        page = f"/games/{game.pk}/kiosk/"
        for late in (tablet.get(page, follow=True), tablet.post(page, {"seat": "3"}, follow=True)):
            assert told in text(late) and "Choose your table" in text(late)

    @pytest.mark.parametrize("seat", ["", "4", "-1", "x"])
    def test_a_seat_that_is_not_there_is_asked_for_again(self, tablet: Client, game: Game, seat: str) -> None:
        assert tablet.post(f"/games/{game.pk}/kiosk/", {"seat": seat}).status_code == 200

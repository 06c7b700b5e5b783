"""Results typed in: the sheet of a round and the grid of a card, with and without scripts."""

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from games import log, rules
from games.models import Game
from league.admin.needs import waiting_for
from league.callers import ByAccount
from league.core.verbs.presence import MarkNoShow
from league.core.verbs.results import ForfeitEntry, VoidTable
from league.core.verbs.rounds import CloseRound
from league.models import Account, Competition, Member, Round, Table
from league.queries.rounds import with_seats_and_games
from league.services.automatic import record_result
from league.services.play import make_move
from league.web import scores
from league.words.messages import name_at_table
from tests.factories import Cast, MemberFactory
from tests.league.acting import act
from tests.league.playing import PLAN, in_play
from tests.toys import TOYS
from tests.web.conftest import Outline, Visit
from tests.web.test_on_paper import PLAYED, Played, lines

pytestmark = pytest.mark.django_db
JSON = "application/json"
CARDS = {"first": lines("cards", "0", "35", "20"), "wrong": lines("cards", "0", "37", "20")}


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with rules.registered(*TOYS):
        yield


@pytest.fixture
def keeper(cast: Cast) -> Account:
    account: Account = MemberFactory.create(club=cast.club, role=Member.Role.SCOREKEEPER).account
    return account


@pytest.fixture
def competition(cast: Cast) -> Competition:
    """Two tables of three with cards of two rounds."""
    stages = [{**PLAN, "table_size": 3}]
    return in_play(
        cast, 6, ruleset="scamper-scorecard", options={"rounds": 2, "first_dealer_bonus": 0}, stages=stages
    )


def its_round(competition: Competition) -> Round:
    return Round.objects.get(stage__competition=competition, number=1)


def address(competition: Competition) -> str:
    return f"/rounds/{its_round(competition).pk}/scores/"


def games(competition: Competition) -> list[Game]:
    tables = Table.objects.filter(round=its_round(competition)).order_by("number")
    return [table.games.get().game for table in tables]


def shown(client: Client, page: str) -> dict[str, str]:
    """Return the values of the fields that a page shows, as a browser would send them."""
    outline = Outline(client.get(page).content.decode())
    return {tag["name"]: tag.get("value", "") for tag in outline.all("input") if "." in tag.get("name", "")}


def typed(client: Client, page: str, key: Any, number: int, values: Mapping[str, str]) -> dict[str, str]:
    """Return all fields of a page with these values in a row."""
    return {**shown(client, page), **{f"{key}.{number}.{name}": text for name, text in values.items()}}


def row(fields: Mapping[str, str], key: Any, number: int) -> dict[str, str]:
    """Return the fields of one row, as the script sends them."""
    return {name: text for name, text in fields.items() if name.startswith(f"{key}.{number}.")}


def card_of(table: Table) -> Any:
    """Return the key of a table's card."""
    return table.games.get().game_id


def moves(game: Game) -> list[Any]:
    return [(entry.role, entry.move["type"]) for entry in log.entries(game, 1)]


def test_all_tables_are_saved_at_once_without_scripts(
    as_account: Visit, keeper: Account, competition: Competition
) -> None:
    client, page = as_account(keeper), address(competition)
    fields = shown(client, page)
    for game in games(competition):
        for number in (1, 2):
            fields |= {f"{game.pk}.{number}.{name}": text for name, text in CARDS["first"].items()}
    assert client.post(page, fields)["Location"] == page
    for game in games(competition):
        assert moves(game) == [("arbiter", "round")] * 2
        game.refresh_from_db()
        assert game.status == Game.Status.FINISHED


def test_rows_that_nobody_touched_are_left_alone(
    as_account: Visit, keeper: Account, competition: Competition
) -> None:
    client, page = as_account(keeper), address(competition)
    assert client.post(page, shown(client, page)).status_code == 302
    assert [moves(game) for game in games(competition)] == [[], []]


def test_one_row_is_saved_by_itself_and_answered_with_places_and_totals(
    as_account: Visit, keeper: Account, competition: Competition
) -> None:
    client, page, game = as_account(keeper), address(competition), games(competition)[1]
    sent = row(typed(client, page, game.pk, 1, CARDS["first"]), game.pk, 1)
    for _again in "ab":
        (card,) = client.post(page, sent, headers={"accept": JSON}).json()["cards"]
    first = card["rows"][0]
    assert (card["key"], card["totals"], card["places"]) == (str(game.pk), [0, 35, 20], ["1st", "3rd", "2nd"])
    assert (first["state"], first["scores"], first["wrong"]) == ("agreed", [0, 35, 20], [])
    assert len(moves(game)) == 1


def test_a_wrong_value_is_named_at_its_field_and_stays_typed(
    as_account: Visit, keeper: Account, competition: Competition
) -> None:
    client, page, game = as_account(keeper), address(competition), games(competition)[0]
    fields = typed(client, page, game.pk, 1, CARDS["wrong"])
    answer = client.post(page, fields)
    html = answer.content.decode()
    name = log.latest(game) and Table.objects.get(games__game=game).seats.get(number=1).player.name
    assert answer.status_code == 422
    assert f"{name}: The points of cards are multiples of 5." in html
    wrong = [tag for tag in Outline(html).all("input") if tag.get("aria-invalid")]
    assert [(tag["name"], tag["value"]) for tag in wrong] == [(f"{game.pk}.1.seats-1-cards", "37")]
    (card,) = client.post(page, row(fields, game.pk, 1), headers={"accept": JSON}).json()["cards"]
    assert card["rows"][0]["marked"] == ["seats-1-cards"]
    assert moves(game) == []


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "This must be a whole number."), ("de", "Das muss eine ganze Zahl sein.")],
)
def test_a_letter_among_points_is_refused_in_words_for_people(
    as_account: Visit, keeper: Account, competition: Competition, language: str, sentence: str
) -> None:
    client, page, game = as_account(keeper), address(competition), games(competition)[0]
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    fields = typed(client, page, game.pk, 1, {**CARDS["first"], "seats-1-cards": "1o"})
    html = client.post(page, fields).content.decode()
    assert sentence in html and "null" not in html
    form = {**row(fields, game.pk, 1), "seq": "2", "type": "round"}
    html = client.post(f"/games/{game.pk}/play/", form).content.decode()
    assert sentence in html and "must be null" not in html and "muss null" not in html


def test_a_round_must_be_filled_in_whole(
    as_account: Visit, keeper: Account, competition: Competition
) -> None:
    client, page, game = as_account(keeper), address(competition), games(competition)[0]
    answer = client.post(page, typed(client, page, game.pk, 1, {"seats-0-cards": "0"}))
    assert answer.status_code == 422
    assert moves(game) == []


class TestTwoAtOnce:
    """The second who writes a round sees what the first wrote, and overwrites it only knowingly."""

    SECOND = lines("cards", "5", "0", "20")

    def test_is_told(self, as_account: Visit, cast: Cast, keeper: Account, competition: Competition) -> None:
        client, page, game = as_account(keeper), address(competition), games(competition)[0]
        fields = row(typed(client, page, game.pk, 1, self.SECOND), game.pk, 1)
        olga = as_account(cast.olga)
        olga.post(page, typed(olga, page, game.pk, 1, CARDS["first"]))
        (card,) = client.post(page, fields, headers={"accept": JSON}).json()["cards"]
        first = card["rows"][0]
        assert first["wrong"] == ["Meanwhile: olga enters deal 1: 0, 35, 20."]
        assert first["conflict"] and first["values"]["seats-1-cards"] == "35"
        assert len(moves(game)) == 1
        again = {**fields, f"{game.pk}.1.seen": first["seen"]}
        (card,) = client.post(page, again, headers={"accept": JSON}).json()["cards"]
        assert card["rows"][0]["wrong"] == []
        assert moves(game) == [("arbiter", "round"), ("arbiter", "correct")]

    def test_is_told_nothing_where_both_wrote_the_same(
        self, as_account: Visit, cast: Cast, keeper: Account, competition: Competition
    ) -> None:
        client, page, game = as_account(keeper), address(competition), games(competition)[0]
        fields = typed(client, page, game.pk, 1, CARDS["first"])
        for account in (cast.olga, keeper):
            assert as_account(account).post(page, fields).status_code == 302
        assert len(moves(game)) == 1


def test_a_typing_error_is_corrected_when_the_card_is_over_until_the_round_closes(
    as_account: Visit, cast: Cast, keeper: Account, competition: Competition
) -> None:
    client, page, all_games = as_account(keeper), address(competition), games(competition)
    for game in all_games:
        for number in (1, 2):
            client.post(page, typed(client, page, game.pk, number, CARDS["first"]))
        record_result(game_id=game.pk)
    game = all_games[0]
    corrected = typed(client, page, game.pk, 1, lines("cards", "0", "30", "20"))
    assert client.post(page, corrected).status_code == 302
    record_result(game_id=game.pk)
    assert [seat.score for seat in Table.objects.get(games__game=game).seats.order_by("number")] == [
        0,
        65,
        40,
    ]
    act(cast.olga, competition, CloseRound)
    late = typed(client, page, game.pk, 1, lines("cards", "0", "25", "20"))
    assert "The card is closed" in client.post(page, late).content.decode()


def test_the_automatic_pace_counts_down_to_the_close_of_a_round_and_again_after_a_correction(
    as_account: Visit, keeper: Account, cast: Cast
) -> None:
    stages, waits = [{**PLAN, "table_size": 3}], {"close_round": 3}
    competition = in_play(cast, 3, ruleset="scamper-scorecard", stages=stages, pace="automatic", waits=waits)
    client, page, table = as_account(keeper), address(competition), its_round(competition).tables.get()

    def closing(scores: str) -> Any:
        values = lines("score", *scores.split())
        with time_machine.travel(timezone.now() + timedelta(minutes=1), tick=False):
            fields = row(typed(client, page, card_of(table), 0, values), card_of(table), 0)
            return client.post(page, fields, headers={"accept": JSON}).json()["closing"]

    assert closing("5 10") is None
    first, again = closing("5 10 15"), closing("5 10 20")
    assert "All tables are decided. Round 1 closes at" in first["text"]
    assert first["seconds"] == again["seconds"] == 180
    assert ">Close now<" not in client.get(page).content.decode()
    olga = as_account(cast.olga)
    assert ">Close now<" in olga.get(page).content.decode()
    olga.post(f"/admin/league/competition/{competition.pk}/do/close-round/", {"seq": again["seq"]})
    assert its_round(competition).status == Round.Status.CLOSED
    assert [event.event["type"] for event in competition.events.order_by("-seq")[:3]] == [
        "round_closed",
        "ruled",
        "ruled",
    ]


def test_totals_alone_set_a_result_without_a_reason_and_again_while_the_round_is_open(
    as_account: Visit, keeper: Account, competition: Competition
) -> None:
    client, page = as_account(keeper), address(competition)
    table = Table.objects.get(games__game=games(competition)[0])
    for values in (lines("score", "10", "20", "30"), lines("score", "10", "25", "30")):
        assert client.post(page, typed(client, page, card_of(table), 0, values)).status_code == 302
    table.refresh_from_db()
    assert table.ruled and [seat.score for seat in table.seats.order_by("number")] == [10, 25, 30]


def test_totals_need_a_number_for_each_seat(
    as_account: Visit, keeper: Account, competition: Competition
) -> None:
    client, page = as_account(keeper), address(competition)
    table = Table.objects.get(games__game=games(competition)[0])
    answer = client.post(page, typed(client, page, card_of(table), 0, lines("score", "10", "x")))
    assert "Enter a whole number." in answer.content.decode()
    table.refresh_from_db()
    assert not table.ruled


def test_a_deal_in_which_nobody_went_out_is_saved_with_a_question(
    as_account: Visit, keeper: Account, competition: Competition
) -> None:
    client, page, game = as_account(keeper), address(competition), games(competition)[0]
    doubts = []
    for first in ("5", "0"):
        sent = row(typed(client, page, game.pk, 1, lines("cards", first, "35", "20")), game.pk, 1)
        (card,) = client.post(page, sent, headers={"accept": JSON}).json()["cards"]
        doubts.append(card["rows"][0]["doubt"])
    assert doubts == ["Nobody has 0: did nobody go out in this deal?", ""]


def test_a_table_that_ended_because_all_others_left_has_no_open_fields(
    as_account: Visit, cast: Cast, keeper: Account, competition: Competition
) -> None:
    client, game = as_account(keeper), games(competition)[0]
    table = Table.objects.get(games__game=game)
    assert any(str(game.pk) in name for name in shown(client, address(competition)))
    for seat in table.seats.exclude(number=0):
        act(cast.olga, competition, ForfeitEntry, table=table.pk, entry=seat.entry_id, reason="ill")
    record_result(game_id=game.pk)
    assert not any(str(game.pk) in name for name in shown(client, address(competition)))


class TestNoShows:
    """A no-show needs no scores and is last whatever is typed, in the cards, in totals and at the table."""

    @pytest.fixture
    def table(self, cast: Cast, competition: Competition) -> Table:
        table = Table.objects.get(games__game=games(competition)[0])
        its_seat = table.seats.get(number=1)
        act(cast.olga, competition, MarkNoShow, table=table.pk, entry=its_seat.entry_id)
        return table

    def placed(self, table: Table) -> list[tuple[int | None, str]]:
        return [*table.seats.order_by("number").values_list("rank", "outcome")]

    @pytest.mark.parametrize("score", ["", "0"])
    def test_are_left_out_of_the_cards(
        self, as_account: Visit, keeper: Account, competition: Competition, table: Table, score: str
    ) -> None:
        client, page, game = as_account(keeper), address(competition), games(competition)[0]
        fields = shown(client, page)
        needed = [
            tag["name"]
            for tag in Outline(client.get(page).content.decode()).all("input")
            if "data-needed" in tag
        ]
        assert f"{game.pk}.1.seats-0-cards" in needed and f"{game.pk}.1.seats-1-cards" not in needed
        for number in (1, 2):
            values = lines("cards", "0", score, "20")
            fields |= {f"{game.pk}.{number}.{name}": text for name, text in values.items()}
        sent = {name: text for name, text in fields.items() if name.startswith(f"{game.pk}.")}
        (card,) = client.post(page, sent, headers={"accept": JSON}).json()["cards"]
        assert (card["places"], card["gone"]) == (["1st", "3rd", "2nd"], {"1": "no-show"})
        record_result(game_id=game.pk)
        assert self.placed(table) == [(1, ""), (3, "no_show"), (2, "")]

    @pytest.mark.parametrize("score", ["", "0"])
    def test_are_last_where_totals_are_typed(
        self, as_account: Visit, keeper: Account, competition: Competition, table: Table, score: str
    ) -> None:
        client, page = as_account(keeper), address(competition)
        values = lines("score", "10", score, "30")
        sent = row(typed(client, page, card_of(table), 0, values), card_of(table), 0)
        (card,) = client.post(page, sent, headers={"accept": JSON}).json()["cards"]
        assert (card["totals"], card["places"]) == ([10, None, 30], ["1st", "3rd", "2nd"])
        assert self.placed(table) == [(1, ""), (3, "no_show"), (2, "")]
        html = client.get(page).content.decode()
        assert "no-show: last, leave the score empty" in html and "3rd" in html

    def test_have_no_score_that_would_not_count(
        self, as_account: Visit, keeper: Account, competition: Competition, table: Table
    ) -> None:
        client, page, key = as_account(keeper), address(competition), card_of(table)
        waited_for = waiting_for(with_seats_and_games(Table.objects.filter(pk=table.pk)).get()).names
        assert waited_for == tuple(name_at_table(table.seats.get(number=at)) for at in (0, 2))
        for score, refused in (("-50", True), ("", False)):
            values = lines("score", "10", score, "30")
            (card,) = client.post(
                page, row(typed(client, page, key, 0, values), key, 0), headers={"accept": JSON}
            ).json()["cards"]
            assert (card["decided"], "no score counts" in str(card["rows"])) == (not refused, refused)
        assert [seat.shown_score for seat in table.seats.order_by("number")] == [10, None, 30]


def test_a_scorekeeper_confirms_what_a_player_entered(as_account: Visit, cast: Cast, keeper: Account) -> None:
    game = cast.game("scamper-scorecard", {"rounds": 1})
    entered = [{"cards": 0}, {"cards": 35}]
    make_move(
        ByAccount(cast.paul), game_id=game.pk, seq=2, move={"type": "round", "round": 1, "seats": entered}
    )
    client, page = as_account(keeper), f"/games/{game.pk}/scores/"
    assert "Confirm deal 1" in client.get(page).content.decode()
    client.post(page, {"confirm": f"{game.pk} 1:2"})
    assert len(moves(game)) == 1
    client.post(page, {"confirm": f"{game.pk} 1:1"})
    game.refresh_from_db()
    assert game.status == Game.Status.FINISHED


def test_a_scorekeeper_who_plays_does_not_confirm_an_entry_of_the_own_seat(
    as_account: Visit, cast: Cast
) -> None:
    Member.objects.filter(account=cast.paul).update(role=Member.Role.SCOREKEEPER)
    game = cast.game("scamper-scorecard", {"rounds": 1})
    entered = [{"cards": 0}, {"cards": 35}]
    make_move(
        ByAccount(cast.paul), game_id=game.pk, seq=2, move={"type": "round", "round": 1, "seats": entered}
    )
    paul, page = as_account(cast.paul), f"/games/{game.pk}/scores/"
    assert "Confirm deal 1" not in paul.get(page).content.decode()
    paul.post(page, {"confirm": f"{game.pk} 1:1"})
    assert len(moves(game)) == 1


def test_a_dispute_shows_what_each_player_wrote_and_when(
    as_account: Visit, cast: Cast, keeper: Account
) -> None:
    game = cast.game("scamper-scorecard", {"rounds": 1})
    entered = {"type": "round", "round": 1, "seats": [{"cards": 0}, {"cards": 35}]}
    corrected = {"type": "correct", "replaces": 1, "seats": [{"cards": 0}, {"cards": 30}]}
    make_move(ByAccount(cast.paul), game_id=game.pk, seq=2, move=entered)
    scores = f"/games/{game.pk}/scores/"
    assert "data-dispute-note" not in as_account(keeper).get(scores).content.decode()
    make_move(ByAccount(cast.petra), game_id=game.pk, seq=3, move=corrected)
    for reader, address in ((keeper, scores), (cast.paul, f"/games/{game.pk}/")):
        found = as_account(reader).get(address).content.decode()
        assert re.search(r"<li>Paul Pike enters .*35.*<time", found), address
        assert re.search(r"<li>Petra Plum corrects .*30.*<time", found), address
    assert f'href="/games/{game.pk}/#moves"' in as_account(keeper).get(scores).content.decode()


def test_players_fill_in_their_own_card_and_another_confirms_all_of_it(as_account: Visit, cast: Cast) -> None:
    game = cast.game("scamper-scorecard", {"rounds": 2})
    paul, petra, page = as_account(cast.paul), as_account(cast.petra), f"/games/{game.pk}/scores/"
    fields = shown(paul, page)
    for number in (1, 2):
        fields |= {f"{game.pk}.{number}.{name}": text for name, text in lines("cards", "0", "35").items()}
    assert paul.post(page, fields).status_code == 302
    assert moves(game) == [("seat", "round")] * 2
    assert "Confirm deals 1, 2" in petra.get(page).content.decode()
    petra.post(page, {"confirm": f"{game.pk} 1:1 2:1"})
    game.refresh_from_db()
    assert game.status == Game.Status.FINISHED


@pytest.mark.parametrize("played", PLAYED, ids=lambda played: played.key)
def test_every_game_on_paper_has_its_grid(
    as_account: Visit, cast: Cast, keeper: Account, played: Played
) -> None:
    players = [player.pk for player in cast.people(played.seats)]
    game = cast.game(played.key, dict(played.options), players)
    client, page = as_account(keeper), f"/games/{game.pk}/scores/"
    seen = {f"{game.pk}.1.seen": shown(client, page)[f"{game.pk}.1.seen"]}
    for values, status in ((played.wrong, 422), (played.right, 302)):
        row = {f"{game.pk}.1.{name}": text for name, text in values.items()}
        assert client.post(page, {**seen, **row}).status_code == status
    game.refresh_from_db()
    position = log.latest(game)
    assert position.ruleset.scores(position.state) == played.scores


@pytest.mark.parametrize(
    ("role", "status"),
    [(Member.Role.SCOREKEEPER, 200), (Member.Role.ORGANISER, 200), (Member.Role.PLAYER, 403)],
)
def test_the_sheet_is_for_those_who_keep_scores(
    as_account: Visit, cast: Cast, competition: Competition, role: str, status: int
) -> None:
    account = MemberFactory.create(club=cast.club, role=role).account
    card = f"/games/{games(competition)[1].pk}/scores/"
    for page in (address(competition), card, "/scores/"):
        assert as_account(account).get(page).status_code == status


def test_a_round_that_is_not_published_has_no_sheet(
    as_account: Visit, cast: Cast, competition: Competition
) -> None:
    Round.objects.update(status=Round.Status.DRAWN)
    assert as_account(cast.olga).get(address(competition)).status_code == 404


def test_a_big_round_has_several_sheets(
    as_account: Visit, keeper: Account, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scores, "MOST_TABLES", 1)
    competition = in_play(cast, 6, ruleset="scamper-scorecard", stages=[{**PLAN, "table_size": 3}])
    client, second = as_account(keeper), games(competition)[1]
    page = f"{address(competition)}?part=2"
    html = client.get(page).content.decode()
    assert 'href="?part=1" rel="prev">Tables 1 to 1<' in html
    assert [game.pk for game in games(competition) if f'data-card="{game.pk}"' in html] == [second.pk]
    assert client.post(page, typed(client, page, second.pk, 1, CARDS["first"]))["Location"] == page
    assert moves(second) == [("arbiter", "round")]
    assert client.get(f"{address(competition)}?part=x").status_code == 404


def test_the_desk_leads_to_sheet_and_cards(as_account: Visit, cast: Cast, competition: Competition) -> None:
    desk = as_account(cast.olga).get(f"/admin/league/competition/{competition.pk}/change/").content.decode()
    assert f'<a class="tf-button primary" href="{address(competition)}">Enter results</a>' in desk
    assert [game for game in games(competition) if f'href="/games/{game.pk}/scores/"' not in desk] == []


def test_the_printed_code_leads_a_scorekeeper_to_the_whole_card(
    as_account: Visit, keeper: Account, competition: Competition
) -> None:
    game = games(competition)[1]
    assert as_account(keeper).get(f"/games/{game.pk}/play/")["Location"] == f"/games/{game.pk}/scores/"


def test_a_void_table_says_its_reason(as_account: Visit, cast: Cast, competition: Competition) -> None:
    table = Table.objects.filter(round=its_round(competition)).order_by("number")[0]
    act(cast.olga, competition, VoidTable, table=table.pk, reason="a card was missing")
    shown = as_account(cast.olga).get(address(competition)).content.decode()
    assert re.search(r"data-status>void<", shown) and "a card was missing" in shown
    assert "Result set" not in shown

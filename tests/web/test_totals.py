"""The totals of all tables of a round on one page."""

import re

import pytest

from league.admin.consequences import what_was_done
from league.core.verbs.rounds import CloseRound
from league.models import Account, Competition, Table
from league.queries.events import events_of
from league.services.automatic import record_result
from league.words.event_text import event_lines
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, pairs_in_play, tables
from tests.league.test_admin_scope import logged_in
from tests.web.conftest import Visit
from tests.web.test_on_paper import lines
from tests.web.test_score_sheets import address, card_of, competition, games, keeper, row, shown, typed

__all__ = ["competition", "keeper"]


def test_all_totals_are_saved_at_once_without_scripts_and_what_was_refused_stays_typed(
    as_account: Visit, keeper: Account, competition: Competition
) -> None:
    client, page = as_account(keeper), f"{address(competition)}?totals=1"
    first, second = Table.objects.filter(games__game__in=games(competition)).order_by("number")
    shown = client.get(page).content.decode()
    assert shown.count('class="totals-row"') == 2 and "results-grid" not in shown
    sent = typed(client, page, card_of(first), 0, lines("score", "10", "20", "30"))
    wrong = typed(client, page, card_of(second), 0, lines("score", "7", "x"))
    sent |= row(wrong, card_of(second), 0)
    answer = client.post(page, sent)
    assert (answer.status_code, Table.objects.get(pk=first.pk).ruled) == (422, True)
    assert 'value="x"' in answer.content.decode() and 'value="7"' in answer.content.decode()
    assert client.get(page).content.decode().count('value="20"') == 1


def test_the_log_says_that_the_card_is_closed_where_totals_are_typed(
    as_account: Visit, keeper: Account, competition: Competition
) -> None:
    client, page = as_account(keeper), f"{address(competition)}?totals=1"
    first, *_others = Table.objects.filter(games__game__in=games(competition)).order_by("number")
    client.post(page, typed(client, page, card_of(first), 0, lines("score", "10", "20", "30")))
    record_result(game_id=card_of(first))
    said = [each.sentence for each in event_lines([*events_of(competition, withheld=True)])]
    assert sum("the score card is closed." in each for each in said) == 1
    assert not any("unfinished" in each for each in said)


def test_what_was_done_says_of_a_card_only_where_deals_on_it_do_not_count(
    as_account: Visit, cast: Cast, competition: Competition
) -> None:
    client, sheet = as_account(cast.olga), address(competition)
    first, second = (table.games.get().game_id for table in tables(competition))
    cards, totals = lines("cards", "0", "35", "20"), lines("score", "1", "2", "3")
    assert client.post(sheet, typed(client, sheet, second, 1, cards)).status_code == 302
    competition.refresh_from_db()
    before, page = competition.seq, f"{sheet}?totals=1"
    for card in (first, second):
        client.post(page, row(typed(client, page, card, 0, totals), card, 0))
        record_result(game_id=card)
    act(cast.olga, competition, CloseRound)
    told = what_was_done(cast.olga, competition, before)
    assert told.count("the score card is closed") == 1
    assert told.partition("the score card is closed")[0].rpartition("table ")[2].startswith("2 (")


def test_what_is_typed_of_a_match_is_said_where_only_totals_are(cast: Cast) -> None:
    cup = {"name": "Cup", "format": "knockout", "rounds": 0, "table_size": 2, "best_of": 3}
    competition = in_play(cast, 4, stages=[cup], ruleset="scoops-scorecard")
    (its_round,) = competition.stages.get().rounds.all()
    page = logged_in(cast.olga).get(f"/rounds/{its_round.pk}/scores/?totals=1").content.decode()
    assert page.count("A match: the games that each player won in it") == 2


def test_the_columns_of_a_match_stay_in_its_second_game_and_results_go_to_the_right_side(cast: Cast) -> None:
    cup = {"name": "Cup", "format": "knockout", "rounds": 0, "table_size": 2, "best_of": 3}
    options = {"rounds": 1, "first_dealer_bonus": 0}
    competition = in_play(cast, 2, stages=[cup], ruleset="scamper-scorecard", options=options)
    (table,) = Table.objects.filter(round__stage__competition=competition)
    names = [seat.player.called for seat in table.seats.order_by("number")]
    client = logged_in(cast.olga)
    for turn, points in enumerate(((0, 35), (20, 0))):
        game = table.games.latest("number").game
        card, phone = f"/games/{game.pk}/scores/", f"/games/{game.pk}/"
        for page in (card, phone):
            shown = client.get(page).content.decode()
            heads = re.findall(
                r'(?:class="number" id="seat-[^"]*">|<label for="[^"]*seats-\d-cards">)([^<]+)', shown
            )
            assert [each.strip() for each in heads[:2]] == names, page
            places = [at for name, at in re.findall(r'name="(\S+\.seats-(\d)-cards)"', shown)]
            assert [int(each) ^ turn for each in places] == [0, 1], page
        told = "Game 2: nothing entered yet" if turn else "Nothing entered yet"
        assert f"data-status>{told}<" in client.get(card).content.decode()
        of_seats = {f"seats-{side ^ turn}-cards": str(score) for side, score in enumerate(points)}
        client.post(card, row(typed(client, card, game.pk, 1, of_seats), game.pk, 1))
        record_result(game_id=game.pk)
        ended = client.get(phone).content.decode()
        columns = re.findall(r'<th scope="col" class="number">([^<]+)', ended)
        assert [each.strip() for each in columns[:2]] == names
    table.refresh_from_db()
    assert table.match and [each["scores"] for each in table.match["games"][:2]] == [[0, 35], [20, 0]]
    assert f"{names[0]} – {names[1]}: " in client.get(f"/games/{game.pk}/scores/").content.decode()


@pytest.mark.parametrize("face", ["desk", "sheet"])
def test_a_total_that_partners_share_is_typed_once(cast: Cast, as_account: Visit, face: str) -> None:
    competition = pairs_in_play(cast, ruleset="scram-scorecard")
    client, table = as_account(cast.olga), Table.objects.get(round__stage__competition=competition)
    key = card_of(table)
    page, inputs = {
        "desk": (f"/admin/league/competition/{competition.pk}/do/rule/?table={table.pk}", "score.%d"),
        "sheet": (f"/games/{key}/scores/", f"{key}.0.seats-%d-score"),
    }[face]
    html, fields = client.get(page).content.decode(), shown(client, page)
    assert [inputs % seat in fields for seat in range(4)] == [True, True, False, False]
    first, _second, partner, _fourth = [seat.player.name for seat in table.seats.order_by("number")]
    assert f"{first} &amp; {partner}" in html
    sent = {**fields, "table": str(table.pk), inputs % 0: "12", inputs % 1: "7"}
    assert client.post(page, sent).status_code == 302
    assert [*table.seats.order_by("number").values_list("score", flat=True)] == [12, 7, 12, 7]

"""The room of a table is said wherever the apps say which table it is."""

import csv
from typing import Any

import pytest
from django.test import Client

from league.core.verbs.draw import DrawRound
from league.core.verbs.rooms import SetRooms
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition, Table, TableSeat
from tests.apps.my_evening.test_my_evening import code, evening, opened_by
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened, tables
from tests.league.test_admin_scope import logged_in
from tests.league.test_emails import sent
from tests.league.walking import text_of


@pytest.fixture
def competition(cast: Cast) -> Competition:
    """A round of Paul and Petra at table 7 of the hall, and of nobody else."""
    for account in (cast.paul, cast.petra):
        account.email = f"{account.username}@cards.example"
        account.save()
    found = opened(cast, 2)
    act(cast.olga, found, SetRooms, rooms=[{"name": "Hall", "first": 7, "last": 9}])
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, found, verb)
    found.refresh_from_db()
    return found


def game_at(table: Table) -> str:
    return f"/games/{table.games.get().game_id}/"


def test_the_page_and_the_list_of_games_say_it(cast: Cast, competition: Competition) -> None:
    page = Client().get(game_at(tables(competition)[0])).content.decode()
    assert "<h1>Tally, round 1, table 7, Hall</h1>" in page
    assert "round 1, table 7, Hall" in logged_in(cast.paul).get("/account/").content.decode()


def test_calendars_have_it_as_their_place(competition: Competition) -> None:
    found = Client().get(f"/api/v1/competitions/{competition.pk}/calendar.ics").content.decode()
    assert "\r\nLOCATION:Hall\r\n" in found


@pytest.mark.parametrize("rooms", [[{"name": "Hall", "first": 7, "last": 9}], []], ids=["rooms", "none"])
def test_score_cards_say_it_on_the_page_and_on_paper(cast: Cast, rooms: list[dict[str, Any]]) -> None:
    competition = opened(cast, 2, ruleset="scamper-scorecard", options={"rounds": 2})
    act(cast.olga, competition, SetRooms, rooms=rooms)
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    table, desk = tables(competition)[0], logged_in(cast.olga)
    card = desk.get(f"/games/{table.games.get().pk}/scores/").content.decode()
    all_cards = desk.get(f"/rounds/{table.round_id}/scores/").content.decode()
    paper = text_of(Client().get(f"/competitions/{competition.slug}/print/sheets.pdf"))
    found = ["table 7, Hall" in card, '<span class="small">Hall</span>' in all_cards, "Hall" in paper]
    assert found == [bool(rooms)] * 3
    assert "Hall" not in card + all_cards + paper or rooms


def test_an_email_says_it(competition: Competition) -> None:
    (paul,) = [each for each in sent() if each.to == ["paul@cards.example"]]
    assert "You sit at table 7 with Petra Plum. Room: Hall." in paul.body


def test_my_evening_says_it(cast: Cast, competition: Competition) -> None:
    seat = TableSeat.objects.get(table=tables(competition)[0], player=cast.paul_plays)
    shown = evening(opened_by(code(cast, competition, seat.player)), competition)
    assert f'Table 7, seat {seat.number + 1} <span class="small">Hall</span>' in shown


def test_the_screens_of_the_hall_say_it(competition: Competition) -> None:
    shown = Client().get(f"/competitions/{competition.slug}/hall/?seconds=3600").content.decode()
    assert "Table\N{NO-BREAK SPACE}7, Hall" in shown


@pytest.mark.parametrize("name", ["pairings.pdf", "names.pdf", "cards.pdf"])
def test_prints_say_it(competition: Competition, name: str) -> None:
    assert "Hall" in text_of(Client().get(f"/competitions/{competition.slug}/print/{name}"))


def test_lists_of_results_have_it_as_their_last_column(competition: Competition) -> None:
    answer = Client().get(f"/api/v1/competitions/{competition.pk}/results.csv")
    rows = [*csv.DictReader(answer.content.decode("utf-8-sig").splitlines())]
    assert {(row["table"], row["room"]) for row in rows} == {("7", "Hall")}

"""Rooms and table numbers: set on the desk, shown wherever a table is, remembered from evening to evening."""

from typing import Any

import pytest
from django.test import Client

from league.core.state.rooms import Room
from league.core.verbs.draw import DrawRound
from league.core.verbs.rooms import SetRooms
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.models import Competition, Table
from league.queries.rounds import rooms_of
from league.services.automatic import advance, record_result
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import PLAN, opened, play_all, tables
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import ask, is_done, page, post
from tests.league.test_setting_up import ADD, send

BAR_AND_HALL = [{"name": "Bar", "first": 3, "last": 3}, {"name": "Hall", "first": 5, "last": 9}]
SWISS = [{**PLAN, "format": "swiss"}]


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def rows(competition: Competition) -> list[tuple[int, str]]:
    tables = Table.objects.filter(round__stage__competition=competition).order_by("round__number", "number")
    return [*tables.values_list("number", "room")]


def in_the_bar(cast: Cast, players: int = 8) -> Competition:
    """A competition whose first round is published, at tables 3 of the bar and 5 of the hall."""
    competition = opened(cast, players, stages=SWISS)
    act(cast.olga, competition, SetRooms, rooms=BAR_AND_HALL)
    for verb in (StartCompetition, DrawRound, PublishRound):
        act(cast.olga, competition, verb)
    competition.refresh_from_db()
    return competition


def test_rooms_are_typed_a_line_each_under_more(olga: Client, cast: Cast) -> None:
    competition = opened(cast, 8, stages=SWISS)
    parts = page(olga, competition).context["parts"]
    assert "set-rooms" in {each.key for _, _, rare in parts for each in rare}
    assert is_done(post(olga, competition, "set-rooms", rooms="Bar 2\nHall: 5 - 9", without="7"))
    competition.refresh_from_db()
    assert rooms_of(competition).rooms == (Room("Bar", 1, 2), Room("Hall", 5, 9))
    desk = page(olga, competition).content.decode()
    assert "Rooms: Bar (tables 1–2), Hall (tables 5–9), without 7." in desk
    assert "Rooms from the next round on: Bar (tables 1–2) and Hall (tables 5–9); no table has" in desk
    form = ask(olga, competition, "set-rooms").context["form"]
    assert form["rooms"].value() == "Bar 1–2\nHall 5–9" and form["without"].value() == "7"
    assert is_done(post(olga, competition, "set-rooms", rooms="", without=""))
    competition.refresh_from_db()
    assert competition.rooms == {}


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"rooms": "Bar"}, "for example Bar 1–4"),
        ({"rooms": "Bar 4–1"}, "the lower one first"),
        ({"rooms": "Bar 0"}, "the lower one first"),
        ({"rooms": "Bar 1–4\nHall 4–9"}, "no table can be in two"),
        ({"rooms": "12", "without": "x"}, "Write numbers of tables"),
    ],
)
def test_what_is_no_room_is_asked_for_again(
    olga: Client, cast: Cast, typed: dict[str, str], sentence: str
) -> None:
    assert sentence in post(olga, opened(cast, 8), "set-rooms", **typed).content.decode()


def test_the_rooms_of_the_clubs_last_evening_are_offered(olga: Client, cast: Cast) -> None:
    in_the_bar(cast)
    form = ask(olga, opened(cast, 8), "set-rooms").context["form"]
    assert form["rooms"].value() == "Bar 3–3\nHall 5–9"


def test_rows_pages_and_the_api_say_where(olga: Client, cast: Cast) -> None:
    competition = in_the_bar(cast)
    assert rows(competition) == [(3, "Bar"), (5, "Hall")]
    assert "Table 5" in (told := olga.get(f"/competitions/{competition.slug}/rounds/").content.decode())
    assert '<span class="small">Hall</span>' in told
    found = olga.get(f"/api/v1/competitions/{competition.pk}/tables/").json()["results"]
    assert {(each["number"], each["room"]) for each in found} == {(3, "Bar"), (5, "Hall")}
    shown = olga.get(f"/api/v1/competitions/{competition.pk}/").json()
    assert shown["rooms"] == BAR_AND_HALL


def test_a_published_round_stays_where_it_is(cast: Cast) -> None:
    competition = in_the_bar(cast)
    act(cast.olga, competition, SetRooms, rooms=[{"name": "Attic", "last": 4}])
    assert rows(competition) == [(3, "Bar"), (5, "Hall")]


def test_the_desk_says_what_comes_out_before_the_draw(olga: Client, cast: Cast) -> None:
    competition = opened(cast, 11, stages=SWISS)
    act(cast.olga, competition, SetRooms, rooms=[{"last": 2}])
    assert "11 entries: 1 table of 6, 1 table of 5." in page(olga, competition).content.decode()
    act(cast.olga, competition, StartCompetition)
    assert "2 tables: 1 × 6 and 1 × 5" in ask(olga, competition, "draw").content.decode()
    offered = ask(olga, competition, "draw-sizes").context["form"].fields["tables-1"].choices
    assert offered[0] == ("", "as the rooms allow, 2 tables: 1 × 6 and 1 × 5")
    assert is_done(post(olga, competition, "draw"))
    assert [number for number, _room in rows(competition)] == [1, 2]


def drawn_at(competition: Competition, number: int) -> tuple[list[tuple[int, str]], list[int]]:
    """Number and room of each table of a round, and how big tables are."""
    found = tables(competition, number)
    places = [(each.number, each.room) for each in found]
    return places, sorted((each.seats.count() for each in found), reverse=True)


def test_the_server_draws_rounds_at_the_tables_and_in_the_rooms_that_were_set(
    olga: Client, cast: Cast
) -> None:
    competition = opened(cast, 11, stages=[{**PLAN, "rounds": 3}], pace="automatic")
    assert is_done(post(olga, competition, "set-sizes", **{"own-1": "6, 5"}))
    desk = page(olga, competition).content.decode()
    assert "Round 1 will be drawn at 2 tables: 1 × 6 and 1 × 5." in desk
    act(cast.olga, competition, StartCompetition)
    advance(competition_id=competition.pk)
    assert drawn_at(competition, 1) == ([(1, ""), (2, "")], [6, 5])
    offered = ask(olga, competition, "set-sizes").context["form"].fields["tables-1"].choices
    assert offered[0] == ("", "as planned, 3 tables: 2 × 4 and 1 × 3")
    assert "6,5" in dict(offered)
    assert is_done(post(olga, competition, "set-sizes", **{"tables-1": "6,5"}))
    act(cast.olga, competition, SetRooms, rooms=BAR_AND_HALL)
    for number in (1, 2):
        for game in play_all(competition, number):
            record_result(game_id=game)
        advance(competition_id=competition.pk)
    assert drawn_at(competition, 2) == ([(3, "Bar"), (5, "Hall")], [6, 5])
    assert drawn_at(competition, 3) == ([(3, "Bar"), (5, "Hall"), (6, "Hall")], [4, 4, 3])


def test_who_draws_rounds_chooses_sizes_then(olga: Client, cast: Cast) -> None:
    competition = opened(cast, 11)
    parts = page(olga, competition).context["parts"]
    assert "set-sizes" not in {each.key for _, common, rare in parts for each in (*common, *rare)}


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"tables": 5}, "A draw seats 23 players as the room allows: 5 tables: 3 × 5 and 2 × 4."),
        ({"tables": 2}, "23 players as the room allows: 4 tables: 3 × 6 and 1 × 5; 5 tables"),
        ({"tables": 4, "entering.places": 17}, "17 players as the room allows: 4 tables: 1 × 5 and 3 × 4."),
        (
            {"entering.places": 17, "stages.0.table_size": 3},
            "17 players as the room allows: 4 tables",
        ),
        ({"entering.places": "many", "tables": "x"}, "23 players as the room allows: 4 tables"),
    ],
)
def test_the_form_shows_at_what_tables_as_many_sit_as_are_typed(
    olga: Client, typed: dict[str, Any], told: str
) -> None:
    shown = send(olga, f"{ADD}?ruleset=scoops&plan=club_night", look="1", **typed)
    assert told in shown.content.decode() and not shown.context["form"].fields_with_errors
    assert not Competition.objects.exists()

"""The desk's page of a rehearsal."""

import re

from django.test import Client

from games.models import Game
from league.core.verbs.rooms import SetRooms
from league.core.verbs.start import StartCompetition
from league.models import Competition, Player, Table
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened
from tests.league.test_admin_scope import logged_in


def page(client: Client, competition: Competition, query: str = "") -> str:
    answer = client.get(f"/admin/league/competition/{competition.pk}/rehearsal/{query}")
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_a_planned_competition_is_played_round_by_round_and_nothing_is_stored(cast: Cast) -> None:
    competition, desk = opened(cast, 5), logged_in(cast.olga)
    before = Competition.objects.values().get(pk=competition.pk)
    assert "League, round 1" not in page(desk, competition)
    about = desk.get(f"/admin/league/competition/{competition.pk}/change/").content.decode()
    assert "Rehearse it with" in about
    first = page(desk, competition, "?entries=8&number=1")
    assert "League, round 1" in first and "Player 8" in first and "round 2" not in first
    second = page(desk, competition, "?entries=8&number=1&rounds=2")
    assert "That was the last round." not in first
    assert "League, round 2" in second and "That was the last round." in second
    assert Competition.objects.values().get(pk=competition.pk) == before
    assert not Table.objects.exists() and not Game.objects.exists()


def test_tables_have_their_numbers_in_the_rooms(cast: Cast) -> None:
    competition = opened(cast, 8)
    act(cast.olga, competition, SetRooms, rooms=[{"name": "Hall", "first": 7, "last": 9}])
    told = page(logged_in(cast.olga), competition, "?entries=8&number=1")
    assert re.findall(r'<li value="(\d+)">', told) == ["7", "8"]


def test_who_has_left_the_club_since_entering_takes_part(cast: Cast) -> None:
    competition = opened(cast, 5)
    left = competition.entries.order_by("number")[0].members.get().player
    Player.objects.filter(pk=left.pk).update(active=False)
    assert left.name in page(logged_in(cast.olga), competition, "?entries=5&number=1")


def test_what_cannot_be_played_is_said(cast: Cast) -> None:
    competition, desk = opened(cast, 5), logged_in(cast.olga)
    assert "League, round 1" not in page(desk, competition, "?entries=1&number=1")
    act(cast.olga, competition, StartCompetition)
    assert "has begun" in page(desk, competition, "?entries=8&number=1")


def test_is_offered_where_people_challenge_each_other_too(cast: Cast) -> None:
    stage = {"name": "Evening", "format": "open_play", "rounds": 1, "table_size": 4}
    competition, desk = opened(cast, 5, stages=[stage]), logged_in(cast.olga)
    about = desk.get(f"/admin/league/competition/{competition.pk}/change/").content.decode()
    assert "Rehearse it with" in about
    told = page(desk, competition, "?entries=9&number=1")
    assert "Places taken" in told and "Total score" in told and "Level with" in told


def test_only_organisers_of_the_club_see_it(cast: Cast) -> None:
    competition = opened(cast, 5)
    address = f"/admin/league/competition/{competition.pk}/rehearsal/"
    assert logged_in(cast.petra).get(address).status_code in (302, 403, 404)

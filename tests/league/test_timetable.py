"""A competition's timetable on its pages and in the API, where an organiser said how long a round lasts."""

from datetime import datetime, time, timedelta
from typing import Any

import pytest
from django.test import Client

from games import database_time
from games.engine.refusals import Malformed
from league.apps.hall.services import start_timer
from league.core.verbs.draw import DrawRound
from league.core.verbs.start import StartCompetition
from league.models import Competition
from league.services.competitions import change_details
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import finished, in_play, opened


def timed(cast: Cast, competition: Competition, **values: Any) -> None:
    given = {"round_minutes": 40, "break_after": 1, "break_minutes": 15, **values}
    change_details(by=cast.olga, competition=competition, values=given)


def page(competition: Competition, name: str = "") -> str:
    return Client().get(f"/competitions/{competition.slug}/{name}").content.decode()


def test_the_next_round_the_break_and_the_end_are_told_on_the_page_and_in_the_hall(cast: Cast) -> None:
    competition = in_play(cast)
    timed(cast, competition)
    for shown in (page(competition), page(competition, "hall/")):
        assert "round 2 about" in shown
        assert "break of 15 minutes after round 1" in shown
        assert "end about" in shown


def test_where_nobody_said_how_long_a_round_lasts_nothing_is_told(cast: Cast) -> None:
    competition = in_play(cast)
    assert "Timetable" not in page(competition) + page(competition, "hall/")


def test_once_the_competition_is_over_nothing_is_told(cast: Cast) -> None:
    competition = finished(cast)
    timed(cast, competition)
    assert "Timetable" not in page(competition)


def test_before_the_start_it_begins_at_the_announced_time_in_the_clubs_zone(cast: Cast) -> None:
    competition = opened(cast, 8)
    tomorrow = (database_time.now() + timedelta(days=1)).date()
    timed(cast, competition, begins_on=tomorrow, begins_at=time(19, 30))
    assert "round 1 about 19:30" in page(competition)


def test_the_timer_of_the_hall_says_when_the_round_ends(cast: Cast) -> None:
    competition = in_play(cast)
    timed(cast, competition, break_after=0, break_minutes=0)
    before = round_2(competition)
    start_timer(by=cast.olga, competition=competition, minutes=90)
    assert round_2(competition) - before >= timedelta(minutes=45)


def round_2(competition: Competition) -> Any:
    rounds = Client().get(f"/api/v1/competitions/{competition.pk}/timetable/").json()["rounds"]
    assert [each["begun"] for each in rounds] == [True, False]
    return datetime.fromisoformat(rounds[1]["at"])


def test_an_unpublished_draw_changes_nothing_of_it(cast: Cast) -> None:
    competition = opened(cast, 8)
    tomorrow = (database_time.now() + timedelta(days=1)).date()
    timed(cast, competition, begins_on=tomorrow, begins_at=time(19, 30))
    act(cast.olga, competition, StartCompetition)
    address = f"/api/v1/competitions/{competition.pk}/timetable/"
    before = Client().get(address).json()
    act(cast.olga, competition, DrawRound)
    assert Client().get(address).json() == before


def test_a_break_needs_its_place_and_its_length(cast: Cast) -> None:
    with pytest.raises(Malformed):
        timed(cast, opened(cast), break_after=0)

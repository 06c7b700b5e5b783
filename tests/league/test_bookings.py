"""Players with two tables at once, in two competitions of a club."""

from typing import Any

import pytest
from django.test import Client

from league.core.verbs.course import PauseCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.rounds import PublishRound
from league.core.verbs.start import StartCompetition
from league.core.verbs.tables import OpenTable
from league.models import Competition
from league.queries import rounds
from league.services.automatic import record_result
from tests.api.web import EVERYBODY, ROOT, assert_problem, bearer, get
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import opened, play_all


def drawn(cast: Cast, name: str, *verbs: Any, **announced: Any) -> Competition:
    """Return a competition of Paul, Petra and nobody else, its round drawn."""
    competition = opened(cast, 2, name=name, **announced)
    for verb in (StartCompetition, DrawRound, *verbs):
        act(cast.olga, competition, verb)
    return competition


def double_bookings(competition: Competition) -> list[str]:
    """Return who is booked twice, and where else."""
    return [
        f"{each.here.player.name}: {each.elsewhere.table.round.stage.competition.name}"
        for each in rounds.double_bookings(competition)
    ]


def test_two_rounds_at_once_are_a_double_booking_in_both(cast: Cast) -> None:
    autumn, cup = drawn(cast, "Autumn", PublishRound), drawn(cast, "Cup")
    assert double_bookings(autumn) == ["Paul Pike: Cup", "Petra Plum: Cup"]
    assert double_bookings(cup) == ["Paul Pike: Autumn", "Petra Plum: Autumn"]


def test_a_decided_table_is_not_a_booking(cast: Cast) -> None:
    autumn, cup = drawn(cast, "Autumn", PublishRound), drawn(cast, "Cup")
    for game in play_all(autumn):
        record_result(game_id=game)
    assert double_bookings(cup) == []


def test_a_paused_competition_has_no_bookings(cast: Cast) -> None:
    autumn, cup = drawn(cast, "Autumn"), drawn(cast, "Cup")
    act(cast.olga, autumn, PauseCompetition)
    assert double_bookings(cup) == []


def test_open_play_has_no_bookings(cast: Cast) -> None:
    ladder = {"name": "Ladder", "format": "ladder", "rounds": 1, "table_size": 2}
    open_play = drawn(cast, "Ladder", PublishRound, stages=[ladder])
    entries = list(open_play.entries.values_list("pk", flat=True))
    act(cast.olga, open_play, OpenTable, entries=entries)
    assert double_bookings(drawn(cast, "Cup")) == []


def test_only_organisers_see_double_bookings(cast: Cast, django_assert_max_num_queries: Any) -> None:
    drawn(cast, "Autumn")
    path = f"/competitions/{drawn(cast, 'Cup').pk}/double-bookings/"
    olga = bearer(cast.olga)
    with django_assert_max_num_queries(8):
        rows = get(path, olga)
    assert [(row["player"]["name"], row["elsewhere"]["name"]) for row in rows] == [
        ("Paul Pike", "Autumn"),
        ("Petra Plum", "Autumn"),
    ]
    assert_problem(EVERYBODY.get(f"{ROOT}{path}"), 401, "not_authenticated")
    for account in (cast.paul, cast.nora):
        assert_problem(bearer(account).get(f"{ROOT}{path}"), 403, "not_allowed")


@pytest.mark.parametrize("competitions", [2, 6])
def test_the_number_of_queries_does_not_depend_on_the_number_of_competitions(
    cast: Cast, competitions: int, django_assert_num_queries: Any
) -> None:
    first, *_ = [drawn(cast, f"Cup {number}") for number in range(competitions)]
    with django_assert_num_queries(2):
        assert len(double_bookings(first)) == 2 * (competitions - 1)


def test_the_desk_shows_double_bookings_beside_the_round(cast: Cast) -> None:
    drawn(cast, "Autumn")
    client = Client()
    client.force_login(cast.olga)
    answer = client.get(f"/admin/league/competition/{drawn(cast, 'Cup').pk}/change/")
    assert "Paul Pike sits at table 1 here and at table 1 of Autumn." in answer.content.decode()

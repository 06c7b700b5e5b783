"""People are listed by name everywhere in one order: numbers as numbers, accents as plain letters."""

import pytest

from league.models import Player
from league.models.names import sort_key
from league.queries.clubs import players_of
from league.services.players import create_player
from tests.factories import Cast, PlayerFactory
from tests.league.playing import opened
from tests.league.test_admin_scope import logged_in
from tests.league.test_name_lists import enter, names

NAMES = ["Arne 3", "Ärne 20", "Member 2", "Member 10", "Member 10 b 9", "Member 10 b 10", "Øyvind", "Zoë"]


@pytest.fixture
def named(cast: Cast) -> Cast:
    Player.objects.all().delete()
    for name in reversed(NAMES):
        PlayerFactory.create(club=cast.club, name=name)
    return cast


def test_lists_have_member_2_before_member_10(named: Cast) -> None:
    assert [each.name for each in players_of(named.club)] == NAMES
    assert [each.name for each in Player.objects.all()] == NAMES


def test_what_is_sorted_in_python_has_the_same_order() -> None:
    assert sorted({*NAMES}, key=sort_key) == NAMES


def test_who_is_renamed_moves(named: Cast) -> None:
    Player.objects.filter(name="Zoë").update(name="Member 3", search_name="member 3")
    assert [each.name for each in players_of(named.club)][2:4] == ["Member 2", "Member 3"]


def test_a_name_with_the_last_name_first_is_that_of_the_same_player(cast: Cast) -> None:
    olga, competition = logged_in(cast.olga), opened(cast)
    enter(olga, competition, "Plum, Petra")
    enter(olga, competition, "Plum, Petra", "Pyke, Paul", **{"is:Paul Pyke": "Paul Pike"})
    enter(olga, competition, "Plum, Petra", "Pike, Paul")
    assert names(competition) == ["Petra Plum", "Paul Pike"]
    create_player(by=cast.olga, club=cast.club, name="Plum, Petra")
    enter(olga, competition, "Plum, Petra")
    assert names(competition)[2:] == ["Plum, Petra"]

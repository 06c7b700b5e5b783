"""Time for one table: some minutes more than its round has."""

from typing import Any

import pytest

from games.engine.refusals import Illegal, Malformed
from league.core.state.competition import Competition
from league.core.verb import Given
from league.core.verbs.deadlines import GiveTime
from league.core.verbs.tables import PostponeTable
from tests.core.crosstable import after, plan, published, results, started, table_at
from tests.core.deciding import NOW, decide
from tests.core.ids import uid


def playing() -> Competition:
    return published(started("Ann Ben Cem Dana", plan(table_size=2)), "Ann > Ben; Cem > Dana")


def given_time(state: Competition, minutes: int, role: Any = "organiser") -> Competition:
    table = table_at(state, "Ann", "Ben").id
    verb, given = GiveTime(table=table, minutes=minutes), Given(uid("competition"), NOW, role=role)
    return after(state, *decide(state, verb, given))


def test_adds_up_and_is_taken_back_for_this_table_alone() -> None:
    state = given_time(given_time(given_time(playing(), 5), 10), -5)
    assert table_at(state, "Ann", "Ben").more_minutes == 10
    assert table_at(state, "Cem", "Dana").more_minutes == 0


def test_is_a_scorekeepers_matter_too() -> None:
    assert table_at(given_time(playing(), 5, "scorekeeper"), "Ann", "Ben").more_minutes == 5


@pytest.mark.parametrize("minutes", [-1, 241])
def test_is_never_less_than_none_or_more_than_four_hours(minutes: int) -> None:
    with pytest.raises(Malformed):
        given_time(playing(), minutes)


def test_of_a_decided_table_is_refused() -> None:
    state = playing()
    with pytest.raises(Illegal, match="still played"):
        given_time(after(state, *results(state, "Ann > Ben")), 5)


def test_of_a_table_that_is_put_off_is_refused() -> None:
    state = playing()
    put_off = decide(state, PostponeTable(table_at(state, "Ann", "Ben").id, "a cold"))
    with pytest.raises(Illegal, match="put off"):
        given_time(after(state, *put_off), 5)

"""Schedules that are given to entries so that they have the rounds already played."""

from collections.abc import Sequence

from games.engine.chance import Chance
from league.core.drawing.designs import DesignRound
from league.core.drawing.schedule import STEPS_TO_EMBED as STEPS
from league.core.drawing.schedule import embeddings, none_twice

CHANCE = Chance(b"embedding")
SIXTEEN = none_twice(16, (4,) * 4)


def tables(rounds: Sequence[DesignRound], entry_of: Sequence[int]) -> set[frozenset[frozenset[int]]]:
    return {frozenset(frozenset(entry_of[one] for one in table) for table in each) for each in rounds}


def test_a_schedule_without_repeats_is_known_where_all_sit_at_equal_tables() -> None:
    assert len(none_twice(25, (5,) * 5)) == 6
    assert len(none_twice(16, (4,) * 4)) == 5
    assert none_twice(7, (4, 3)) == none_twice(17, (4,) * 4) == none_twice(3, ()) == ()


def test_the_first_rounds_are_those_played() -> None:
    shuffled = CHANCE.shuffled("entries", range(16))
    played = [[[shuffled[one] for one in table] for table in each] for each in SIXTEEN[:3]]
    found = list(embeddings(SIXTEEN, played, CHANCE, "test"))
    assert 1 < len(found) <= STEPS // 16 + 1
    for entry_of in found:
        assert sorted(entry_of) == list(range(16))
        assert tables(SIXTEEN[:3], entry_of) == {frozenset(map(frozenset, each)) for each in played}


def test_rounds_that_the_schedule_cannot_have_give_none() -> None:
    twice = [[*map(list, SIXTEEN[0])]] * 2
    assert not list(embeddings(SIXTEEN, twice, CHANCE, "test"))
    assert not list(embeddings(SIXTEEN, [[[*range(15)]]], CHANCE, "test"))

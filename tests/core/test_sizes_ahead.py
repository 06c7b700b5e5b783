"""Sizes of tables that are set before a round is drawn, which the server does by itself."""

import pytest

from games.engine.refusals import Illegal
from league.core import sizes
from league.core.state.competition import Competition
from league.core.state.rooms import Room
from league.core.verbs.course import FinishCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.rooms import SetRooms
from league.core.verbs.sizes import SetSizes, SizesSet
from league.words.options import next_seating_in_words
from tests.core import deciding as commands
from tests.core.crosstable import after, entered, plan
from tests.core.deciding import decide
from tests.core.formats.played import competition, drawn, finished_round, last_round, names
from tests.core.formats.played import sizes as sizes_of
from tests.core.ids import uid
from tests.core.test_rooms import said

SEATS = (3, 4, 5, 6)


def of(count: int, **changes: object) -> Competition:
    return competition(count, plan(**changes), seats=SEATS)


def ahead(state: Competition, *groups: tuple[int, ...]) -> Competition:
    return said(state, SetSizes(groups))


def made(state: Competition) -> list[int]:
    return sizes_of(last_round(said(state, DrawRound())))


def played(state: Competition) -> Competition:
    """The drawn round published, and being played."""
    games = {table.id: [uid(table.id)] for table in last_round(state).tables}
    return after(state, *commands.publish(state, games=games))


def test_the_next_draw_has_the_sizes_that_were_set_and_the_one_after_does_not() -> None:
    state = ahead(of(23), (4, 5, 5, 4, 5))
    told = [str(each.sentence) for each in DrawRound.cautions(state)]
    assert "As set for this round: 5 tables: 3 × 5 and 2 × 4." in told
    assert made(state) == [5, 5, 5, 4, 4]
    assert made(finished_round(drawn(state))) == [4, 4, 4, 4, 4, 3]


def test_they_can_be_set_while_the_round_before_is_played() -> None:
    state = drawn(of(23))
    running = ahead(played(state), (5, 5, 5, 4, 4))
    assert running.ahead and running.ahead.at == (1, 2)
    between = ahead(finished_round(state), (5, 5, 5, 4, 4))
    assert made(between) == [5, 5, 5, 4, 4]


def test_they_can_be_set_before_the_start() -> None:
    state = ahead(entered(names(23), plan(), seats=SEATS), (5, 5, 5, 4, 4))
    assert made(after(state, *commands.start(state))) == [5, 5, 5, 4, 4]


@pytest.mark.parametrize(
    ("leaving", "tables"), [(1, [5, 5, 4, 4, 4]), (8, [3, 3, 3, 3, 3]), (9, [4, 4, 3, 3])]
)
def test_with_fewer_people_there_are_as_many_tables_or_those_planned(leaving: int, tables: list[int]) -> None:
    state = ahead(of(23), (5, 5, 5, 4, 4))
    for entry in state.entries[:leaving]:
        state = after(state, *commands.withdraw(state, entry=entry.id))
    assert made(state) == tables


def test_they_go_before_the_rooms_and_none_takes_them_back() -> None:
    state = said(of(23), SetRooms((Room("Hall", 1, 5),)))
    six = ahead(state, (4, 4, 4, 4, 4, 3))
    assert made(six) == [4, 4, 4, 4, 4, 3]
    assert "this round needs 6" in str(sizes.too_many(six))
    assert made(ahead(six)) == [5, 5, 5, 4, 4]


def test_sizes_chosen_at_the_draw_go_before() -> None:
    state = ahead(of(23), (5, 5, 5, 4, 4))
    assert sizes_of(last_round(said(state, DrawRound(sizes=((6, 6, 6, 5),))))) == [6, 6, 6, 5]


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (drawn(of(12)), r"Round 1 is drawn\."),
        (of(12, format="round_robin"), "The schedule of the round robin"),
        (played(drawn(of(12, format="knockout", rounds=0))), "Results of this round decide who plays"),
        (played(drawn(of(12, rounds=1))), "All rounds of this stage"),
        (of(11), "These tables have 12 seats, and 11 entries play"),
        (entered("Ann", plan(), seats=SEATS), "No stage can begin now"),
    ],
    ids=["drawn", "schedule", "cup", "last", "seats", "nobody"],
)
def test_what_can_not_be_set_is_refused(state: Competition, sentence: str) -> None:
    with pytest.raises(Illegal, match=sentence):
        decide(state, SetSizes(((4, 4, 4),)))


def test_an_event_about_another_round_or_in_another_order_is_in_no_log() -> None:
    with pytest.raises(Illegal, match="next round to draw is round 1"):
        after(of(12), SizesSet(1, 2, ((4, 4, 4),)))
    with pytest.raises(Illegal, match="biggest tables first"):
        after(of(11), SizesSet(1, 1, ((3, 4, 4),)))


def test_they_end_with_the_competition() -> None:
    state = ahead(finished_round(drawn(of(12))), (4, 4, 4))
    assert sizes.set_ahead(state)
    over = after(state, *decide(state, FinishCompetition()))
    assert sizes.set_ahead(over) == () and next_seating_in_words(over) == ""


def test_a_draw_with_other_sizes_is_not_told_as_still_to_come() -> None:
    state = ahead(of(23), (4, 5, 5, 4, 5))
    assert "5 tables" in next_seating_in_words(state)
    assert next_seating_in_words(said(state, DrawRound(sizes=((6, 6, 6, 5),)))) == ""

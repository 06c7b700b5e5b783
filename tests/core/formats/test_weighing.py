"""The cost shown for an exchange of seats is the cost that the draw uses."""

from collections.abc import Mapping
from typing import Any

import pytest

from league.core.drawing.cost import MATES, REPEAT
from league.core.state.competition import Competition
from league.core.state.plan import Editions
from league.core.verbs.move_seat import SeatsMoved
from league.core.verbs.rounds import PublishRound
from league.core.weighing import Weighed, weighed, weighed_exchanges
from tests.core import deciding as commands
from tests.core.crosstable import after, entered, plan, played, started
from tests.core.formats.played import competition, drawn, finished_round, last_round, stage_of
from tests.core.ids import uid


def weigh(state: Competition) -> Weighed:
    return weighed(state, stage_of(state), last_round(state))


def exchanges(state: Competition) -> list[Competition]:
    """The states after the first entry has changed places with each of the second table."""
    first, second = last_round(state).tables[:2]
    swaps = [((first.entries[0], other),) for other in second.entries]
    number = last_round(state).number
    return [after(state, SeatsMoved(1, number, swap, "they share a car")) for swap in swaps]


def test_a_draw_without_faults_costs_nothing() -> None:
    assert weigh(drawn(competition(8, plan()))).cost == 0


@pytest.mark.parametrize("key", ["rounds", "swiss"])
def test_a_repeat_has_the_same_cost_as_in_the_draw(key: str) -> None:
    state = drawn(finished_round(drawn(competition(4, plan(format=key, table_size=2)))))
    assert weigh(state).report["repeats"] == 0
    worst = max(map(weigh, exchanges(state)), key=lambda answer: answer.cost)
    assert worst.report["repeats"] == 2
    assert 2 * 2 * REPEAT <= worst.cost < 2 * 2 * REPEAT + MATES


def test_the_difference_of_points_has_a_cost_only_in_swiss() -> None:
    costs = {}
    for key in ("rounds", "swiss"):
        state = drawn(finished_round(drawn(competition(16, plan(format=key)))))
        costs[key] = weigh(state).cost % MATES
        assert ("spread" in weigh(state).report) == (key == "swiss")
    assert costs["rounds"] < costs["swiss"]


def test_entries_with_a_second_bye_are_named() -> None:
    state = drawn(finished_round(drawn(competition(5, plan(table_size=2)))))
    rested = stage_of(state).rounds[0].byes[0]
    assert weigh(state).resting_again == ()
    (resting,) = last_round(state).byes
    moved = after(state, SeatsMoved(1, 2, ((rested, resting),), "the train is late"))
    assert weigh(moved).resting_again == (rested,)


def test_groups_and_boards_of_teams_have_the_same_cost_as_in_the_draw() -> None:
    groups = drawn(competition(16, plan(groups=2)))
    teams = " ".join(f"T{number}:{number}a,{number}b" for number in range(4))
    boards = entered(teams, plan(table_size=2), lineup="boards", team_size=2)
    boards = after(boards, *commands.start(boards))
    assert weigh(groups).cost == 0
    assert weigh(drawn(boards)).report["sizes"] == {"2": 2}


@pytest.mark.parametrize(
    ("count", "fields"),
    [
        (9, {"table_size": 2}),
        (11, {"format": "swiss"}),
        (14, {"format": "swiss", "table_size": 5}),
        (16, {"groups": 2, "table_size": 3}),
    ],
)
def test_all_exchanges_of_a_seat_cost_what_each_would_alone(count: int, fields: dict[str, object]) -> None:
    state = drawn(finished_round(drawn(competition(count, plan(**fields)))))
    stage, its_round = stage_of(state), last_round(state)
    for entry in (its_round.tables[0].entries[0], its_round.tables[-1].entries[-1], *its_round.byes):
        before, exchanges = weighed_exchanges(state, stage, its_round, entry)
        assert before == weigh(state)
        assert exchanges
        for other, told in exchanges.items():
            alone = weigh(after(state, SeatsMoved(1, 2, ((entry, other),), "they share a car")))
            assert (told.cost, told.resting_again) == (alone.cost, alone.resting_again)
            assert worst(told) == worst(alone, before)


def worst(*weighed: Weighed) -> tuple[Any, ...]:
    """The exact number of repeats of the first, and of each other figure the worst of all."""
    reports: list[Mapping[str, Any]] = [each.report for each in weighed]
    most = (max(each.get(name, 0) for each in reports) for name in ("most_meetings", "spread"))
    return (reports[0]["repeats"], *most, max(each["first_seats"][0] for each in reports))


# Of 3 tables of 4, two leave one: the others of it have byes, though all ten could sit at 4 + 3 + 3.
def test_the_report_and_a_caution_tell_of_who_left_after_the_draw() -> None:
    state = drawn(competition(12, plan(), seats=(3, 4)))
    (first, *_) = last_round(state).tables
    for entry in first.entries[:2]:
        state = after(state, *commands.withdraw(state, entry=entry))
    assert last_round(state).report["sizes"] == {"4": 2} and last_round(state).report["byes"] == 2
    told = [str(each.sentence) for each in PublishRound.cautions(state)]
    assert told[1] == "2 entries have a bye now; a new draw would make 1 table of 4 and 2 tables of 3."


@pytest.mark.parametrize(("edition", "sizes", "byes"), [(2, {"2": 2}, 2), (1, {"2": 2, "1": 2}, 0)])
def test_pairs_whose_opponents_left_after_the_draw_have_byes(
    edition: int, sizes: dict[str, int], byes: int
) -> None:
    names = " ".join(f"P{number}:A{number},B{number}" for number in range(8))
    announced = plan(table_size=2, editions=Editions(draws=edition))
    state = drawn(started(names, announced, lineup="partners", team_size=2))
    for table in last_round(state).tables[:2]:
        state = after(state, *commands.withdraw(state, entry=table.entries[0]))
    assert (last_round(state).report["sizes"], len(last_round(state).byes)) == (sizes, byes)
    _left, *told = (str(each.sentence) for each in PublishRound.cautions(state))
    wanted = "2 entries have a bye now; a new draw would make 3 tables of 2 teams."
    assert told == ([wanted] if byes else [])


# Ann and Cem were first: if they met next, one of them would be first again.
def test_those_who_were_first_do_not_meet_in_the_next_round() -> None:
    state = played(started("Ann Ben Cem Dana", plan(table_size=2)), "Ann > Ben; Cem > Dana")
    assert {frozenset(table.entries) for table in last_round(drawn(state)).tables} == {
        frozenset(map(uid, pair.split())) for pair in ("Ann Dana", "Ben Cem")
    }

"""Sizes of tables that an organiser chooses for a round: in the cut-off, and repeatable from it."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.refusals import Illegal
from games.engine.values import replace
from league.core import formats, sizes
from league.core.drawing.draw import even_sizes
from league.core.events import apply, read, write
from league.core.state.competition import Competition
from league.core.state.plan import Editions
from league.core.verbs.cut_off import CutOffMade
from league.core.verbs.draw import DrawRound
from league.core.verifier import verdict
from tests.core.crosstable import after, entered, plan, started
from tests.core.deciding import decide, start
from tests.core.formats.played import competition, drawn, finished_round, last_round, stage_of
from tests.core.formats.played import sizes as sizes_of

SEATS = (3, 4, 5, 6)
FREE: dict[str, dict[str, Any]] = {
    "rounds": {},
    "swiss": {"format": "swiss"},
    "seated": {"params": {"by_standing_from": 2}},
    "heats": {"format": "knockout", "rounds": 0},
}


def with_tables(state: Competition, *groups: tuple[int, ...], reason: str = "") -> Competition:
    """The state after a draw with chosen sizes, every event of which the verifier makes again."""
    for event in decide(state, DrawRound(sizes=groups, reason=reason)):
        assert verdict(state, read(write(event))) in (None, "given")
        state = apply(state, event)
    return state


def some_sizes(state: Competition, data: st.DataObject) -> tuple[tuple[int, ...], ...]:
    stage = stage_of(state)
    groups = [[*sizes.proposals(n, state.opening, stage.plan)] for n in sizes.playing(state, stage)]
    return tuple(data.draw(st.sampled_from(group)) if group else () for group in groups)


@settings(max_examples=40, deadline=None)
@given(st.integers(8, 26), st.sampled_from(sorted(FREE)), st.integers(1, 2), st.data())
def test_every_draw_has_the_chosen_sizes_and_is_made_again(
    count: int, kind: str, groups: int, data: st.DataObject
) -> None:
    state = competition(count, plan(groups=groups, **FREE[kind]), seats=SEATS)
    for _ in range(3):
        stage = stage_of(state)
        if len(stage.rounds) >= formats.of(stage.plan).rounds(state, stage):
            break
        chosen = some_sizes(state, data)
        state = with_tables(state, *chosen)
        assert sizes_of(last_round(state)) == sorted(
            (size for group in chosen for size in group), reverse=True
        )
        state = finished_round(state)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 60), st.sets(st.integers(2, 10), min_size=1), st.integers(1, 20))
def test_even_sizes_are_even_and_seat_as_many_as_they_can(count: int, allowed: set[int], tables: int) -> None:
    found = even_sizes(count, sorted(allowed), tables)
    if min(allowed) * tables > count:
        assert found == ()
        return
    assert len(found) == tables
    assert {*found} <= allowed
    left = count - sum(found)
    between = [size for size in allowed if min(found) < size < max(found)]
    assert not between
    bigger = [size for size in allowed if size > min(found)]
    assert left >= 0
    assert not bigger or left < min(bigger) - min(found)


def test_23_people_can_sit_at_five_tables() -> None:
    state = competition(23, plan(), seats=SEATS)
    assert sizes_of(last_round(drawn(state))) == [4, 4, 4, 4, 4, 3]
    offered = [*sizes.proposals(23, state.opening, stage_of(state).plan)]
    told = [str(sizes.in_words(each)) for each in offered]
    assert told[0] == "6 tables: 5 × 4 and 1 × 3"
    assert "5 tables: 3 × 5 and 2 × 4" in told
    state = with_tables(state, (4, 5, 5, 4, 5))
    assert stage_of(state).rounds[-1].origins[-1].cut_off.sizes == ((5, 5, 5, 4, 4),)


def test_sizes_as_planned_leave_nothing_in_the_log() -> None:
    state = competition(23, plan(), seats=SEATS)
    made, _ = decide(state, DrawRound(sizes=((4, 4, 4, 4, 4, 3),)))
    assert "sizes" not in write(made)
    assert decide(state, DrawRound())[0] == made


def test_without_sizes_a_draw_is_that_of_the_edition_before() -> None:
    newest = competition(11, plan(rounds=2))
    older = started(
        " ".join(f"P{n}" for n in range(11)),
        plan(rounds=2, editions=Editions(draws=3, format=1, scoring=6)),
    )
    older = replace(older, seq=newest.seq)
    assert [each.entries for each in last_round(drawn(newest)).tables] == [
        each.entries for each in last_round(drawn(older)).tables
    ]


def test_another_size_in_the_log_is_another_draw() -> None:
    state = competition(15, plan(), seats=SEATS)
    made, draw = decide(state, DrawRound(sizes=((5, 5, 5),)))
    assert isinstance(made, CutOffMade)
    other = after(state, replace(made, sizes=((6, 5, 4),)))
    assert verdict(after(state, made), draw) == "given"
    assert verdict(other, draw) == "different"


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        ([(7, 4)], r"A table can’t have 7 here, only 3, 4, 5 and 6\."),
        ([(4, 4)], "These tables have 8 seats, and 11 entries play."),
        ([(6, 6)], "These tables have 12 seats, and 11 entries play."),
        ([(4, 4), (3,)], "Give the sizes of the tables of the only group."),
    ],
    ids=["too big", "too few seats", "too many seats", "groups"],
)
def test_tables_that_the_round_cant_have_are_refused(groups: list[Any], sentence: str) -> None:
    state = competition(11, plan(), seats=SEATS)
    with pytest.raises(Illegal, match=sentence):
        decide(state, DrawRound(sizes=tuple(groups)))
    usual = decide(state, DrawRound())[0]
    assert isinstance(usual, CutOffMade)
    with pytest.raises(Illegal, match=sentence):
        apply(state, replace(usual, sizes=tuple(groups)))


FIXED: dict[str, tuple[dict[str, Any], str]] = {
    "schedule": ({"format": "round_robin"}, "The schedule of the round robin says"),
    "pairs": ({"format": "swiss", "table_size": 2}, "All tables of this stage have the same size, 2"),
    "bracket": ({"format": "knockout", "table_size": 2, "rounds": 0}, "the same size, 2"),
    "double": ({"format": "double_elimination", "table_size": 2, "rounds": 0}, "the same size, 2"),
    "open": ({"format": "open_play"}, "Players open the tables"),
    "ladder": ({"format": "ladder"}, "Players open the tables"),
    "old": ({"editions": Editions(draws=3, format=1, scoring=6)}, "announced before sizes"),
}


@pytest.mark.parametrize("kind", FIXED)
def test_where_no_sizes_can_be_chosen_it_is_said_why(kind: str) -> None:
    changes, sentence = FIXED[kind]
    state = competition(8, plan(**changes))
    (draw_sizes,) = [button for button in DrawRound.buttons if button.key == "draw-sizes"]
    assert not DrawRound.offered(state, draw_sizes)
    with pytest.raises(Illegal, match=sentence):
        decide(state, DrawRound(sizes=((4, 4),)))


def test_before_the_first_stage_there_are_none() -> None:
    state = entered("Ann Ben Cem Dana Eve Finn")
    assert sizes.fixed(state) is not None
    assert sizes.fixed(after(state, *start(state))) is None


def test_a_new_draw_has_its_own_sizes() -> None:
    state = with_tables(competition(11, plan(), seats=SEATS), (6, 5))
    assert sizes_of(last_round(state)) == [6, 5]
    again = with_tables(state, reason="we have a third table")
    assert sizes_of(last_round(again)) == [4, 4, 3]
    again = with_tables(state, (5, 3, 3), reason="children sit together")
    assert sizes_of(last_round(again)) == [5, 3, 3]


def test_heats_with_other_tables_know_how_many_rounds_follow() -> None:
    state = competition(12, plan(format="knockout", rounds=0), seats=(3, 4, 5, 6))
    state = with_tables(state, (6, 6))
    while stage_of(state).rounds[-1].status != "closed" or last_round(state).tables[0].label != "final":
        stage = stage_of(state)
        foreseen = formats.of(stage.plan).rounds(state, stage)
        state = finished_round(state)
        stage = stage_of(state)
        assert formats.of(stage.plan).rounds(state, stage) == foreseen
        if foreseen == len(stage.rounds):
            break
        state = drawn(state)
    assert last_round(state).tables[0].label == "final"

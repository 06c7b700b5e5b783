"""Tables that an order fills: the standings, or one from elsewhere, such as a series."""

from typing import Any

import pytest

from games.engine.refusals import Illegal
from league.core.events import apply, write
from league.core.state.competition import Competition
from league.core.state.plan import Intake
from league.core.verbs.draw import DrawRound
from league.core.verifier import verdict
from tests.core import deciding as commands
from tests.core.crosstable import after, entered, name_of, plan, played, started
from tests.core.deciding import decide
from tests.core.formats.played import competition, last_round, stage_of
from tests.core.ids import uid
from tests.core.test_wishes import ALL_MEET, given, wished


def fill(state: Competition, seating: str, order: Any = ()) -> Competition:
    verb = DrawRound(seating=seating)  # type: ignore[arg-type]
    return after(state, *decide(state, verb, given(order=order)))


def test_tables_are_filled_by_the_standings_short_tables_last() -> None:
    state = started("Ann Ben Cem Dana Eve Finn Gil", plan())
    state = played(state, "Ann 9 > Ben 5 > Cem 4 > Dana 1; Eve 8 > Finn 4 > Gil 2")
    state = fill(state, "standing")
    tables = [
        sorted(name_of(state, entry)[0] for entry in table.entries) for table in last_round(state).tables
    ]
    assert list(map(len, tables)) == [4, 3]
    assert {"A", "E"} < {*tables[0]}
    assert "D" in tables[1]


def test_there_are_no_standings_before_round_1() -> None:
    with pytest.raises(Illegal, match="There are no standings yet"):
        fill(started("Ann Ben Cem Dana"), "standing")
    with pytest.raises(Illegal, match="There is no other order"):
        fill(started("Ann Ben Cem Dana"), "given")
    with pytest.raises(Illegal, match="In this stage tables can’t be filled"):
        fill(competition(4, plan(**ALL_MEET)), "given", ((uid("P0"),),))


def test_a_stage_can_say_from_which_round_on_the_standings_fill_its_tables() -> None:
    state = started("Ann Ben Cem Dana Eve Finn Gil Hal", plan(params={"by_standing_from": 2}))
    cut_off, _ = decide(state, DrawRound())
    assert "seating" not in write(cut_off)
    state = played(state, "Ann > Ben > Cem > Dana; Eve > Finn > Gil > Hal")
    (cut_off, draw), (lots, _) = decide(state, DrawRound()), decide(state, DrawRound(seating="lots"))
    assert write(cut_off)["seating"] == "standing"
    assert "seating" not in write(lots)
    assert verdict(apply(state, cut_off), draw) == "given"
    assert {*map(uid, ["Ann", "Ben", "Eve", "Finn"])} == {
        *last_round(after(state, cut_off, draw)).tables[0].entries
    }


def test_a_series_gives_the_order_of_the_first_round_level_ones_by_lot() -> None:
    order = (("Hal", "Gil"), ("Finn", "Eve", "Dana"), ("Cem",))
    ids = tuple(tuple(map(uid, level)) for level in order)
    state = fill(started("Ann Ben Cem Dana Eve Finn Gil Hal"), "given", ids)
    first = {name_of(state, entry) for entry in last_round(state).tables[0].entries}
    assert {"Hal", "Gil"} < first < {"Hal", "Gil", "Finn", "Eve", "Dana"}


def test_wishes_count_where_an_order_fills_the_tables() -> None:
    ids = tuple((uid(f"P{n}"),) for n in range(8))
    state = wished(competition(8, plan()), "P0 P1", "apart")
    state = fill(state, "given", ids)
    first = {name_of(state, entry) for entry in last_round(state).tables[0].entries}
    assert "P0" in first and "P1" not in first
    assert len(first & {"P2", "P3", "P4"}) >= 2


def test_divisions_by_order_ignore_wishes() -> None:
    stacked = plan(groups=2, intake=Intake(seeding="order", divide="stack"))
    state = wished(entered("A B C D E F G H", stacked), "A B", "apart", always=False)
    assert [*map(len, stage_of(after(state, *commands.start(state))).groups)] == [4, 4]

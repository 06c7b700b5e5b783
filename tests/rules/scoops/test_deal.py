"""How a game and its rounds begin (C1 to C5), and how dice are assigned."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from games.engine.cards import pack
from games.engine.chance import Chance
from games.engine.refusals import Illegal, Malformed
from games.rules.scoops import rounds
from games.rules.scoops.contract import contract
from games.rules.scoops.moves import Options
from games.rules.scoops.state import State
from tests.rules.scoops.tables import CHANCE, SCOOPS, play, table


@pytest.mark.parametrize(
    ("seats", "packs"),
    [pytest.param(n, -(-n // 3), id=f"C1-{n}-seats") for n in range(2, 10)],
)
def test_there_is_a_pack_for_each_three_seats(seats: int, packs: int) -> None:
    state = rounds.opened(Options(), seats, CHANCE)
    assert Counter(SCOOPS.cards(state)) == Counter(pack() * packs)
    assert [len(hand) for hand in state.round.hands] == [8] * seats
    assert state.round.discards == ((),) * seats


@pytest.mark.parametrize("seats", [1, 10], ids=lambda n: f"C1-{n}-seats")
def test_other_tables_are_refused(seats: int) -> None:
    with pytest.raises(Malformed):
        SCOOPS.read_options({}, seats)


def test_c2_the_first_seat_is_drawn_by_chance() -> None:
    starts = {rounds.opened(Options(), 5, Chance(bytes([n]) * 32)).round.start for n in range(60)}
    assert starts == {0, 1, 2, 3, 4}


def test_c2_each_round_starts_one_seat_further_left() -> None:
    starts = [rounds.dealt(CHANCE, number, 3, (0,) * 4).start for number in (1, 2, 3, 4, 5)]
    assert starts == [3, 0, 1, 2, 3]


def test_c3_dice_count_in_the_order_rolled() -> None:
    dealt = replace(rounds.dealt(CHANCE, 1, 0, (0, 0)), dice=(2, 5, 4, 6))
    made = dealt.contract
    assert (made.special, made.rule.name, made.goal.name) == ("7", "Raspberry", "Coffee")


@pytest.mark.parametrize(
    ("scores", "assigner"),
    [
        pytest.param((0, 0, 0), None, id="C4-all-level"),
        pytest.param((1, 0, 0), None, id="C4-two-lowest"),
        pytest.param((1, 0, 2), 1, id="C4-one-lowest"),
        pytest.param((1, 1, -1), 2, id="C4-lowest-by-a-penalty"),
    ],
)
def test_the_lowest_alone_assigns(scores: tuple[int, ...], assigner: int | None) -> None:
    dealt = rounds.dealt(CHANCE, 2, 0, scores)
    assert (dealt.phase == "assign") == (assigner is not None)
    assert dealt.seat == (1 if assigner is None else assigner)


def to_assign() -> State:
    """Return a state in which seat 1 assigns a 1, a 2, a 3 and a 4; seat 0 starts."""
    state = table(phase="assign", seat=1, turn=0)
    return replace(state, round=replace(state.round, dice=(1, 2, 3, 4), assigned=None))


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"special": [0, 0], "rule": 1, "goal": 2}, id="C4-one-die-twice-in-the-special"),
        pytest.param({"special": [0, 1], "rule": 1, "goal": 2}, id="C4-rule-die-in-the-special"),
        pytest.param({"special": [0, 1], "rule": 2, "goal": 2}, id="C4-rule-die-is-goal-die"),
    ],
)
def test_each_die_is_used_once(fields: dict[str, Any]) -> None:
    with pytest.raises(Illegal) as caught:
        play(to_assign(), 1, type="assign", **fields)
    assert caught.value.rule == "C4"


def test_c4_nobody_draws_or_discards_before_the_dice_are_assigned() -> None:
    for move in ({"type": "draw", "source": "deck"}, {"type": "discard", "card": "2C"}):
        with pytest.raises(Illegal) as caught:
            play(to_assign(), 1, **move)
        assert caught.value.rule == "C4"


@pytest.mark.parametrize(
    ("total", "special"),
    [pytest.param(n, s, id=f"C5-{n}") for n, s in zip(range(2, 13), [*"23456789TA", None], strict=True)],
)
def test_the_sum_of_two_dice_is_the_special(total: int, special: str | None) -> None:
    assert contract(total, 1, 1).special == special


@pytest.mark.parametrize(
    ("die", "rule", "goal"),
    [
        pytest.param(1, "Vanilla", "Bowl", id="C6-C16-1"),
        pytest.param(2, "Cherry", "Shake", id="C6-C16-2"),
        pytest.param(3, "Banana", "Cone", id="C6-C16-3"),
        pytest.param(4, "Raspberry", "Sandwich", id="C6-C16-4"),
        pytest.param(5, "Strawberry", "Float", id="C6-C16-5"),
        pytest.param(6, "Chocolate", "Coffee", id="C6-C16-6"),
    ],
)
def test_a_die_names_a_rule_or_a_goal(die: int, rule: str, goal: str) -> None:
    made = contract(7, die, die)
    assert (made.rule.name, made.goal.name) == (rule, goal)

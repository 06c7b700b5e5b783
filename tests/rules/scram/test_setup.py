"""The deal, the order of turns, and who begins (B1 to B6)."""

from collections import Counter
from typing import Any

import pytest

from games.engine.chance import Chance
from games.rules.scram.moves import Options
from games.rules.scram.rounds import last_turns, turn_order
from games.rules.scram.scoring import next_start
from games.rules.scram.state import Row
from tests.rules.scram.notation import SCRAM, play, shown, table


def dealt(seats: int, seed: int = 1, **options: Any) -> Any:
    return SCRAM.start(SCRAM.read_options(options, seats), seats, Chance(bytes([seed]) * 32))


@pytest.mark.parametrize(
    ("seats", "each"),
    [pytest.param(3, 4, id="B1-three"), pytest.param(4, 4, id="B1-four"), pytest.param(6, 5, id="B1-six")],
)
def test_the_pack_has_so_many_of_each_card(seats: int, each: int) -> None:
    cards = Counter(SCRAM.cards(dealt(seats)))
    assert cards == dict.fromkeys([*map(str, range(1, 14)), "="], each)


def test_b3_nobody_knows_a_face_down_card_not_even_its_owner() -> None:
    state = dealt(4)
    for viewer in (None, 0, 1, 2, 3):
        view: Any = SCRAM.view(state, viewer)
        assert view["seen"] == []
        assert all((card["card"] is not None) == card["up"] for row in view["campsites"] for card in row)


@pytest.mark.parametrize(
    ("seats", "options", "rounds"),
    [
        pytest.param(6, {"rounds": None}, 3, id="B4-left-to-the-rulebook"),
    ],
)
def test_a_game_has_so_many_rounds(seats: int, options: dict[str, Any], rounds: int) -> None:
    assert SCRAM.view(dealt(seats, **options), None)["rounds"] == rounds


@pytest.mark.parametrize("seats", [pytest.param(n, id=f"B5-{n}-campers") for n in (4, 6)])
def test_chance_lets_every_camper_begin(seats: int) -> None:
    assert {dealt(seats, seed).start for seed in range(60)} == {*range(seats)}


def a_row(start: int, sums: tuple[int, ...], scores: tuple[int, ...]) -> Row:
    return Row(start, None, "deck", sums, (0,) * len(sums), scores, ())


@pytest.mark.parametrize(
    ("start", "sums", "scores", "following"),
    [
        pytest.param(0, (9, 1, 8, 2), (17, 3, 17, 3), 1, id="B5-lowest-of-the-team-ahead"),
        pytest.param(0, (9, 1, 8, 2), (0, 3, 0, 3), 2, id="B5-the-recorded-score-decides-the-team"),
        pytest.param(0, (9, 5, 8, 5), (17, 10, 17, 10), 1, id="B5-tie-first-to-the-left"),
        pytest.param(1, (9, 5, 8, 5), (17, 10, 17, 10), 3, id="B5-tie-the-start-camper-comes-last"),
        pytest.param(3, (5, 9, 5, 1), (10, 10, 10, 10), 3, id="B5-level-teams-lowest-of-all"),
        pytest.param(2, (5, 5, 5, 5), (10, 10, 10, 10), 3, id="B5-level-teams-tie-to-the-left"),
        pytest.param(0, (9, 4, 4), (9, 8, 8), 1, id="B5-a-duo-camper-may-begin"),
        pytest.param(1, (7, 4, 4), (7, 8, 8), 0, id="B5-the-solo-ahead-begins"),
        pytest.param(4, (3, 1, 3, 1, 3, 1), (9, 10, 9, 10, 9, 10), 0, id="B5-six-round-the-table"),
    ],
)
def test_the_next_round_is_begun_by(
    start: int, sums: tuple[int, ...], scores: tuple[int, ...], following: int
) -> None:
    assert next_start(a_row(start, sums, scores)) == following


@pytest.mark.parametrize(
    ("start", "seats", "order"),
    [
        pytest.param(2, 4, [2, 3, 0, 1, 2, 3], id="B6-clockwise"),
        pytest.param(5, 6, [5, 0, 1, 2, 3, 4, 5], id="B6-six-clockwise"),
        pytest.param(0, 3, [0, 1, 0, 2, 0, 1, 0, 2], id="B6-solo-begins"),
        pytest.param(1, 3, [1, 0, 2, 0, 1, 0], id="B6-first-of-the-duo-begins"),
        pytest.param(2, 3, [2, 0, 1, 0, 2, 0], id="B6-second-of-the-duo-begins"),
    ],
)
def test_turns_go_round(start: int, seats: int, order: list[int]) -> None:
    state, played = table(*["(1) (2) (3)"] * seats, turn=start), []
    for _ in order:
        played.append(state.seat)
        state = play(state, {"type": "draw", "from": "deck"}, {"type": "discard"})
    assert played == order


def test_b6_turn_orders_start_with_their_start_camper() -> None:
    assert all(turn_order(start, seats)[0] == start for seats in (3, 4, 6) for start in range(seats))


def test_b14_last_turns_leave_out_who_declared() -> None:
    assert all(scram not in last_turns(scram, seats) for seats in (3, 4, 6) for scram in range(seats))


def test_b3_cards_go_out_campsite_by_campsite_then_the_pile_then_the_deck() -> None:
    state = SCRAM.start(Options(), 4, Chance(b"\x01" * 32))
    shuffled = Chance(b"\x01" * 32).shuffled(
        "round/1/deal", [face for face in [*map(str, range(1, 14)), "="] for _ in range(4)]
    )
    first = shown(state)[0].replace("(", "").replace(")", "").split()
    assert tuple(first) == shuffled[:5]
    assert state.table.faces[state.table.discard[0]] == shuffled[20]
    assert state.table.faces[state.table.deck[0]] == shuffled[21]

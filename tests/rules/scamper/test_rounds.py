"""How rounds end, are dealt again and are scored (S25 to S29, S32, S33)."""

from dataclasses import replace
from typing import Any

import pytest

from games.engine import replay
from games.engine.common_moves import Timeout
from games.engine.replay import Actor, Position
from games.rules.scamper.state import Row, State
from tests.rules.recording import Recorder
from tests.rules.scamper.tables import SCAMPER, contract, discard, play, table


def ended(*hands: str, **changes: Any) -> State:
    """Return the state after seat 0 went out with its only card."""
    return discard(table("3C", *hands, **changes), "3C")


@pytest.mark.parametrize(
    ("hands", "cards"),
    [
        pytest.param(["KD JK"], (0, 60), id="S25-the-others-count-their-hands"),
        pytest.param(["2C 2D", "AS 3H 8D"], (0, 40, 35), id="S25-each-its-own"),
    ],
)
def test_cards_in_hand_count(hands: list[str], cards: tuple[int, ...]) -> None:
    assert ended(*hands).rows[0].cards == cards


def test_s25_melds_do_not_count() -> None:
    assert ended("KD", melds="1 set AC AD AS").rows[0].cards == (0, 10)


@pytest.mark.parametrize(
    ("totals", "ranks"),
    [
        pytest.param((30, 10, 20), (3, 1, 2), id="S26-lowest-first"),
        pytest.param((30, 10, 10), (3, 1, 1), id="S26-equal-totals-share"),
        pytest.param((-20, -20, 5), (1, 1, 3), id="S26-below-nothing"),
    ],
)
def test_the_lowest_total_wins(totals: tuple[int, ...], ranks: tuple[int, ...]) -> None:
    row = Row(1, 0, contract("set 3"), None, totals, ())
    assert SCAMPER.ranks(replace(table("3C", "3C", "3C"), rows=(row,))) == ranks


def at_stock_end(**changes: Any) -> State:
    """Return the state in which seat 0 is about to discard, the stock being empty."""
    return table("3C 5D 7H", "KD", stock="", rounds=2, **changes)


def test_s28_going_out_with_an_empty_stock_ends_the_round() -> None:
    assert ended("KD", stock="").rows[0].out == 0


def test_s28_a_pack_without_jokers_is_added_where_nothing_is_wild() -> None:
    state = discard(at_stock_end(options={"stock_out": "add_pack", "wild_cards": "none"}), "3C")
    assert len(state.round.stock) == 52


@pytest.mark.parametrize(
    ("changes", "options"),
    [
        pytest.param({"attempt": 2}, {}, id="S29-no-more-replays"),
        pytest.param({}, {"max_replays": 0}, id="S29-no-replays-at-all"),
        pytest.param({"added": 6}, {"stock_out": "add_pack"}, id="S29-no-more-packs"),
        pytest.param({"turn": 120, "stock": "4C"}, {}, id="S29-sixty-turns-a-seat"),
        pytest.param({"turn": 120}, {}, id="S29-sixty-turns-and-no-stock"),
    ],
)
def test_then_the_round_ends_as_it_stands(changes: Any, options: Any) -> None:
    state = discard(table("3C 5D 7H", "KD", options=options, **{"stock": "", **changes}), "3C")
    assert (state.rows[0].out, state.rows[0].cards) == (None, (10, 10))


def test_s29_one_turn_less_does_not_end_it() -> None:
    assert not discard(table("3C 5D 7H", "KD", turn=119), "3C").rows


def test_s32_points_count_in_the_round_in_which_they_fall() -> None:
    state = ended("KD", rounds=2)
    state = SCAMPER.penalise(state, 0, 20)
    assert (state.rows[0].scores(), state.totals()) == ((0, 10), (20, 10))


def test_the_sheet_tells_each_round() -> None:
    state = SCAMPER.penalise(table("3C", "KD", rounds=2), 1, 20)
    row: Any = SCAMPER.sheet(discard(state, "3C"))[0]
    assert row == {
        "round": 1,
        "contract": {"sets": [3], "runs": []},
        "dealer": 1,
        "out": 0,
        "cards": [0, 10],
        "adjustments": [
            {"seat": 1, "name": "penalty", "points": 20, "rule": "S33", "why": "Given by the organiser."}
        ],
        "scores": [0, 30],
        "totals": [0, 30],
    }


def test_turns_are_numbered_through_rounds_and_replays() -> None:
    numbers = []
    game = Recorder("scamper", 6, {"packs": 2, "passing": "off", "rounds": 2, "max_replays": 1})
    while game.position.status == "active":
        numbers.append(SCAMPER.turn_number(game.position.state))
        game.clock(replay.awaited(game.position)[0])
    assert numbers == sorted({*numbers})


def test_s29_a_game_by_the_clock_alone_ends() -> None:
    position: Position = Recorder("scamper", 10, {"rounds": 1, "stock_out": "add_pack"}).position
    while position.status == "active":
        seat = replay.awaited(position)[0]
        position = replay.played(position, Actor("clock", seat), Timeout())
    assert position.state.rows[0].out is None


@pytest.mark.parametrize(
    ("hand", "drawn", "card"),
    [
        pytest.param("KD 9C 3H", True, "3H", id="the-card-drawn"),
        pytest.param("KD 9C 2H", True, "KD", id="not-a-wild-one"),
        pytest.param("9D 9C 3H", False, "9C", id="the-suit-in-order-of-equals"),
        pytest.param("8D TC 9H 3H", False, "TC", id="the-rank-of-equal-points"),
        pytest.param("AD KC JK", False, "AD", id="the-most-points"),
        pytest.param("2D JK", True, "JK", id="the-one-drawn-of-wild-cards-alone"),
        pytest.param("JK", False, "JK", id="the-last-card"),
    ],
)
def test_the_clock_discards(hand: str, drawn: bool, card: str) -> None:
    move = SCAMPER.default_move(table(hand, drawn=drawn), 0)
    assert SCAMPER.write_move(move)["card"] == card


def test_the_clock_says_scamper() -> None:
    state = table("KD 9C")
    move = SCAMPER.write_move(SCAMPER.default_move(state, 0))
    assert move == {"type": "discard", "card": "KD", "scamper": True}


def test_a_card_drawn_and_laid_is_not_discarded_by_the_clock() -> None:
    state = table("KD 9H 9C 9S", drawn=True)
    laid = play(state, 0, "meld", melds=[{"kind": "set", "cards": ["9H", "9C", "9S"]}])
    assert SCAMPER.write_move(SCAMPER.default_move(laid, 0))["card"] == "KD"
    assert SCAMPER.view(laid, 0)["drawn"] is None

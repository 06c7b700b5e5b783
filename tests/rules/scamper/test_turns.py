"""How a turn begins and ends: taking, drawing, passing on, discarding (S8 to S11, S23, S24, S31)."""

from typing import Any

import pytest

from games.rules.scamper.state import State
from tests.rules.scamper.tables import discard, given, hand, play, refusal, table

EIGHT = "3C 5D 7H 9S JC KD 4H 6S"


def begun(**changes: Any) -> State:
    """Return a state in which seat 0 of three begins its turn."""
    return table(EIGHT, "8C", "8D", phase="begin", down=(), **changes)


def test_s8_without_a_discard_none_is_taken() -> None:
    assert refusal(begun(discards=""), 0, "take") == "S8"


def test_s9_a_round_dealt_again_has_a_first_turn_again() -> None:
    state = table("3C 5D 7H", "KD", stock="", options={"passing": "first"}, turn=9)
    again = discard(state, "3C")
    assert (again.round.attempt, again.round.turn) == (1, 1)
    assert len(play(again, again.round.seat, "draw").round.hands[again.round.left]) == 10


@pytest.mark.parametrize(
    ("changes"),
    [
        pytest.param({"options": {"passing": "off"}}, id="S9-off"),
        pytest.param({"stock": "6D", "options": {"passing": "first"}}, id="S9-first-with-one-card"),
        pytest.param({"discards": ""}, id="S9-no-discard"),
        pytest.param({"stock": "6D"}, id="S9-one-card-in-the-stock"),
        pytest.param({"stock": "6D", "options": {"passing": "forced"}}, id="S9-forced-with-one-card"),
    ],
)
def test_then_nothing_is_passed_on(changes: Any) -> None:
    state = play(begun(**changes), 0, "draw")
    assert (state.round.phase, state.round.hand[-1]) == ("play", "6D")
    assert hand(state, 1) == "8C"


@pytest.mark.parametrize("kind", [pytest.param(kind, id=f"S9-{kind}") for kind in ("accept", "decline")])
def test_nobody_answers_without_an_offer(kind: str) -> None:
    assert refusal(table(EIGHT), 0, kind) == "S9"


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        pytest.param("lay_off", {"meld": "m1", "cards": ["8S"]}, id="S10-lay-off"),
        pytest.param("swap", {"meld": "m1", "card": "8S", "wild": "JK"}, id="S10-swap"),
    ],
)
def test_only_cards_of_the_hand_are_played(kind: str, fields: Any) -> None:
    assert refusal(table(EIGHT, melds="1 set 8C 8D JK"), 0, kind, **fields) == "S10"


@pytest.mark.parametrize(
    ("held", "kind", "fields"),
    [
        pytest.param(
            "7C 7D 7S", "meld", {"melds": [{"kind": "set", "cards": ["7C", "7D", "7S"]}]}, id="S11-meld"
        ),
        pytest.param("8H", "lay_off", {"meld": "m1", "cards": ["8H"]}, id="S11-lay-off"),
        pytest.param("8H 8S", "lay_off", {"meld": "m1", "cards": ["8H", "8S"]}, id="S11-lay-off-both"),
    ],
)
def test_a_card_is_kept_for_the_discard(held: str, kind: str, fields: Any) -> None:
    assert refusal(table(held, melds="0 set 8C 8D JK"), 0, kind, **fields) == "S11"


def test_s24_only_who_is_down_can_go_out() -> None:
    nonsense = table("3C 5D 7H", melds="1 set 8C 8D 8S", down=(), options={"melds": "challenge"})
    fields: Any = {"meld": "m1", "cards": ["3C", "5D"]}
    assert refusal(nonsense, 0, "lay_off", **fields) == "S24"


@pytest.mark.parametrize(
    ("held", "options"),
    [
        pytest.param("3C 4D", {"advanced_points": False}, id="S31-without-advanced-points"),
        pytest.param("3C 4D 5H", {}, id="S31-two-cards-left"),
    ],
)
def test_nobody_need_say_scamper_there(held: str, options: Any) -> None:
    assert given(discard(table(held, options=options), "3C")) == []


@pytest.mark.parametrize("kind", ["take", "draw", "accept", "challenge", "concede"])
def test_s7_who_is_not_in_turn_does_nothing(kind: str) -> None:
    rule = "S30" if kind in ("challenge", "concede") else "S7"
    assert refusal(begun(), 2, kind) == rule

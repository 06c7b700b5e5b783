"""How a turn begins and ends: taking, drawing, passing on, discarding (S8 to S11, S23, S24, S31)."""

from typing import Any

import pytest

from games.rules.scamper.state import State
from tests.rules.scamper.tables import SCAMPER, discard, given, hand, play, refusal, table

EIGHT = "3C 5D 7H 9S JC KD 4H 6S"


def begun(**changes: Any) -> State:
    """Return a state in which seat 0 of three begins its turn."""
    return table(EIGHT, "8C", "8D", phase="begin", down=(), **changes)


def test_s8_take_gives_the_top_discard() -> None:
    state = play(begun(), 0, "take")
    assert hand(state) == hand(table(f"{EIGHT} TH"))
    assert state.round.discards == ("9H",)
    assert state.round.phase == "play"


def test_s8_draw_gives_the_top_of_the_stock() -> None:
    state = play(begun(options={"passing": "off"}), 0, "draw")
    assert state.round.hand[-1] == "6D"
    assert state.round.stock == ("3D", "4D", "5D")


@pytest.mark.parametrize("kind", [pytest.param(kind, id=f"S8-{kind}-once") for kind in ("take", "draw")])
def test_a_turn_begins_once(kind: str) -> None:
    assert refusal(play(begun(), 0, "take"), 0, kind) == "S8"


def test_s8_without_a_discard_none_is_taken() -> None:
    assert refusal(begun(discards=""), 0, "take") == "S8"


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        pytest.param("discard", {"card": "3C"}, id="S8-discard-first"),
        pytest.param("meld", {"melds": [{"kind": "set", "cards": ["3C"]}]}, id="S8-meld-first"),
    ],
)
def test_nothing_comes_before_it(kind: str, fields: Any) -> None:
    assert refusal(begun(), 0, kind, **fields) == "S8"


def test_s9_a_draw_offers_the_discard_to_the_left() -> None:
    state = play(begun(), 0, "draw")
    assert SCAMPER.to_act(state) == SCAMPER.awaited(state) == (1,)
    assert SCAMPER.view(state, None)["offer"] == 1
    assert refusal(state, 0, "decline") == "S7"


def test_s9_who_accepts_gets_the_discard_and_a_card_of_the_stock() -> None:
    state = play(play(begun(), 0, "draw"), 1, "accept")
    assert hand(state, 1) == "6D 8C TH"
    assert state.round.hand[-1] == "5D"
    assert (state.round.seat, state.round.phase) == (0, "play")
    assert state.round.discards == ("9H",)


def test_s9_who_declines_gets_nothing() -> None:
    state = play(play(begun(), 0, "draw"), 1, "decline")
    assert hand(state, 1) == "8C"
    assert state.round.hand[-1] == "6D"
    assert state.round.discards == ("9H", "TH")


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        pytest.param("discard", {"card": "8C"}, id="S9-discard-in-place-of-an-answer"),
        pytest.param("draw", {}, id="S9-draw-in-place-of-an-answer"),
        pytest.param("take", {}, id="S9-take-in-place-of-an-answer"),
        pytest.param(
            "meld", {"melds": [{"kind": "set", "cards": ["8C"]}]}, id="S9-meld-in-place-of-an-answer"
        ),
    ],
)
def test_who_is_asked_must_answer_first(kind: str, fields: Any) -> None:
    assert refusal(play(begun(), 0, "draw"), 1, kind, **fields) == "S9"


def test_s9_forced_passing_asks_nobody() -> None:
    state = play(begun(options={"passing": "forced"}), 0, "draw")
    assert hand(state, 1) == "6D 8C TH"
    assert (state.round.hand[-1], state.round.phase) == ("5D", "play")


@pytest.mark.parametrize(
    ("turn", "asked", "drawn"),
    [
        pytest.param(1, "6D 8C TH", "5D", id="S9-first-turn-of-a-deal"),
        pytest.param(2, "8C", "6D", id="S9-second-turn-of-a-deal"),
    ],
)
def test_passing_first_is_forced_in_the_first_turn_only(turn: int, asked: str, drawn: str) -> None:
    state = play(begun(options={"passing": "first"}, turn=turn), 0, "draw")
    assert (hand(state, 1), state.round.hand[-1], state.round.phase) == (asked, drawn, "play")


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


def test_s10_the_discard_passes_the_turn_left() -> None:
    state = discard(table(EIGHT, "8C", "8D"), "KD")
    assert (state.round.seat, state.round.phase, state.round.discards[-1]) == (1, "begin", "KD")


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        pytest.param("discard", {"card": "AS"}, id="S10-discard"),
        pytest.param("meld", {"melds": [{"kind": "set", "cards": ["3C", "3C", "3C"]}]}, id="S10-meld"),
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


@pytest.mark.parametrize(
    "held",
    [pytest.param("JK 3C", id="S23-joker"), pytest.param("2C 3C 4C", id="S23-deuce")],
)
def test_a_wild_card_is_not_discarded(held: str) -> None:
    assert refusal(table(held), 0, "discard", card=held.split()[0]) == "S23"


@pytest.mark.parametrize(
    ("held", "card", "options"),
    [
        pytest.param("JK", "JK", {}, id="S23-going-out"),
        pytest.param("JK 2C JK", "2C", {}, id="S23-nothing-else"),
        pytest.param("2C 3C 4C", "2C", {"wild_cards": "jokers"}, id="S23-deuces-are-not-wild"),
    ],
)
def test_but_it_is_where_it_may_be(held: str, card: str, options: Any) -> None:
    state = discard(table(held, "9C", options=options, rounds=2), card)
    assert card in state.round.discards or state.rows


def test_s24_the_last_card_discarded_ends_the_round() -> None:
    state = discard(table("3C", "KD JK"), "3C")
    assert SCAMPER.is_over(state)
    assert (state.rows[0].out, state.rows[0].cards) == (0, (0, 60))


def test_s24_only_who_is_down_can_go_out() -> None:
    nonsense = table("3C 5D 7H", melds="1 set 8C 8D 8S", down=(), options={"melds": "challenge"})
    fields: Any = {"meld": "m1", "cards": ["3C", "5D"]}
    assert refusal(nonsense, 0, "lay_off", **fields) == "S24"


@pytest.mark.parametrize(
    ("held", "options", "flag", "fines"),
    [
        pytest.param("3C 4D", {}, True, [], id="S31-said"),
        pytest.param("3C 4D", {}, False, [(0, "undeclared", 20)], id="S31-not-said"),
        pytest.param("3C 4D", {"declare_scamper": False}, False, [], id="S31-need-not-be-said"),
        pytest.param("3C 4D", {"advanced_points": False}, False, [], id="S31-without-advanced-points"),
        pytest.param("3C 4D 5H", {}, False, [], id="S31-two-cards-left"),
    ],
)
def test_who_keeps_one_card_says_scamper(held: str, options: Any, flag: bool, fines: Any) -> None:
    state = table(held, options=options)
    said: Any = {"scamper": True} if flag else {}
    assert given(discard(state, "3C", **said)) == fines


@pytest.mark.parametrize(
    ("held", "options"),
    [
        pytest.param("3C", {}, id="S31-going-out"),
        pytest.param("3C 4D 5H", {}, id="S31-two-cards-left"),
        pytest.param("3C 4D", {"declare_scamper": False}, id="S31-not-the-custom"),
    ],
)
def test_nobody_says_it_at_another_time(held: str, options: Any) -> None:
    assert refusal(table(held, options=options), 0, "discard", card="3C", scamper=True) == "S31"


@pytest.mark.parametrize("kind", ["take", "draw", "accept", "challenge", "concede"])
def test_s7_who_is_not_in_turn_does_nothing(kind: str) -> None:
    rule = "S30" if kind in ("challenge", "concede") else "S7"
    assert refusal(begun(), 2, kind) == rule

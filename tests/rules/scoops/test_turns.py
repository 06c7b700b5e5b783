"""Drawing, discarding and laying down (C14 to C17), row by row."""

from typing import Any

import pytest

from games.engine.refusals import Illegal
from games.rules.scoops.state import State
from tests.rules.scoops.tables import groups, on_table, play, table, with_melds

NINE = "2C 4D 6H 8S TC QD 3H 5S 9C"


def refused(state: State, **move: Any) -> str | None:
    with pytest.raises(Illegal) as caught:
        play(state, 0, **move)
    return caught.value.rule


WINS = {
    "C16-bowl-in-any-order": ("Bowl", "run 5S 6S 7S + book KC KD KS + book 2C 2D 2H"),
    "C16-cone-run-of-four": ("Cone", "pair KD KS + book 2C 2D 2H + run 5S 6S 7S 8S"),
}


@pytest.mark.parametrize(("goal", "laid"), WINS.values(), ids=WINS)
def test_a_lay_down_wins_the_round(goal: str, laid: str) -> None:
    hand = " ".join(part.partition(" ")[2] for part in laid.split(" + "))
    state = play(table(goal, "Vanilla", None, hand), 0, type="lay_down", groups=groups(laid))
    assert (state.rows[0].winner, state.rows[0].ending, state.rows[0].scores) == (0, "lay_down", (1, 0))


WRONG = {
    "C16-four-in-bowl": ("Bowl", "book 2C 2D 2H 2S + run 5S 6S 7S", None, "C16"),
    "C16-two-groups-in-bowl": ("Bowl", "book 2C 2D 2H + run 5S 6S 7S", None, "C16"),
    "C16-bowl-with-discard": ("Bowl", "book 2C 2D 2H + run 5S 6S 7S + run 8S 9S TS", "KD", "C16"),
    "C16-shake-without-discard": ("Shake", "book 2C 2D 2H 2S + run 5S 6S 7S 8S", None, "C16"),
    "C16-book-in-sandwich": ("Sandwich", "book 2C 2D 2H 2S 2S + pair KD KS + pair 5S 5D", None, "C16"),
    "C16-float-has-no-lay-down": ("Float", "book 2C 2D 2H", None, "C16"),
    "C16-coffee-has-no-lay-down": ("Coffee", "book 2C 2D 2H", None, "C16"),
    "C16-a-card-twice": ("Bowl", "book 2C 2D 2D + run 5S 6S 7S + run 8S 9S TS", None, "C16"),
    "C7-a-group-that-is-none": ("Bowl", "book 2C 2D 2H + run 5S 6S 8S + run 7S 9S TS", None, "C7"),
}


@pytest.mark.parametrize(("goal", "laid", "discard", "rule"), WRONG.values(), ids=WRONG)
def test_a_lay_down_is_refused(goal: str, laid: str, discard: str | None, rule: str) -> None:
    state = table(goal, "Vanilla", None, "2C 2D 2H 2S 5S 6S 7S 8S 9S TS KD KS")
    move = {"groups": groups(laid), **({"discard": discard} if discard else {})}
    assert refused(state, type="lay_down", **move) == rule


@pytest.mark.parametrize("goal", ["Bowl", "Shake", "Cone", "Sandwich", "Coffee"])
@pytest.mark.parametrize(
    "move",
    [
        {"type": "meld", "groups": groups("book 2C 2D 2H")},
        {"type": "float", "meld": 0, "cards": ["2C"]},
        {"type": "keep"},
    ],
    ids=lambda move: f"C17-{move['type']}",
)
def test_melds_floats_and_keeping_belong_to_float(goal: str, move: dict[str, Any]) -> None:
    assert refused(table(goal, "Vanilla", None, NINE), **move) == "C17"


def floating(hand: str, rule: str = "Banana", special: str | None = None) -> State:
    """Return Float in seat 0's turn: it has laid kings, seat 1 a run of diamonds and fours with a joker."""
    state = table("Float", rule, special, hand)
    return with_melds(state, (0, "book KC KD KH"), (1, "run 6D 7D 8D"), (1, "book 4C 4D JK"))


FLOATS = {
    "C17-high-end": ({"meld": 1, "cards": ["9D"], "end": "high"}, "6D 7D 8D 9D"),
    "C17-low-end": ({"meld": 1, "cards": ["5D"], "end": "low"}, "5D 6D 7D 8D"),
    "C17-two-cards": ({"meld": 1, "cards": ["9D", "TD"], "end": "high"}, "6D 7D 8D 9D TD"),
    "C17-two-cards-low": ({"meld": 1, "cards": ["4D", "5D"], "end": "low"}, "4D 5D 6D 7D 8D"),
    "C17-a-wild-at-an-end": ({"meld": 1, "cards": ["JK"], "end": "low"}, "JK 6D 7D 8D"),
    "C17-a-wild-and-a-natural": ({"meld": 1, "cards": ["JK", "TD"], "end": "high"}, "6D 7D 8D JK TD"),
    "C17-a-book": ({"meld": 2, "cards": ["4S"]}, "4C 4D JK 4S"),
}


@pytest.mark.parametrize(("move", "cards"), FLOATS.values(), ids=FLOATS)
def test_a_float_extends_anothers_set(move: dict[str, Any], cards: str) -> None:
    state = floating("2C 5D 9D TD JK 4D 4S")
    assert (1, cards) in on_table(play(state, 0, type="float", **move))


NO_FLOATS = {
    "C17-another-rank": ({"meld": 2, "cards": ["9D"]}, "C7"),
    "C9-two-wilds-at-once": ({"meld": 1, "cards": ["JK", "JK"], "end": "high"}, "C9"),
}


@pytest.mark.parametrize(("move", "rule"), NO_FLOATS.values(), ids=NO_FLOATS)
def test_a_float_is_refused(move: dict[str, Any], rule: str) -> None:
    assert refused(floating("2C KS 9D TD JK JK 4S"), type="float", **move) == rule


def test_c7_no_run_grows_beyond_thirteen_cards() -> None:
    run = "run 5D 6D 7D 8D 9D TD JD QD KD AD 2D 3D 4D"
    state = with_melds(table("Float", "Banana", None, "5D 4D JK"), (0, "book KC KS KH"), (1, run))
    for card, end in (("5D", "high"), ("4D", "low"), ("JK", "low")):
        assert refused(state, type="float", meld=1, cards=[card], end=end) == "C7"


def test_c8_only_jokers_are_floated_onto_jokers() -> None:
    state = table("Float", "Raspberry", "7", "JK 7C 9S")
    state = with_melds(state, (0, "book KC KS KH"), (1, "book JK JK JK"))
    assert refused(state, type="float", meld=1, cards=["7C"]) == "C9"
    assert play(state, 0, type="float", meld=1, cards=["JK"]).round.hand == ("7C", "9S")


def test_c17_a_taken_card_may_be_the_one_that_is_kept() -> None:
    state = table("Float", "Vanilla", None, "3D", piles=("", "9S"), phase="draw")
    state = play(state, 0, type="draw", source=1)
    assert play(state, 0, type="discard", card="3D").round.hands[0] == ("9S",)


@pytest.mark.parametrize(
    ("state", "move", "fields"),
    [
        pytest.param(
            floating("4S 9D"), {"type": "float", "meld": 3, "cards": ["4S"]}, ["meld"], id="C17-no-set"
        ),
        pytest.param(
            floating("4S 9D"), {"type": "float", "meld": 1, "cards": ["9D"]}, ["end"], id="C17-no-end"
        ),
        pytest.param(
            floating("4S 9D"),
            {"type": "float", "meld": 2, "cards": ["4S"], "end": "low"},
            ["end"],
            id="C17-a-book-with-an-end",
        ),
        pytest.param(floating("4S 9D"), {"type": "float", "meld": 0, "cards": ["4S"]}, [], id="C17-own-set"),
        pytest.param(
            table("Shake", "Vanilla", None, "2C 2D 2H 2S 5S 6S 7S 8S KD"),
            {"type": "lay_down", "groups": groups("book 2C 2D 2H 2S + run 5S 6S 7S 8S")},
            ["discard"],
            id="C16-without-its-discard",
        ),
        pytest.param(
            table("Bowl", "Vanilla", None, "2C 2D 2H 3C 3D 3H 4C 4D 4H KD"),
            {
                "type": "lay_down",
                "groups": groups("book 2C 2D 2H + book 3C 3D 3H + book 4C 4D 4H"),
                "discard": "KD",
            },
            ["discard"],
            id="C16-with-a-discard-too-many",
        ),
    ],
)
def test_a_refusal_names_the_field_that_is_wrong(
    state: State, move: dict[str, Any], fields: list[str]
) -> None:
    with pytest.raises(Illegal) as caught:
        play(state, 0, **move)
    assert [*caught.value.errors] == fields

"""Drawing, discarding and laying down (C14 to C17), row by row."""

from typing import Any

import pytest

from games.engine.refusals import Illegal
from games.rules.scoops.state import State
from tests.rules.scoops.tables import SCOOPS, groups, on_table, play, table, with_melds

NINE = "2C 4D 6H 8S TC QD 3H 5S 9C"


def refused(state: State, **move: Any) -> str | None:
    with pytest.raises(Illegal) as caught:
        play(state, 0, **move)
    return caught.value.rule


def to_draw(**changes: Any) -> State:
    return table(piles=("9C 9D", "4H"), phase="draw", **changes)


def test_c14_the_deck_gives_its_top_card() -> None:
    state = play(to_draw(), 0, type="draw", source="deck")
    assert state.round.hand[-1] == "5D"
    assert state.round.deck == ("2D", "3D", "4D")


@pytest.mark.parametrize(
    ("pile", "card"),
    [pytest.param(0, "9D", id="C14-own-pile"), pytest.param(1, "4H", id="C14-another-pile")],
)
def test_a_pile_gives_its_top_card(pile: int, card: str) -> None:
    state = play(to_draw(), 0, type="draw", source=pile)
    assert state.round.hand[-1] == card
    assert card not in state.round.discards[pile]


@pytest.mark.parametrize("pile", [1, 7], ids=["C14-an-empty-pile", "C14-no-such-seat"])
def test_a_pile_without_a_card_gives_none(pile: int) -> None:
    assert refused(table(phase="draw"), type="draw", source=pile) == "C14"


def test_c14_a_seat_draws_once() -> None:
    assert refused(table(), type="draw", source="deck") == "C14"


@pytest.mark.parametrize(
    "move",
    [
        {"type": "discard", "card": "2C"},
        {"type": "keep"},
        {"type": "meld", "groups": groups("book 2C 2D 2H")},
        {"type": "lay_down", "groups": groups("book 2C 2D 2H")},
        {"type": "float", "meld": 0, "cards": ["2C"]},
    ],
    ids=lambda move: f"C14-{move['type']}-before-drawing",
)
def test_a_seat_draws_before_all_else(move: dict[str, Any]) -> None:
    assert refused(to_draw(), **move) == "C14"


def test_c15_a_discard_goes_onto_the_own_pile_and_ends_the_turn() -> None:
    state = play(table("Bowl", "Vanilla", None, NINE), 0, type="discard", card="6H")
    assert state.round.discards == (("6H",), ())
    assert (state.round.seat, state.round.phase) == (1, "draw")


def test_c15_a_card_that_is_not_held_is_not_discarded() -> None:
    assert refused(table("Bowl", "Vanilla", None, NINE), type="discard", card="KH") == "C15"


def test_c15_a_taken_card_is_not_discarded_in_the_same_turn() -> None:
    state = play(to_draw(), 0, type="draw", source=0)
    assert refused(state, type="discard", card="9D") == "C15"
    assert "9D" not in SCOOPS.choices(state, 0)[-1].fields["card"].values


def test_c15_a_taken_card_may_go_when_its_like_was_held_before() -> None:
    state = play(
        table("Bowl", "Vanilla", None, "9D 2C", piles=("9D", ""), phase="draw"), 0, type="draw", source=0
    )
    assert play(state, 0, type="discard", card="9D").round.discards[0] == ("9D",)


def test_c15_a_card_taken_last_turn_may_be_discarded() -> None:
    state = play(to_draw(), 0, type="draw", source=1)
    state = play(state, 0, type="discard", card="2C")
    state = play(state, 1, type="draw", source="deck")
    state = play(state, 1, type="discard", card="2C")
    state = play(state, 0, type="draw", source="deck")
    assert play(state, 0, type="discard", card="4H").round.discards[0][-1] == "4H"


WINS = {
    "C16-bowl": ("Bowl", "book 2C 2D 2H + run 5S 6S 7S + book KC KD KS", None),
    "C16-bowl-in-any-order": ("Bowl", "run 5S 6S 7S + book KC KD KS + book 2C 2D 2H", None),
    "C16-shake": ("Shake", "book 2C 2D 2H 2S + run 5S 6S 7S 8S", "KD"),
    "C16-cone": ("Cone", "book 2C 2D 2H 2S + run 5S 6S 7S + pair KD KS", None),
    "C16-cone-run-of-four": ("Cone", "pair KD KS + book 2C 2D 2H + run 5S 6S 7S 8S", None),
    "C16-sandwich": ("Sandwich", "pair KD KS + run 5S 6S 7S 8S 9S + pair 2C 2D", None),
}


@pytest.mark.parametrize(("goal", "laid", "discard"), WINS.values(), ids=WINS)
def test_a_lay_down_wins_the_round(goal: str, laid: str, discard: str | None) -> None:
    hand = [card for group in groups(laid) for card in group["cards"]] + ([discard] if discard else [])  # type: ignore[union-attr]
    move = {"groups": groups(laid), **({"discard": discard} if discard else {})}
    state = play(table(goal, "Vanilla", None, " ".join(hand)), 0, type="lay_down", **move)  # type: ignore[arg-type]
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


def test_c16_shake_does_not_end_with_the_card_just_taken() -> None:
    state = table("Shake", "Vanilla", None, "2C 2D 2H 2S 5S 6S 7S 8S", piles=("KD", ""), phase="draw")
    state = play(state, 0, type="draw", source=0)
    laid = groups("book 2C 2D 2H 2S + run 5S 6S 7S 8S")
    assert refused(state, type="lay_down", groups=laid, discard="KD") == "C15"
    assert [each.type for each in SCOOPS.choices(state, 0)] == ["discard"]


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


def test_c17_several_sets_may_be_laid_in_several_moves_of_a_turn() -> None:
    state = table("Float", "Vanilla", None, "2C 2D 2H 5S 6S 7S KC KD KH 9D 3C")
    state = play(state, 0, type="meld", groups=groups("book 2C 2D 2H + run 5S 6S 7S"))
    state = play(state, 0, type="meld", groups=groups("book KC KD KH"))
    assert on_table(state) == [(0, "2C 2D 2H"), (0, "5S 6S 7S"), (0, "KC KD KH")]
    assert state.round.hand == ("9D", "3C")


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
    "C17-own-set": ({"meld": 0, "cards": ["KS"]}, "C17"),
    "C17-no-such-set": ({"meld": 9, "cards": ["4S"]}, "C17"),
    "C17-run-without-end": ({"meld": 1, "cards": ["9D"]}, "C17"),
    "C17-book-with-end": ({"meld": 2, "cards": ["4S"], "end": "low"}, "C17"),
    "C17-not-held": ({"meld": 1, "cards": ["5D"], "end": "low"}, "C17"),
    "C17-wrong-end": ({"meld": 1, "cards": ["9D"], "end": "low"}, "C7"),
    "C17-a-gap": ({"meld": 1, "cards": ["TD"], "end": "high"}, "C7"),
    "C17-written-high-to-low": ({"meld": 1, "cards": ["TD", "9D"], "end": "high"}, "C7"),
    "C17-another-rank": ({"meld": 2, "cards": ["9D"]}, "C7"),
    "C9-second-wild-of-the-set": ({"meld": 2, "cards": ["JK"]}, "C9"),
    "C9-two-wilds-at-once": ({"meld": 1, "cards": ["JK", "JK"], "end": "high"}, "C9"),
}


@pytest.mark.parametrize(("move", "rule"), NO_FLOATS.values(), ids=NO_FLOATS)
def test_a_float_is_refused(move: dict[str, Any], rule: str) -> None:
    assert refused(floating("2C KS 9D TD JK JK 4S"), type="float", **move) == rule


def test_c17_nobody_floats_before_laying_a_set() -> None:
    state = with_melds(table("Float", "Vanilla", None, "2S 9C"), (1, "book 2C 2D 2H"))
    assert refused(state, type="float", meld=0, cards=["2S"]) == "C17"


def test_c17_a_seat_floats_in_the_turn_of_its_first_set() -> None:
    state = with_melds(table("Float", "Vanilla", None, "3C 3D 3H 2S 9C"), (1, "book 2C 2D 2H"))
    state = play(state, 0, type="meld", groups=groups("book 3C 3D 3H"))
    assert (1, "2C 2D 2H 2S") in on_table(play(state, 0, type="float", meld=0, cards=["2S"]))


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


def test_c10_a_pair_is_no_set() -> None:
    assert refused(floating("2C 2D 9S"), type="meld", groups=groups("pair 2C 2D")) == "C10"


def test_c17_a_hand_emptied_by_a_meld_wins() -> None:
    state = play(table("Float", "Vanilla", None, "2C 2D 2H"), 0, type="meld", groups=groups("book 2C 2D 2H"))
    assert (state.rows[0].winner, state.rows[0].ending) == (0, "meld")


def test_c17_a_hand_emptied_by_a_float_wins() -> None:
    state = play(floating("9D"), 0, type="float", meld=1, cards=["9D"], end="high")
    assert (state.rows[0].winner, state.rows[0].ending) == (0, "float")


def test_c17_the_last_card_is_kept_and_not_discarded() -> None:
    assert refused(floating("2C"), type="discard", card="2C") == "C17"
    state = play(floating("2C"), 0, type="keep")
    assert (state.round.hands[0], state.round.seat) == (("2C",), 1)


def test_c17_two_cards_are_not_kept() -> None:
    assert refused(floating("2C 3S"), type="keep") == "C17"


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

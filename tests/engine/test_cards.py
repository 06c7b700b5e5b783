"""Cards in their notation, and the sets and runs that they make."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import cards
from games.engine.cards import JOKER, Reading, RunOrder, parse, run_readings, set_readings

NATURAL = RunOrder("23456789TJQKA")
ROUND = RunOrder("A23", wraps=True)


@pytest.mark.parametrize(
    ("typed", "code"),
    [("9c", "9C"), ("10♥", "TH"), ("th", "TH"), ("10", "10"), ("jk", "JK"), ("♠10", "S10"), ("A♣", "AC")],
)
def test_a_card_may_be_spelt_otherwise(typed: str, code: str) -> None:
    assert cards.spelt(typed) == code


def test_a_joker_has_neither_rank_nor_suit() -> None:
    assert [(cards.rank(card), cards.suit(card)) for card in parse("TH JK")] == [("T", "H"), ("", "")]


def test_cards_are_sorted_by_suit_and_rank_with_jokers_last() -> None:
    shown = cards.show(sorted(parse("JK AS 2C AC 2D TS 9S"), key=cards.order))
    assert shown == "2C AC 2D 9S TS AS JK"
    assert cards.order(JOKER) == (4, 0)


def test_a_pack_has_its_cards_in_order() -> None:
    pack = cards.pack()
    assert (len(pack), cards.show(pack[:3]), cards.show(pack[12:14])) == (54, "2C 3C 4C", "AC 2D")
    assert pack[51:] == parse("AS JK JK")


def test_a_word_that_is_no_card_is_named() -> None:
    with pytest.raises(ValueError, match=r"^1C is not a card$"):
        parse("9C 1C")


def test_a_hand_holds_equal_cards_as_often_as_they_are_in_it() -> None:
    hand = parse("9C 9C 5H")
    assert cards.holds(hand, parse("9C 9C"))
    assert not cards.holds(hand, parse("9C 9C 9C"))
    assert cards.without(hand, parse("9C")) == parse("9C 5H")


def test_the_hands_of_others_and_the_stock_are_hidden() -> None:
    hands, stock = [parse("2C"), parse("3C 4C")], parse("5C")
    assert cards.hidden_from(None, hands, stock) == parse("2C 3C 4C 5C")
    assert cards.hidden_from(0, hands, stock) == parse("3C 4C 5C")


@pytest.mark.parametrize(
    ("order", "start", "length", "sequence"),
    [
        (NATURAL, 0, 3, "234"),
        (NATURAL, 10, 3, "QKA"),
        (NATURAL, 11, 3, None),
        (NATURAL, 0, 13, "23456789TJQKA"),
        (NATURAL, 0, 14, None),
        (ROUND, 2, 3, "3A2"),
        (ROUND, 1, 4, None),
    ],
)
def test_a_sequence_ends_with_its_order_unless_it_wraps(
    order: RunOrder, start: int, length: int, sequence: str | None
) -> None:
    assert order.sequence(start, length) == sequence


def wild(card: str) -> bool:
    return card[0] in "2J" and card != "JC"


@pytest.mark.parametrize(
    ("laid", "readings"),
    [
        ("9C 9D JK", [Reading("9", "", (2,))]),
        ("9C 9D 8H", []),
        ("2C 2D", [Reading("2", "", ())]),
        ("2C JK", [Reading("", "", (0,)), Reading("2", "", (1,))]),
    ],
)
def test_a_set_is_read_as_the_rank_of_its_natural_cards(laid: str, readings: list[Reading]) -> None:
    assert [*set_readings(parse(laid), wild)] == readings


@pytest.mark.parametrize(
    ("laid", "readings"),
    [
        ("3H 4H 5H", [Reading("3", "H", ())]),
        ("3H JK 5H", [Reading("3", "H", (1,))]),
        ("2H 3H 4H", [Reading("2", "H", ())]),
        ("3H 4D 5H", []),
        ("JK QH KH", [Reading("J", "H", (0,))]),
        ("QH KH JK AH", []),
        ("QH KH JK", [Reading("Q", "H", (2,))]),
    ],
)
def test_a_run_is_read_from_low_to_high_in_one_suit(laid: str, readings: list[Reading]) -> None:
    assert [*run_readings(parse(laid), NATURAL, wild)] == readings


@given(st.data())
def test_a_run_is_read_at_every_place_where_its_cards_fit(data: st.DataObject) -> None:
    order = data.draw(
        st.sampled_from([NATURAL, RunOrder("A23456789TJQK", wraps=True), RunOrder("A23456789TJQKA")])
    )
    start = data.draw(st.integers(0, len(order.ranks) - 1))
    named = data.draw(st.sampled_from(cards.SUITS))
    run = [rank + named for rank in order.sequence(start, data.draw(st.integers(1, 6))) or "9"]
    for index in data.draw(st.lists(st.integers(0, len(run) - 1), max_size=3)):
        run[index] = data.draw(st.sampled_from(["JK", "2C", "2H", "9C"]))
    laid = parse(" ".join(run))
    everywhere = [
        Reading(sequence[0], suit, tuple(i for i, rank in enumerate(sequence) if laid[i] != rank + suit))
        for suit in cards.SUITS
        for start in range(len(order.ranks))
        if (sequence := order.sequence(start, len(laid)))
    ]
    fitting = [each for each in everywhere if all(wild(laid[index]) for index in each.wild)]
    assert [*run_readings(laid, order, wild)] == fitting

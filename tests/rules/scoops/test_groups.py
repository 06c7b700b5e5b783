"""What is a book, a run or a pair (C6 to C10), row by row."""

import pytest

from games.engine.refusals import Illegal
from games.rules.scoops.contract import Contract
from games.rules.scoops.groups import check
from tests.rules.scoops.tables import contract, group

LEGAL = {
    "C6-ace-low": ("Vanilla", None, "run AS 2S 3S"),
    "C6-cherry-ace-high": ("Cherry", None, "run QS KS AS"),
    "C6-banana-low": ("Banana", None, "run AS 2S 3S"),
    "C6-banana-high": ("Banana", None, "run QS KS AS"),
    "C6-banana-wraps": ("Banana", None, "run KS AS 2S"),
    "C6-chocolate-up-to-ten": ("Chocolate", None, "run 8D 9D TD"),
    "C6-chocolate-kings-in-a-book": ("Chocolate", None, "book KD KS KH"),
    "C6-chocolate-jokers-in-a-book": ("Chocolate", None, "book JK JK JK"),
    "C6-banana-joker-wild": ("Banana", "7", "book 9D 9S JK"),
    "C6-raspberry-joker-wild": ("Raspberry", "7", "run 9D JK JD"),
    "C6-raspberry-black-special-wild": ("Raspberry", "7", "book 9D 9S 7S"),
    "C6-strawberry-red-special-wild": ("Strawberry", "7", "book 9D 9S 7D"),
    "C6-strawberry-joker-wild": ("Strawberry", "7", "book 9D 9S JK"),
    "C6-special-aces-wild": ("Raspberry", "A", "run 9D AS JD"),
    "C7-book-of-equal-cards": ("Vanilla", None, "book 9D 9D 9D"),
    "C7-thirteen-cards": ("Banana", None, "run 5C 6C 7C 8C 9C TC JC QC KC AC 2C 3C 4C"),
    "C8-four-jokers": ("Banana", None, "book JK JK JK JK"),
    "C8-three-jokers-without-wilds": ("Vanilla", None, "book JK JK JK"),
    "C9-one-wild-at-the-low-end": ("Banana", None, "run JK 9D TD"),
    "C9-one-wild-at-the-high-end": ("Banana", None, "run 9D TD JK"),
    "C9-book-of-specials": ("Raspberry", "7", "book 7D 7S 7H 7C"),
    "C9-specials-and-a-joker": ("Raspberry", "7", "book 7D 7S 7H JK"),
    "C9-special-natural-in-a-run-with-a-joker": ("Raspberry", "7", "run 6D 7D JK"),
    "C9-two-specials-one-natural": ("Raspberry", "7", "run 6D 7D 7S"),
    "C9-black-special-natural-in-strawberry": ("Strawberry", "7", "book 7S 7C JK"),
    "C10-two-of-a-rank": ("Vanilla", None, "pair 9D 9S"),
    "C10-two-jokers": ("Vanilla", None, "pair JK JK"),
    "C10-two-wild-jokers": ("Banana", None, "pair JK JK"),
    "C10-one-wild": ("Banana", None, "pair JK 9S"),
    "C10-joker-and-special": ("Raspberry", "7", "pair JK 7S"),
    "C10-wild-special": ("Raspberry", "7", "pair 7S KD"),
    "C10-two-specials": ("Raspberry", "7", "pair 7S 7S"),
}

ILLEGAL = {
    "C6-ace-high": ("Vanilla", None, "run QS KS AS", "C7"),
    "C6-cherry-ace-low": ("Cherry", None, "run AS 2S 3S", "C7"),
    "C6-cherry-no-wrap": ("Cherry", None, "run KS AS 2S", "C7"),
    "C6-raspberry-no-wrap": ("Raspberry", None, "run KS AS 2S", "C7"),
    "C6-chocolate-jack": ("Chocolate", None, "run 9D TD JD", "C6"),
    "C6-chocolate-joker": ("Chocolate", None, "run 8D 9D JK", "C8"),
    "C6-cherry-special-not-wild": ("Cherry", "7", "book 9D 9S 7D", "C7"),
    "C6-banana-special-not-wild": ("Banana", "7", "book 9D 9S 7D", "C7"),
    "C6-strawberry-black-special-not-wild": ("Strawberry", "7", "book 9D 9S 7S", "C7"),
    "C5-no-special": ("Raspberry", None, "book 9D 9S 7D", "C7"),
    "C7-two-cards": ("Vanilla", None, "book 9D 9S", "C7"),
    "C7-two-cards-in-a-run": ("Vanilla", None, "run 9D TD", "C7"),
    "C7-two-ranks": ("Vanilla", None, "book 9D 9S TS", "C7"),
    "C7-two-suits": ("Vanilla", None, "run 9D TD JS", "C7"),
    "C7-high-to-low": ("Vanilla", None, "run 9D 8D 7D", "C7"),
    "C7-a-gap": ("Vanilla", None, "run 9D JD QD", "C7"),
    "C7-fourteen-cards": ("Banana", None, "run 5C 6C 7C 8C 9C TC JC QC KC AC 2C 3C 4C 5C", "C7"),
    "C8-joker-not-wild-in-a-run": ("Vanilla", None, "run 9D JK JD", "C8"),
    "C8-joker-not-wild-in-a-book": ("Vanilla", None, "book 9D 9S JK", "C8"),
    "C8-no-wild-among-jokers": ("Raspberry", "7", "book JK JK 7D", "C9"),
    "C9-two-jokers-in-a-book": ("Banana", None, "book 9D 9S JK JK", "C9"),
    "C9-two-jokers-in-a-run": ("Banana", None, "run 9D JK JD JK", "C9"),
    "C9-joker-and-special": ("Raspberry", "7", "run 9D JK JD 7S", "C9"),
    "C10-two-ranks": ("Vanilla", None, "pair 9D TD", "C10"),
    "C10-joker-not-wild": ("Vanilla", None, "pair 9D JK", "C10"),
    "C10-three-cards": ("Vanilla", None, "pair 9D 9S 9C", "C10"),
}


def table_of(rule: str, special: str | None) -> Contract:
    return contract(rule=rule, special=special)


@pytest.mark.parametrize(("rule", "special", "text"), LEGAL.values(), ids=LEGAL)
def test_a_group_is_legal(rule: str, special: str | None, text: str) -> None:
    assert check(table_of(rule, special), group(text))


@pytest.mark.parametrize(("rule", "special", "text", "number"), ILLEGAL.values(), ids=ILLEGAL)
def test_a_group_is_refused(rule: str, special: str | None, text: str, number: str) -> None:
    with pytest.raises(Illegal) as caught:
        check(table_of(rule, special), group(text))
    assert caught.value.rule == number


@pytest.mark.parametrize(
    ("rule", "special", "text", "wild"),
    [
        pytest.param("Raspberry", "7", "run 6D 7D 8D", (), id="C9-special-in-its-place"),
        pytest.param("Raspberry", "7", "run 6D 7S 8D", (1,), id="C9-special-of-another-suit"),
        pytest.param("Raspberry", "7", "book 7D 7S JK", (2,), id="C9-joker-among-specials"),
        pytest.param("Strawberry", "7", "book 7D 7S 7H", (), id="C9-red-and-black-specials"),
        pytest.param("Raspberry", "7", "run 7D 8D 7S", (2,), id="C9-natural-and-wild-special"),
    ],
)
def test_a_card_is_wild_only_where_it_stands_for_another(
    rule: str, special: str | None, text: str, wild: tuple[int, ...]
) -> None:
    assert check(table_of(rule, special), group(text)).wild == wild


@pytest.mark.parametrize(
    ("special", "text", "scoop"),
    [
        pytest.param("7", "book 7D 7S 7H", True, id="C11-book-of-specials"),
        pytest.param("7", "book 7D 7S 7H JK", False, id="C11-not-wholly"),
        pytest.param("7", "book 8D 8S 8H", False, id="C11-another-rank"),
        pytest.param(None, "book JK JK JK", False, id="C11-jokers-without-special"),
        pytest.param("7", "pair 7D 7S", False, id="C11-a-pair"),
    ],
)
def test_a_scoop_is_a_book_wholly_of_specials(special: str | None, text: str, scoop: bool) -> None:
    laid = group(text)
    assert table_of("Raspberry", special).is_scoop(laid.kind, laid.cards) == scoop

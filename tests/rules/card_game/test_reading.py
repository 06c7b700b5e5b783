"""Formulas as people type them: what they stand for, and what is said of others."""

import pytest

from games.rules.card_game.definition import MOST, Condition, Decides, Definition, Term
from games.rules.card_game.reading import (
    Compared,
    Unread,
    Vocabulary,
    conditions_read,
    name_read,
    product_read,
    sum_read,
)
from games.rules.card_game.shipped import SHIPPED
from games.rules.card_game.telling import condition_told, sum_told

NAMES = ("tricks", "bid", "alone", "cards")
KNOWN = Vocabulary(
    {
        **{name: Term(1, name) for name in NAMES},
        "tricks taken": Term(1, "tricks"),
        "grand": Term(24),
        "stiche": Term(1, "tricks"),
    },
    {"und": "and", "nicht": "not", "bis": "to"},
    NAMES,
)


def t(times: int, of: str | None = None) -> Term:
    return Term(times, of)


@pytest.mark.parametrize(
    ("typed", "terms"),
    [
        ("", ()),
        ("0", ()),
        ("10 + tricks", (t(10), t(1, "tricks"))),
        ("10+Tricks Taken", (t(10), t(1, "tricks"))),
        ("−10 × bid", (t(-10, "bid"),)),
        ("bid*2 - 3 Stiche", (t(2, "bid"), t(-3, "tricks"))),
        ("2 x grand", (t(48),)),
        ("−5 + 2 · cards", (t(-5), t(2, "cards"))),
    ],
)
def test_a_sum_is_read(typed: str, terms: tuple[Term, ...]) -> None:
    assert sum_read(typed, KNOWN) == terms


def test_a_product_of_two_values_and_a_name_are_read() -> None:
    assert product_read("bid × tricks", KNOWN) == ("bid", "tricks")
    assert product_read("2 × tricks", KNOWN) is None
    assert name_read(" Tricks taken ", KNOWN) == "tricks"


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("", []),
        ("tricks = 5", [Condition("tricks", 5, 5)]),
        ("tricks > 3", [Condition("tricks", 4, MOST)]),
        ("3 ≥ tricks", [Condition("tricks", -MOST, 3)]),
        ("3 <= tricks <= 4", [Condition("tricks", 3, 4)]),
        ("3 < tricks < 7", [Condition("tricks", 4, 6)]),
        ("tricks = 3 to 4", [Condition("tricks", 3, 4)]),
        ("alone", [Condition("alone", 1, 1)]),
        ("not alone and tricks = 5", [Condition("alone", 0, 0), Condition("tricks", 5, 5)]),
        ("nicht alone und tricks = 3 bis 4", [Condition("alone", 0, 0), Condition("tricks", 3, 4)]),
        ("alone = yes, bid = grand", [Condition("alone", 1, 1), Condition("bid", 24, 24)]),
        ("tricks = bid", [Compared((t(1, "tricks"), t(-1, "bid")), 0, 0)]),
        ("tricks ≥ bid + 2", [Compared((t(1, "tricks"), t(-1, "bid")), 2, MOST)]),
    ],
)
def test_conditions_are_read(typed: str, found: list[Condition | Compared]) -> None:
    assert conditions_read(typed, KNOWN) == found


def test_a_difference_that_is_compared_has_a_name() -> None:
    (compared,) = conditions_read("tricks = bid", KNOWN)
    assert isinstance(compared, Compared) and compared.name == "tricks_less_bid"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("10 + trick", "“trick” is no name here. Names are: tricks, bid, alone, cards."),
        ("10 +", "Write a sum"),
        ("10 20", "Write a sum"),
        ("tricks = bid", "Write a sum"),
        ("10 × (tricks − bid)", "Brackets can’t be used"),
        ("(tricks)", "Brackets can’t be used"),
        ("bid × tricks + 1", "A product of two values"),
        ("tricks?", "“?” is no name here"),
        ("tricks / 2", "There is no division here"),
        ("99999999999999999999", "No number in a formula may be more than 100000."),
        ("2 × 99999", "No number in a formula"),
        ("2.5 × tricks", "Write whole numbers"),
        ("2,5", "Write whole numbers"),
        (" + ".join(["1"] * 41), "This is too long for one line"),
    ],
)
def test_what_is_no_sum_is_refused_in_words(typed: str, said: str) -> None:
    with pytest.raises(Unread) as caught:
        sum_read(typed, KNOWN)
    assert caught.value.sentence.startswith(said)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("tricks", ""),
        ("3", "Write a comparison"),
        ("3 = 4", "Write a comparison"),
        ("tricks > 100000", "No number in a formula"),
        (" and ".join(["alone"] * 7), "This is too long for one line"),
        ("tricks ≠ bid", "≠ can’t be used"),
        ("tricks = 3 bid = 4", "Write a comparison"),
        ("tricks + bid", "Write a comparison"),
        ("not tricks = 3", "Write a comparison"),
        ("3 ≤ tricks ≤ 4 ≤ 5", "Write a comparison"),
        ("1 ≤ 2 ≤ tricks", "Write a comparison"),
        ("bid ≤ tricks ≤ cards", "Write a comparison"),
    ],
)
def test_what_is_no_condition_is_refused_in_words(typed: str, said: str) -> None:
    if not said:
        assert conditions_read(typed, KNOWN)
        return
    with pytest.raises(Unread) as caught:
        conditions_read(typed, KNOWN)
    assert caught.value.sentence.startswith(said)


@pytest.mark.parametrize("game", SHIPPED.values(), ids=lambda game: game.title)
def test_cases_are_read_as_they_are_told(game: Definition) -> None:
    known = Vocabulary({each.name: Term(1, each.name) for each in (*game.fields, *game.steps)})
    known = Vocabulary({**known.known, **{name: Term(1, name) for name in ("table", "sits_out")}})
    for case in (case for step in game.steps if isinstance(step, Decides) for case in step.cases):
        assert sum_read(sum_told(case.then), known) == case.then
        told = " and ".join(condition_told(each) for each in case.when)
        assert conditions_read(told, known) == [*case.when]

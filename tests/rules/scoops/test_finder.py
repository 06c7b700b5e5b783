"""The finders say exactly what the rules allow: held against slow and simple searches."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.cards import Card, without
from games.engine.refusals import Illegal
from games.rules.scoops import finder
from games.rules.scoops.contract import GOALS, RULES, SPECIALS, Contract
from games.rules.scoops.moves import Float
from games.rules.scoops.state import State
from tests.rules.scoops import oracle
from tests.rules.scoops.tables import SCOOPS, cards_of, contract, play, table, with_melds

FEW = [*(Card(rank + suit) for rank in "A2357QK" for suit in "DS"), Card("JK")]
CLOSE = [*(Card(rank + suit) for rank in "34567" for suit in "DSH"), Card("JK")]

rules = st.sampled_from([rule.name for rule in RULES])
specials = st.sampled_from(SPECIALS)


def hands(cards: list[Card], low: int, high: int) -> st.SearchStrategy[tuple[Card, ...]]:
    return st.lists(st.sampled_from(cards), min_size=low, max_size=high).map(tuple)


def after_a_run() -> st.SearchStrategy[tuple[Card, ...]]:
    """Nine cards that begin with a run of five, so that Sandwich is won often enough."""
    return hands(CLOSE, 4, 4).map(lambda cards: (*cards_of("3D 4D 5D 6D 7D"), *cards))


def contracts(goal: str) -> st.SearchStrategy[Contract]:
    return st.builds(lambda rule, special: contract(goal, rule, special), rules, specials)


@given(hands(FEW, 0, 7) | hands(CLOSE, 0, 7), contracts("Coffee"))
@settings(max_examples=150)
def test_every_set_in_a_hand_is_found_and_no_other(hand: tuple[Card, ...], terms: Contract) -> None:
    found = finder.sets(hand, terms)
    assert {tuple(sorted(group.cards)) for group in found} == oracle.set_codes(hand, terms)
    assert all(terms.reading(group.kind, group.cards) for group in found)


@pytest.mark.parametrize("goal", [goal.name for goal in GOALS if goal.parts])
@given(hand=hands(CLOSE, 9, 9) | after_a_run(), rule=rules, special=st.sampled_from("3579"))
@settings(max_examples=100)
def test_a_winning_lay_down_is_found_where_there_is_one(
    goal: str, hand: tuple[Card, ...], rule: str, special: str
) -> None:
    terms = contract(goal, rule, special)
    found, best = finder.winning_lay_down(hand, terms), oracle.lay_down_bonus(hand, terms)
    assert (found is None) == (best is None)
    if found is not None:
        won = SCOOPS.step(table(goal, rule, special, " ".join(hand)), 0, found)
        assert won.rows[0].scores == (1 + (best or 0), 0)


@given(hands(CLOSE, 0, 8), contracts("Coffee"))
@settings(max_examples=60)
def test_the_best_sets_leave_the_lowest_count(hand: tuple[Card, ...], terms: Contract) -> None:
    best = finder.Arrangement(hand, terms).best()
    assert best.count == oracle.lowest_count(hand, terms)
    left = without(hand, [card for group in best.sets for card in group.cards])
    assert sum(map(terms.worth, left)) == best.count
    assert all(terms.reading(group.kind, group.cards) for group in best.sets)


@given(hands(CLOSE, 2, 9), contracts("Coffee"))
@settings(max_examples=40)
def test_the_best_sets_after_a_discard_are_those_of_the_shorter_hand(
    hand: tuple[Card, ...], terms: Contract
) -> None:
    arrangement = finder.Arrangement(hand, terms)
    for card in hand:
        shorter = finder.Arrangement(without(hand, (card,)), terms).best()
        best = arrangement.best(card)
        assert (best.count, best.bonus) == (shorter.count, shorter.bonus)


ON_TABLE = ("run 4D 5D 6D", "run JK 5S 6S", "book 3D 3S 3H", "book 5D JK 5H", "run TD JD QD KD")


def accepted(state: State, move: Float) -> bool:
    try:
        SCOOPS.step(state, 0, move)
    except Illegal:
        return False
    return True


@given(hands([*FEW, *CLOSE], 2, 6), st.sampled_from(["Banana", "Raspberry", "Strawberry"]), specials)
@settings(max_examples=60)
def test_every_float_of_one_card_is_found_and_no_other(
    hand: tuple[Card, ...], rule: str, special: str | None
) -> None:
    state = table("Float", rule, special, " ".join(hand))
    state = with_melds(state, (0, "book 9C 9D 9H"), *[(1, text) for text in ON_TABLE])
    tried = [
        Float(number, (card,), end) for number in range(6) for card in hand for end in (None, "low", "high")
    ]
    found = finder.floats(hand, 0, state.round.melds, state.round.contract)
    assert {*found} == {move for move in tried if accepted(state, move)}


def test_c11_a_lay_down_with_scoops_is_preferred() -> None:
    hand = cards_of("2C 2D 2H 3C 3D 3H 4C 4D 4H")
    found = finder.winning_lay_down(hand, contract("Bowl", "Vanilla", "3"))
    assert found is not None
    assert finder.bonus(found.groups, contract("Bowl", "Vanilla", "3")) == 1


def test_c11_of_equal_counts_the_one_with_scoops_is_preferred() -> None:
    hand = cards_of("6C 6D 6H 5C 7C 8C")
    best = finder.Arrangement(hand, contract("Coffee", "Vanilla", "6")).best()
    assert (best.count, best.bonus) == (3, 1)


def test_c15_shake_is_not_won_by_discarding_the_card_just_taken() -> None:
    hand, terms = cards_of("2C 2D 2H 2S 5S 6S 7S 8S KD"), contract("Shake")
    assert finder.winning_lay_down(hand, terms) is not None
    assert finder.winning_lay_down(hand, terms, taken=Card("KD")) is None


def test_c17_nothing_is_floated_before_the_first_own_set() -> None:
    state = with_melds(table("Float", "Vanilla", None, "7D 2C"), (1, "run 4D 5D 6D"))
    assert finder.floats(state.round.hand, 0, state.round.melds, state.round.contract) == ()
    assert [choice.type for choice in SCOOPS.choices(state, 0)] == ["discard"]


def test_choices_list_each_meld_float_and_discard_of_a_turn() -> None:
    state = table("Float", "Vanilla", None, "7D 3D 8C 8D 8H")
    state = with_melds(state, (0, "book 9C 9D 9H"), (1, "run 4D 5D 6D"))
    melds, low, high, discard = SCOOPS.choices(state, 0)
    assert [melds.type, low.type, high.type, discard.type] == ["meld", "float", "float", "discard"]
    for end in (low, high):
        fields = {name: field.values[0] for name, field in end.fields.items()}
        assert play(state, 0, type="float", **fields)


EVERYTHING = "AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD"


@pytest.mark.parametrize(
    ("rule", "run", "ends"),
    [
        pytest.param("Vanilla", "AD 2D 3D", {"high": "4D"}, id="C6-Vanilla-begins-with-the-ace"),
        pytest.param("Vanilla", "2D 3D 4D", {"low": "AD", "high": "5D"}, id="C7"),
        pytest.param("Vanilla", "TD JD QD", {"low": "9D", "high": "KD"}, id="C7-below-the-last"),
        pytest.param("Vanilla", "JD QD KD", {"low": "TD"}, id="C6-Vanilla-ends-with-the-king"),
        pytest.param("Vanilla", EVERYTHING, {}, id="C6-Vanilla-all-ranks"),
        pytest.param("Cherry", "QD KD AD", {"low": "JD"}, id="C6-Cherry-ends-with-the-ace"),
        pytest.param("Cherry", "2D 3D 4D", {"high": "5D"}, id="C6-Cherry-begins-with-the-two"),
        pytest.param(
            "Banana", "AD 2D 3D", {"low": "KD", "high": "4D"}, id="C6-Banana-goes-on-before-the-ace"
        ),
        pytest.param(
            "Banana", "QD KD AD", {"low": "JD", "high": "2D"}, id="C6-Banana-goes-on-after-the-king"
        ),
        pytest.param("Banana", EVERYTHING, {}, id="C6-Banana-all-ranks"),
        pytest.param("Chocolate", "8D 9D TD", {"low": "7D"}, id="C6-Chocolate-ends-with-the-ten"),
    ],
)
def test_a_run_is_continued_at_its_ends(rule: str, run: str, ends: dict[str, str]) -> None:
    state = with_melds(table("Float", rule, None, "2C"), (0, "book 9C 9S 9H"), (1, f"run {run}"))
    found = finder.floats(cards_of(EVERYTHING), 0, state.round.melds, state.round.contract)
    assert {move.end: " ".join(move.cards) for move in found} == ends


@pytest.mark.parametrize("hand", ["2C 2D 2H 3C 3D 3H 4C 4D", "2C 2D 2H 3C 3D 3H 4C 4D 4H KD"])
def test_c16_a_hand_of_another_size_is_not_laid_down(hand: str) -> None:
    assert finder.winning_lay_down(cards_of(hand), contract("Bowl")) is None
    assert finder.winning_lay_down(cards_of(hand), contract("Coffee")) is None


@pytest.mark.parametrize("hand", ["JK 2C 2D 2H 2S 5S 6S 7S KD", "2C 2D 2H 2S 5S 6S 7S KD JK"])
def test_c10_a_wild_card_makes_a_pair_wherever_it_is_in_the_hand(hand: str) -> None:
    found = finder.winning_lay_down(cards_of(hand), contract("Cone", "Banana"))
    assert found is not None
    assert {*found.groups[-1].cards, *found.groups[0].cards} >= {*cards_of("JK KD")}


def test_c17_a_wild_card_floats_onto_books_without_one() -> None:
    state = with_melds(
        table("Float", "Banana", None, "JK 2C"),
        (0, "book 9C 9S 9H"),
        (1, "book 4C 4D 4H"),
        (1, "book 5C 5D JK"),
    )
    found = finder.floats(state.round.hand, 0, state.round.melds, state.round.contract)
    assert found == (Float(1, cards_of("JK")),)

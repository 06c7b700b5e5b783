"""The finder says exactly what can be laid: held against trying everything (S12 to S20)."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest

from games.engine.cards import RANKS, SUITS, Card, holds, pack, parse
from games.rules.scamper import judging
from games.rules.scamper.finder import (
    EFFORT,
    NOTHING_ASKED,
    Layout,
    any_layout,
    best_layout,
    forget,
)
from games.rules.scamper.moves import LayOff, Swap
from games.rules.scamper.onto import ENDS, Target, lay_offs, swaps, targets
from games.rules.scamper.options import CONTRACTS, Contract, Options
from games.rules.scamper.scoring import points
from games.rules.scamper.state import TableMeld
from tests.rules.scamper.bruteforce import fewest_left
from tests.rules.scamper.tables import contract, laid

ASKED = [
    "",
    "set 3",
    "run 3",
    "set 3,set 3",
    "run 3,run 3",
    "set 3,run 3",
    "set 4",
    "run 4",
    "set 5",
    "run 5",
    "run 4,run 3",
    "set 6",
    "run 6",
]
CHOSEN = [
    Options(),
    Options(strict_ratio=True),
    Options(wild_cards="jokers"),
    Options(wild_cards="none"),
    Options(aces="both"),
    Options(aces="both", strict_ratio=True),
    Options(wild_cards="jokers", aces="both"),
]
NAMES = ["deuces-wild", "strict", "jokers-wild", "nothing-wild", "aces-both", "aces-both-strict", "basic"]
HANDS = 40


def hands(seed: int, options: Options) -> Iterator[tuple[Card, ...]]:
    """Yield hands out of few suits and ranks, so that they hold melds, with some wild cards."""
    dice = random.Random(seed)
    for _ in range(HANDS):
        suits, low = dice.sample(SUITS, dice.choice([1, 2, 2, 3])), dice.randrange(9)
        ranks = RANKS[low : low + 5] if options.aces == "high" else f"{RANKS}{RANKS}"[low + 10 :][:5]
        near = [Card(rank + suit) for suit in suits for rank in ranks] * 2
        some = sorted(options.wild) * 2 + near
        size = dice.choice([5, 6, 7, 8])
        yield tuple(dice.sample(near, size - 2) + dice.choices(some, k=2))


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked or "nothing")
@pytest.mark.parametrize("options", CHOSEN, ids=NAMES)
def test_the_best_layout_is_the_one_that_trying_everything_finds(asked: str, options: Options) -> None:
    wanted = contract(asked)
    for hand in hands(ASKED.index(asked), options):
        best = best_layout(hand, wanted, options)
        some = any_layout(hand, wanted, options)
        assert (best.left if best else None) == fewest_left(hand, wanted, options)
        assert (best is None) == (some is None)
        for layout in filter(None, (best, some)):
            check(layout, hand, wanted, options)


def check(layout: Layout, hand: tuple[Card, ...], asked: Contract, options: Options) -> None:
    cards = [card for meld in layout.melds for card in meld.cards]
    assert judging.contract_fault(layout.melds, asked, options) is None
    assert holds(hand, cards)
    assert layout.left == points(hand) - points(cards)
    assert len(cards) < len(hand)


@pytest.mark.parametrize("asked", [*CONTRACTS, NOTHING_ASKED], ids=str)
@pytest.mark.parametrize("strict", [False, True])
def test_layouts_of_large_hands_are_legal_and_the_best_leaves_no_more_than_any(
    asked: Contract, strict: bool
) -> None:
    options, dice = Options(strict_ratio=strict), random.Random(1)
    for size in (9, 14, 20, 20, 26, 34):
        hand = tuple(dice.sample(pack() * 3, size))
        best = best_layout(hand, asked, options, effort=EFFORT)
        some = any_layout(hand, asked, options)
        assert (best is None) == (some is None)
        if best and some:
            check(best, hand, asked, options)
            check(some, hand, asked, options)
            assert best.left <= some.left


@pytest.mark.parametrize(
    ("hand", "asked", "left"),
    [
        pytest.param("3H 5H 7H 9H JK JK JK KD", "run 4", 10, id="S17-only-a-longer-run-has-the-ratio"),
        pytest.param("7C 7D 7S 8C 8D 8S 9C 9D 9S", "set 3,set 3,set 3", None, id="S11-no-card-stays"),
        pytest.param("7C 7D 7S 8C 8D 8S 9C 9D 9S KD", "set 3,set 3,set 3", 10, id="S11-one-stays"),
        pytest.param("7C 7D 7S 7H AC AD AS AH", "set 3,set 3", 5, id="S11-the-cheapest-stays"),
        pytest.param("3C 3D 3H 4C 4D 4H KC KD KS", "set 3", 15, id="S11-the-cheapest-set-is-broken"),
        pytest.param("7C 7D 7S 7H JK JK 3C", "set 3,set 3", 5, id="S17-one-rank-split-in-two"),
        pytest.param("7C 7D 7S 7C 7D 7S 3C", "set 3,set 3", 5, id="S15-two-sets-of-one-rank"),
        pytest.param("5H 6H 7H 5H 6H 7H KD", "run 3,run 3", 10, id="S15-the-same-run-twice"),
        pytest.param("4H 4H 6H 6H 5H JK KD", "run 3,run 3", 10, id="S15-one-natural-for-two-runs"),
        pytest.param("2H 3H JK JK KD", "run 3", 60, id="S14-the-deuce-as-itself"),
        pytest.param("2H JK 4H KD", "run 3", 10, id="S14-a-natural-deuce-and-a-gap"),
        pytest.param("9C 9D JK 8C 8D JK JK JK 3S", "set 3", 5, id="S18-the-rest-on-another-meld"),
        pytest.param("9C 9D JK JK JK 3S", "set 3", 105, id="S17-no-room-for-more"),
        pytest.param("AC KC QC AD AS 3C", "set 3", 25, id="S15-the-set-wants-the-ace"),
    ],
)
def test_a_known_hand_leaves(hand: str, asked: str, left: int | None) -> None:
    found = best_layout(parse(hand), contract(asked), Options())
    assert (found.left if found else None) == left


def test_the_order_of_a_hand_does_not_matter() -> None:
    hand = parse("7C 7D 7S 8C 8D 9H TH JK 2C KD")
    layouts = set()
    for seed in range(20):
        forget()
        shuffled = random.Random(seed).sample(hand, len(hand))
        layouts.add(best_layout(shuffled, contract("set 3"), Options()))
    assert len(layouts) == 1


def test_a_search_that_gets_tired_says_so() -> None:
    hand = tuple(random.Random(3).sample(pack() * 3, 34))
    tired = best_layout(hand, NOTHING_ASKED, Options(), effort=1)
    rested = best_layout(hand, NOTHING_ASKED, Options(), effort=10 * EFFORT)
    assert tired is not None
    assert rested is not None
    assert (tired.proved, rested.proved) == (False, True)
    assert tired.left >= rested.left


def test_an_empty_hand_lays_nothing() -> None:
    assert best_layout((), NOTHING_ASKED, Options()) is None


MELDS = laid("1 run 5H 6H JK; 0 set 9C 9D JK; 1 run 2S 3S 4S 5S; 1 run QD KD 2C; 1 set KC KD KS")


@pytest.mark.parametrize("target", [*targets(MELDS)], ids=lambda target: f"{target.meld.id}-{target.end}")
@pytest.mark.parametrize("options", CHOSEN[:2], ids=["free", "strict"])
def test_every_lay_off_is_found_and_no_other(target: Target, options: Options) -> None:
    dice = random.Random(target.meld.id)
    near = parse("3H 4H 7H 8H 9H 9S 9H 2S 2H 2D 6S 7S JD TD KH KD JK")
    for _ in range(8):
        hand = tuple(dice.sample([*near, *parse("JK JK 2C")], 5))
        found = [*lay_offs(hand, target, options)]
        assert Counter(map(written, found)) == Counter({*all_lay_offs(hand, target, options)})
        assert [len(move.cards) for move in found] == sorted(len(move.cards) for move in found)


def all_lay_offs(hand: tuple[Card, ...], target: Target, options: Options) -> Iterator[Any]:
    for size in range(1, len(hand)):
        for cards in permutations(hand, size):
            move = LayOff(target.meld.id, cards, target.end)
            if judging.lay_off_fault(target.meld, move, options) is None:
                yield written(move)


def written(move: LayOff) -> tuple[Card, ...]:
    """Return the cards of a lay-off; those of a set in one order, since it has none."""
    return move.cards if move.end else tuple(sorted(move.cards))


def test_every_swap_is_found_and_no_other() -> None:
    hand, options = parse("7H 4H 9S 2D JD AD KH 2H"), Options()
    found = [*swaps(hand, 0, MELDS, options)]
    assert {*found} == {*all_swaps(hand, MELDS, options)}
    assert len(found) == len({*found}) > 1


def all_swaps(hand: tuple[Card, ...], melds: tuple[TableMeld, ...], options: Options) -> Iterator[Swap]:
    for meld in melds:
        for index, wild in enumerate(meld.cards):
            for card in hand:
                move = Swap(meld.id, card, wild, index if meld.kind == "run" else None)
                if judging.swap_fault(meld, move, 0, options) is None:
                    yield move


def test_both_ends_of_a_run_are_targets() -> None:
    assert [(target.meld.id, target.end) for target in targets(MELDS)][:3] == [
        *(("m1", end) for end in ENDS),
        ("m2", None),
    ]


@pytest.mark.parametrize(
    ("melds", "end", "hand"),
    [
        pytest.param("1 set 8C 8D JK", None, "2C 2D 2H 8C 8H 8S", id="set"),
        pytest.param("1 run 4H 5H JK", "high", "JK JK JK TH JH QH", id="high-end"),
        pytest.param("1 run TH JH JK", "low", "JK JK JK 6H 5H 4H", id="low-end"),
        pytest.param("1 run TH JH QH", "low", "JK JK 7H JK JK 4H 3H 2H", id="a-deuce-as-itself"),
    ],
)
def test_s20_natural_cards_may_come_after_wild_ones(melds: str, end: Any, hand: str) -> None:
    (meld,), cards = laid(melds), parse(hand)
    found = lay_offs((*cards, Card("KD")), Target(meld, end), Options(strict_ratio=True))
    assert cards in [move.cards for move in found]


@pytest.mark.parametrize(
    ("hand", "left"),
    [
        pytest.param("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH KD", 10, id="S13-from-two-to-ace"),
        pytest.param("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH KD", 10, id="S13-thirteen-ranks-and-one-ace"),
        pytest.param("AH AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH KD", 10, id="S13-an-ace-at-each-end"),
    ],
)
def test_a_long_run_with_aces_at_both_ends_leaves(hand: str, left: int) -> None:
    best = best_layout(parse(hand), NOTHING_ASKED, Options(aces="both", wild_cards="none"))
    assert best is not None
    assert best.left == left
    assert len(best.melds) == 1

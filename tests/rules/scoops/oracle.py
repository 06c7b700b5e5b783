"""Slow and simple answers about hands of Scoops, to hold the finders against."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from games.engine.cards import SUITS, Card, RunOrder, rank, without
from games.rules.scoops.contract import Contract, Part


def is_book(cards: Sequence[Card], terms: Contract) -> bool:
    """Return whether the cards are a book, whichever of them is wild (C7 to C9)."""
    if len(cards) < 3:
        return False
    one_rank = len({rank(card) for card in cards}) == 1
    return one_rank or any(
        terms.is_wild(wild) and {rank(card) for card in without(cards, (wild,))} in one_named_rank()
        for wild in cards
    )


def one_named_rank() -> list[set[str]]:
    return [{named} for named in "A23456789TJQK"]


def is_run(cards: Sequence[Card], terms: Contract) -> bool:
    """Return whether the cards, in some order, are a run (C6 to C9)."""
    return len(cards) >= 3 and any(
        missing_one_or_none(cards, sequence, terms) for sequence in sequences(len(cards), terms.rule.order)
    )


@cache
def sequences(length: int, order: RunOrder) -> tuple[tuple[Card, ...], ...]:
    last = len(order.ranks) if order.wraps else len(order.ranks) - length + 1
    starts = range(last if length <= len(order.ranks) else 0)
    round_and_round = order.ranks * 2
    return tuple(
        tuple(Card(rank + suit) for rank in round_and_round[start : start + length])
        for suit in SUITS
        for start in starts
    )


def missing_one_or_none(cards: Sequence[Card], sequence: Sequence[Card], terms: Contract) -> bool:
    left = list(cards)
    for card in sequence:
        if card in left:
            left.remove(card)
    return not left or (len(left) == 1 and terms.is_wild(left[0]))


def is_pair(cards: Sequence[Card], terms: Contract) -> bool:
    """Return whether two cards are a pair (C10)."""
    return rank(cards[0]) == rank(cards[1]) or any(map(terms.is_wild, cards))


def is_part(cards: Sequence[Card], part: Part, terms: Contract) -> bool:
    tests = {"book": is_book, "run": is_run, "pair": is_pair}
    return any(tests[kind](cards, terms) for kind in part.kinds)


def set_codes(hand: Sequence[Card], terms: Contract) -> set[tuple[Card, ...]]:
    """Return every set in the hand as its sorted cards."""
    subsets = (chosen for size in range(3, len(hand) + 1) for chosen in combinations(hand, size))
    return {tuple(sorted(c)) for c in subsets if is_book(c, terms) or is_run(c, terms)}


def covers(hand: Sequence[Card], parts: Sequence[Part], terms: Contract) -> Iterator[int]:
    """Yield the scoop bonus of every way to lay the whole hand as these parts (C11, C16)."""
    if not parts:
        yield 0
        return
    for places in combinations(range(len(hand)), parts[0].size):
        chosen = [hand[place] for place in places]
        if is_part(chosen, parts[0], terms):
            left = [card for place, card in enumerate(hand) if place not in places]
            scoop = parts[0].size > 2 and {rank(card) for card in chosen} == {terms.special}
            yield from (bonus + scoop for bonus in covers(left, parts[1:], terms))


def lay_down_bonus(hand: Sequence[Card], terms: Contract) -> int | None:
    """Return the highest bonus of a lay-down that wins with the hand, or None where none does."""
    hands = [without(hand, (card,)) for card in hand] if terms.goal.discards else [hand]
    found = (bonus for each in hands for bonus in covers(each, terms.goal.parts, terms))
    return max(found, default=None)


def lowest_count(hand: Sequence[Card], terms: Contract) -> int:
    """Return the lowest count that sets can leave of the hand (C18)."""
    left = sum(map(terms.worth, hand))
    laid = (without(hand, cards) for cards in set_codes(hand, terms))
    return min([left, *(lowest_count(rest, terms) for rest in laid)])

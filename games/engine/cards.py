"""Playing cards in their notation: rank then suit, ``9C``; a joker is ``JK``; a hand is ``"9C TC JK"``.

Of melds there are the ways to read cards as a set of one rank or a run of one suit. A reading says which
cards are wild, standing for others: how many may be is a rule of each game. And what lies on a table of a
rummy game in words: "your set of 7s", "Anna’s run from 5C to 9C".
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from typing import Annotated, Final, Literal, NewType, assert_never

from games.engine.messages import Message, seat, text
from games.engine.shapes import Matching

Card = NewType("Card", str)

RANKS = "23456789TJQKA"
SUITS = "CDHS"
JOKER = Card("JK")
CARD_PATTERN = "[2-9TJQKA][CDHS]|JK"

SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_CODES: Final = str.maketrans({sign: code for code, sign in SIGNS.items()})


def spelt(text: str) -> str:
    """Return the code of a card that people may spell otherwise: "10♥" and "th" give "TH"."""
    return re.sub(r"^10(?=.)", "T", text.translate(_CODES).upper())


AnyCard = Annotated[Card, Matching(CARD_PATTERN, "a card such as 9C, TD or JK", spelt, "9C")]


def rank(card: Card) -> str:
    """Return the card's rank, one of `RANKS`, or ``""`` for a joker, which has none."""
    return "" if card == JOKER else card[0]


def suit(card: Card) -> str:
    """Return the card's suit, one of `SUITS`, or ``""`` for a joker."""
    return "" if card == JOKER else card[1]


@cache
def pack() -> tuple[Card, ...]:
    """Return one pack: 52 cards, suit by suit from two to ace, then two jokers."""
    return (*(Card(r + s) for s in SUITS for r in RANKS), JOKER, JOKER)


def parse(text: str) -> tuple[Card, ...]:
    """Return the cards of a text such as ``"9C TC JK"``; raise ValueError for anything else."""
    codes = {*pack()}
    for word in text.split():
        if word not in codes:
            raise ValueError(f"{word} is not a card")
    return tuple(Card(word) for word in text.split())


def show(cards: Iterable[Card]) -> str:
    """Return the notation of the cards: the inverse of `parse`."""
    return " ".join(cards)


def order(card: Card) -> tuple[int, int]:
    """Return a sort key: by suit in the order of `SUITS`, then from two to ace; jokers last."""
    if card == JOKER:
        return (len(SUITS), 0)
    return (SUITS.index(card[1]), RANKS.index(card[0]))


def holds(hand: Sequence[Card], cards: Sequence[Card]) -> bool:
    """Return whether the hand contains all the cards, counting equal ones."""
    if len(cards) == 1:
        return cards[0] in hand
    left = list(hand)
    for card in cards:
        if card not in left:
            return False
        left.remove(card)
    return True


def without(hand: Sequence[Card], cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return the hand without the cards, in its order; raise ValueError if one is not in it."""
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)


def hidden_from(
    viewer: int | None, hands: Sequence[Sequence[Card]], stock: Sequence[Card]
) -> tuple[Card, ...]:
    """Return the cards that a seat, or a spectator (None), cannot see: the others' hands, then the stock."""
    return (*chain.from_iterable(hand for seat, hand in enumerate(hands) if seat != viewer), *stock)


def with_hidden(
    viewer: int | None, hands: Sequence[tuple[Card, ...]], cards: Iterable[str]
) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]:
    """Return hands and stock with these cards in place of those of `hidden_from`, in the same order."""
    new = map(Card, cards)
    dealt = [hand if seat == viewer else tuple(islice(new, len(hand))) for seat, hand in enumerate(hands)]
    return tuple(dealt), tuple(new)


# ---- Melds ---------------------------------------------------------------------------------------

IsWild = Callable[[Card], bool]
SMALLEST: Final = 3
"""The number of cards of the smallest set or run."""
MORE: Final = text("pick at least one more card that belongs to it.")


@dataclass(frozen=True)
class Reading:
    """One way to read a meld: the rank of a set, or the suit and lowest rank of a run.

    ``wild`` lists the indexes of the cards that stand for another.
    """

    rank: str
    suit: str
    wild: tuple[int, ...]


@dataclass(frozen=True)
class RunOrder:
    """The ranks of a run from low to high; if it wraps, the lowest follows the highest."""

    ranks: str
    wraps: bool = False

    def sequence(self, start: int, length: int) -> str | None:
        """Return ``length`` ranks from index ``start``, or None if the order ends before."""
        if length > len(self.ranks) or (not self.wraps and start + length > len(self.ranks)):
            return None
        return "".join(self.ranks[(start + step) % len(self.ranks)] for step in range(length))


@cache
def _sequences(order: RunOrder, length: int) -> tuple[str, ...]:
    """Return the ranks of every run of this length, from the lowest start."""
    found = (order.sequence(start, length) for start in range(len(order.ranks)))
    return tuple(sequence for sequence in found if sequence)


def set_readings(cards: Sequence[Card], is_wild: IsWild) -> tuple[Reading, ...]:
    """Return every way to read the cards as a set: a reading for each rank that all natural cards share."""
    naturals = {rank(card) for card in cards if not is_wild(card)}
    ranks = naturals or {rank(card) for card in cards}
    found = []
    for named in sorted(ranks):
        wild = tuple(index for index, card in enumerate(cards) if rank(card) != named)
        if all(is_wild(cards[index]) for index in wild):
            found.append(Reading(named, "", wild))
    return tuple(found)


def run_readings(cards: Sequence[Card], order: RunOrder, is_wild: IsWild) -> tuple[Reading, ...]:
    """Return every way to read the cards, written from low to high, as a run in one suit.

    A card in its own position of the run is natural there, even if it is wild elsewhere (S14, C9). The first
    card that cannot be wild says the suit and where the run starts.
    """
    fixed = next((index for index, card in enumerate(cards) if not is_wild(card)), None)
    suits, sequences = SUITS, _sequences(order, len(cards))
    if fixed is not None:
        suits, named = suit(cards[fixed]), rank(cards[fixed])
        sequences = tuple(sequence for sequence in sequences if sequence[fixed] == named)
    found = (_reading_as(cards, named, sequence, is_wild) for named in suits for sequence in sequences)
    return tuple(reading for reading in found if reading)


def _reading_as(cards: Sequence[Card], named: str, sequence: str, is_wild: IsWild) -> Reading | None:
    """Return the only reading of the cards as this run, if there is one."""
    asked = zip(cards, sequence, strict=True)
    wild = tuple(index for index, (card, rank) in enumerate(asked) if card != rank + named)
    return Reading(sequence[0], named, wild) if all(is_wild(cards[index]) for index in wild) else None


def as_run(cards: Sequence[Card], order: RunOrder, is_wild: IsWild) -> tuple[Card, ...]:
    """Return the cards as a run from low to high; as they are if they are one already, or can't be one.

    Wild cards fill the gaps, and go above before they go below.
    """
    if run_readings(cards, order, is_wild):
        return tuple(cards)
    runs = ((named, ranks) for named in SUITS for ranks in reversed(_sequences(order, len(cards))))
    found = (_filled(cards, [Card(rank + named) for rank in ranks], is_wild) for named, ranks in runs)
    return next((run for run in found if run), tuple(cards))


def _filled(cards: Sequence[Card], asked: Sequence[Card], is_wild: IsWild) -> tuple[Card, ...]:
    """Return the cards in the order asked for, wild ones for what is missing; empty if that can't be."""
    left, natural = list(cards), []
    for card in asked:
        natural.append(card in left)
        if card in left:
            left.remove(card)
    if not all(map(is_wild, left)):
        return ()
    others = iter(left)
    return tuple(card if there else next(others) for card, there in zip(asked, natural, strict=True))


def is_begun(cards: Sequence[Card], order: RunOrder, is_wild: IsWild) -> bool:
    """Return whether cards are too few for a set or a run, but of one rank, or of one suit in the order."""
    naturals = [card for card in cards if not is_wild(card)]
    ranks, suits = {rank(card) for card in naturals}, {suit(card) for card in naturals}
    belong = len(ranks) <= 1 or (len(suits) == 1 and ranks <= {*order.ranks})
    return len(cards) < SMALLEST and belong


def described(kind: Literal["set", "run", "book", "pair"], cards: Sequence[Card]) -> Message:
    """Return a laid meld in words: ``the set 9C 9D 9H``."""
    match kind:
        case "set":
            return text("the set %(cards)s", cards=show(cards))
        case "run":
            return text("the run %(cards)s", cards=show(cards))
        case "book":
            return text("the book %(cards)s", cards=show(cards))
        case "pair":
            return text("the pair %(cards)s", cards=show(cards))
        case _:
            assert_never(kind)


# ---- Melds in words ------------------------------------------------------------------------------

RANK_NAMES: Final[Mapping[str, Message]] = {
    "": text("jokers"),
    "T": text("10s"),
    "J": text("jacks"),
    "Q": text("queens"),
    "K": text("kings"),
    "A": text("aces"),
}


@dataclass(frozen=True)
class Lying:
    """A meld on the table: its owner's seat, and its reading, None where it is not what it should be."""

    seat: int
    kind: Literal["set", "run", "book", "pair"]
    cards: tuple[Card, ...]
    reading: Reading | None


def ranks(rank: str) -> Message:
    """Return the cards of a rank in words: ``7s``, ``kings``."""
    return RANK_NAMES[rank] if rank in RANK_NAMES else text("%(rank)ss", rank=rank)


def legends(melds: Mapping[str, Lying], order: RunOrder, viewer: int | None) -> dict[str, Message]:
    """Return what each meld is, as the viewer would say, with its cards where two would be named alike."""
    named = {name: legend(meld, order, viewer) for name, meld in melds.items()}
    count = Counter(named.values())
    return {
        name: called
        if count[called] == 1
        else text("%(meld)s (%(cards)s)", meld=called, cards=show(melds[name].cards))
        for name, called in named.items()
    }


def legend(meld: Lying, order: RunOrder, viewer: int | None) -> Message:
    """Return what a meld on the table is, as the viewer would say."""
    if meld.reading is None:
        return _unread(meld, mine=meld.seat == viewer)
    if meld.kind == "run":
        return _run(meld, meld.reading, order, mine=meld.seat == viewer)
    return _of_a_rank(meld, ranks(meld.reading.rank), mine=meld.seat == viewer)


def _unread(meld: Lying, *, mine: bool) -> Message:
    if mine:
        return text("your meld %(cards)s", cards=show(meld.cards))
    return text("%(seat)s’s meld %(cards)s", seat=seat(meld.seat), cards=show(meld.cards))


def _run(meld: Lying, reading: Reading, order: RunOrder, *, mine: bool) -> Message:
    sequence = order.sequence(order.ranks.index(reading.rank), len(meld.cards)) or reading.rank
    low, high = sequence[0] + reading.suit, sequence[-1] + reading.suit
    if mine:
        return text("your run from %(low)s to %(high)s", low=low, high=high)
    return text("%(seat)s’s run from %(low)s to %(high)s", seat=seat(meld.seat), low=low, high=high)


def _of_a_rank(meld: Lying, of: Message, *, mine: bool) -> Message:
    owner = seat(meld.seat)
    match meld.kind:
        case "set":
            return text("your set of %(ranks)s", ranks=of) if mine else _set_of(owner, of)
        case "book":
            return text("your book of %(ranks)s", ranks=of) if mine else _book_of(owner, of)
        case "pair":
            return text("your pair of %(ranks)s", ranks=of) if mine else _pair_of(owner, of)
        case "run":
            raise AssertionError("a run is of no rank")
        case _:
            assert_never(meld.kind)


def _set_of(owner: Message, of: Message) -> Message:
    return text("%(seat)s’s set of %(ranks)s", seat=owner, ranks=of)


def _book_of(owner: Message, of: Message) -> Message:
    return text("%(seat)s’s book of %(ranks)s", seat=owner, ranks=of)


def _pair_of(owner: Message, of: Message) -> Message:
    return text("%(seat)s’s pair of %(ranks)s", seat=owner, ranks=of)

"""All lay-offs and swaps that a hand allows with the melds on the table (S19 to S21)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.engine.cards import Card, Reading, rank, suit, without
from games.rules.scamper import judging
from games.rules.scamper.moves import End, LayOff, Swap
from games.rules.scamper.options import Options
from games.rules.scamper.state import TableMeld

ENDS: tuple[End, End] = ("low", "high")


@dataclass(frozen=True)
class Target:
    """Where cards can be laid off: a set, or an end of a run."""

    meld: TableMeld
    end: End | None


def targets(melds: Sequence[TableMeld]) -> Iterator[Target]:
    """Yield each set, and both ends of each run."""
    for meld in melds:
        yield from [Target(meld, None)] if meld.kind == "set" else [Target(meld, end) for end in ENDS]


def lay_offs(hand: Sequence[Card], target: Target, options: Options) -> Iterator[LayOff]:
    """Yield every legal lay-off there that keeps a card in hand, fewer cards first (S11, S19, S20).

    Cards for a set are in one order only; cards for a run are listed from its end outward.
    """
    meld = target.meld
    read = judging.reading(meld.kind, meld.cards, options)
    if read is None:
        return
    begun: list[tuple[Card, ...]] = [()]
    for _ in range(len(hand) - 1):
        begun = [longer for cards in begun for longer in _longer(hand, cards, target, read, options)]
        if options.strict_ratio:
            begun = [cards for cards in begun if _may_suffice(hand, cards, target, read, options)]
        for cards in begun:
            move = LayOff(meld.id, cards, target.end)
            if judging.lay_off_fault(meld, move, options) is None:
                yield move


def _longer(
    hand: Sequence[Card], cards: tuple[Card, ...], target: Target, read: Reading, options: Options
) -> Iterator[tuple[Card, ...]]:
    """Yield the cards with each card of the hand that can be next there."""
    left = sorted({*without(hand, cards)})
    if target.end is None:
        fit = (card for card in left if card in options.wild or rank(card) == read.rank)
        yield from ((*cards, card) for card in fit if not cards or card >= cards[-1])
        return
    asked = _card_at(target, read, len(cards), options)
    yield from ((*cards, card) for card in left if asked and (card == asked or card in options.wild))


def _may_suffice(
    hand: Sequence[Card], cards: tuple[Card, ...], target: Target, read: Reading, options: Options
) -> bool:
    """Return whether natural cards could still outnumber the wild ones with more cards of the hand (S20).

    One deuce may become natural, which changes the difference by two.
    """
    wild = len(read.wild) + sum(card in options.wild for card in cards)
    natural = len(target.meld.cards) + len(cards) - wild
    left = [card for card in without(hand, cards) if card not in options.wild]
    fit = sum(rank(card) == read.rank if target.end is None else suit(card) == read.suit for card in left)
    return natural + fit + 2 > wild


def _card_at(target: Target, read: Reading, further: int, options: Options) -> Card | None:
    """Return the natural card ``further`` positions beyond the end of a run, None where no run goes (S13)."""
    ranks = options.run_order.ranks
    low = ranks.index(read.rank)
    at = low - 1 - further if target.end == "low" else low + len(target.meld.cards) + further
    return Card(ranks[at] + read.suit) if 0 <= at < len(ranks) else None


def swaps(hand: Sequence[Card], seat: int, melds: Sequence[TableMeld], options: Options) -> Iterator[Swap]:
    """Yield every legal swap of the seat (S21), meld by meld."""
    for meld in melds:
        read = judging.reading(meld.kind, meld.cards, options)
        if read is None or meld.seat == seat:
            continue
        if meld.kind == "run":
            yield from (
                Swap(meld.id, card, meld.cards[index], index)
                for index in read.wild
                if (card := judging.stood_for(read, index, options)) in hand
            )
        else:
            given = sorted({card for card in hand if rank(card) == read.rank})
            taken = sorted({meld.cards[index] for index in read.wild})
            yield from (Swap(meld.id, card, wild) for card in given for wild in taken)

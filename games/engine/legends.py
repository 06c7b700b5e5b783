"""What lies on a table of a rummy game in words: "your set of 7s", "Anna’s run from 5C to 9C"."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, assert_never

from games.engine.cards import Card, show
from games.engine.melds import Reading, RunOrder
from games.engine.messages import Message, seat, text

RANKS: Final[Mapping[str, Message]] = {
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
    return RANKS[rank] if rank in RANKS else text("%(rank)ss", rank=rank)


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

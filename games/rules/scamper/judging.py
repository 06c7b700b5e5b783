"""Checks whether sets, runs, the contract, lay-offs and swaps are legal (S12 to S21).

Each check returns None or a `Fault`, with which the move is refused or a challenge upheld (S30).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.engine.cards import Card, rank
from games.engine.melds import Reading, RunOrder, run_readings, set_readings
from games.engine.messages import Message, text
from games.rules.scamper.moves import Group, Kind, LayOff, Swap
from games.rules.scamper.options import RUN_RANKS, Contract, Options
from games.rules.scamper.state import TableMeld


@dataclass(frozen=True)
class Fault:
    """Why something laid is illegal; ``wilds`` if the only fault is too many wild cards."""

    rule: str
    sentence: Message
    wilds: bool = False


ORDER: Final = RunOrder(RUN_RANKS)
SMALLEST: Final = 3

NO_SET: Final = Fault(
    "S12", text("A set is three or more cards of one rank from 3 to ace, with wild cards at most.")
)
NO_RUN: Final = Fault(
    "S13",
    text("A run is three or more cards of one suit in sequence, written from low to high, the ace high."),
)
CONTRACT_MISSING: Final = Fault("S15", text("These melds are not the contract of the round."))
NOT_DOWN: Final = Fault("S16", text("Lay the contract first."))
TOO_WILD: Final = Fault(
    "S17", text("Too many wild cards: natural cards must outnumber them here."), wilds=True
)
TOO_FEW_NATURAL: Final = Fault("S20", text("A meld needs at least two natural cards."), wilds=True)
NOT_EXTENDED: Final = Fault("S19", text("These cards do not extend that meld there."))
OWN_MELD: Final = Fault("S21", text("You may not swap on a meld of your own."))
NOT_STANDING: Final = Fault("S21", text("The wild card there does not stand for the card that you give."))


def wild_limit(size: int) -> int:
    """Return how many cards may be wild in a meld of the contract of this size (S17)."""
    return (size - 1) // 2


def reading(kind: Kind, cards: Sequence[Card], wild: frozenset[Card]) -> Reading | None:
    """Return the reading of the cards with the fewest wild ones, or None if they are not a meld.

    A meld needs a natural card, which says what rank or suit it has.
    """
    if len(cards) < SMALLEST:
        return None
    if kind == "set":
        readings = tuple(r for r in set_readings(cards, wild.__contains__) if r.rank not in ("", "2"))
    else:
        readings = run_readings(cards, ORDER, wild.__contains__)
    best = min(readings, key=lambda each: len(each.wild), default=None)
    return best if best and len(best.wild) < len(cards) else None


def ratio_fault(read: Reading, size: int, *, limited: bool) -> Fault | None:
    """Return the fault of a meld with too many wild cards (S17, S20)."""
    wild = len(read.wild)
    if limited and wild > wild_limit(size):
        return TOO_WILD
    return TOO_FEW_NATURAL if size - wild < 2 else None


def meld_fault(group: Group, options: Options, *, limited: bool) -> Fault | None:
    """Return the fault of a group laid as a meld (S12, S13, S17, S20)."""
    read = reading(group.kind, group.cards, options.wild)
    if read is None:
        return NO_SET if group.kind == "set" else NO_RUN
    return ratio_fault(read, len(group.cards), limited=limited)


def contract_fault(groups: Sequence[Group], contract: Contract, options: Options) -> Fault | None:
    """Return the fault of melds laid as the contract (S15, S17, S18)."""
    faults = [meld_fault(group, options, limited=options.strict_ratio) for group in groups]
    if fault := worst(faults):
        return fault
    if not holds(groups, contract):
        return CONTRACT_MISSING
    within = [group for group in groups if meld_fault(group, options, limited=True) is None]
    return None if holds(within, contract) else TOO_WILD


def holds(groups: Sequence[Group], contract: Contract) -> bool:
    """Return whether the groups include the sets and runs of the contract, each long enough."""
    return _covers(groups, "set", contract.sets) and _covers(groups, "run", contract.runs)


def _covers(groups: Sequence[Group], kind: Kind, asked: Sequence[int]) -> bool:
    sizes = sorted((len(group.cards) for group in groups if group.kind == kind), reverse=True)
    wanted = sorted(asked, reverse=True)
    return len(sizes) >= len(wanted) and all(
        size >= least for size, least in zip(sizes, wanted, strict=False)
    )


def more_melds_fault(groups: Sequence[Group], options: Options) -> Fault | None:
    """Return the fault of melds laid after the contract (S18, S20)."""
    return worst([meld_fault(group, options, limited=options.strict_ratio) for group in groups])


def extended(meld: TableMeld, move: LayOff) -> tuple[Card, ...]:
    """Return the cards of the meld with those laid off, which are listed from its end outward (S19)."""
    if move.end == "low":
        return (*reversed(move.cards), *meld.cards)
    return (*meld.cards, *move.cards)


def lay_off_fault(meld: TableMeld, move: LayOff, options: Options) -> Fault | None:
    """Return the fault of cards laid off onto a meld (S19, S20)."""
    cards = extended(meld, move)
    read = reading(meld.kind, cards, options.wild)
    if read is None or reading(meld.kind, meld.cards, options.wild) is None:
        return NOT_EXTENDED
    return ratio_fault(read, len(cards), limited=options.strict_ratio)


def swap_fault(meld: TableMeld, move: Swap, seat: int, options: Options) -> Fault | None:
    """Return the fault of a swap; the wild card must be where the move says (S21)."""
    if meld.seat == seat:
        return OWN_MELD
    read = reading(meld.kind, meld.cards, options.wild)
    return None if read and _stands_for(meld, read, move) else NOT_STANDING


def _stands_for(meld: TableMeld, read: Reading, move: Swap) -> bool:
    if meld.kind == "set":
        return rank(move.card) == read.rank and rank(move.wild) != read.rank
    assert move.place is not None
    asked = RUN_RANKS[RUN_RANKS.index(read.rank) + move.place] + read.suit
    return move.place in read.wild and move.card == asked


def worst(faults: Sequence[Fault | None]) -> Fault | None:
    """Return the worst fault: too many wild cards only if there is no other (S30)."""
    found = [fault for fault in faults if fault]
    return min(found, key=lambda fault: fault.wilds, default=None)

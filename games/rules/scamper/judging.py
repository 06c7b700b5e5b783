"""Whether what is laid is legal: sets, runs, the contract, lay-offs and swaps (S12 to S21).

Each judgement returns None, or the `Fault` that refuses the move or that a challenge finds (S30).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.engine.cards import Card, rank
from games.engine.melds import Reading, RunOrder, run_readings, set_readings
from games.rules.scamper.moves import Group, Kind, LayOff, Swap
from games.rules.scamper.options import RUN_RANKS, Contract, Options
from games.rules.scamper.state import TableMeld


@dataclass(frozen=True)
class Fault:
    """Why something laid is not legal; ``wilds`` says that too many wild cards are all that is wrong."""

    rule: str
    sentence: str
    wilds: bool = False


ORDER: Final = RunOrder(RUN_RANKS)
SMALLEST: Final = 3

NO_SET: Final = Fault(
    "S12", "A set is three or more cards of one rank from 3 to ace, with wild cards at most."
)
NO_RUN: Final = Fault(
    "S13", "A run is three or more cards of one suit in sequence, written from low to high, the ace high."
)
CONTRACT_MISSING: Final = Fault("S15", "These melds are not the contract of the round.")
NOT_DOWN: Final = Fault("S16", "Lay the contract first.")
TOO_WILD: Final = Fault("S17", "Too many wild cards: natural cards must outnumber them here.", wilds=True)
TOO_FEW_NATURAL: Final = Fault("S20", "A meld needs at least two natural cards.", wilds=True)
NOT_EXTENDED: Final = Fault("S19", "These cards do not extend that meld there.")
OWN_MELD: Final = Fault("S21", "You may not swap on a meld of your own.")
NOT_STANDING: Final = Fault("S21", "The wild card there does not stand for the card that you give.")


def wild_limit(size: int) -> int:
    """Return how many cards of a contract's meld of this size may be wild (S17)."""
    return (size - 1) // 2


def reading(kind: Kind, cards: Sequence[Card], wild: frozenset[Card]) -> Reading | None:
    """Return how the cards are read, with the fewest of them wild, or None where they are no meld.

    A meld without any natural card is none: there is nothing that it is a set or a run of.
    """
    if len(cards) < SMALLEST:
        return None
    if kind == "set":
        found = tuple(each for each in set_readings(cards, wild.__contains__) if each.rank not in ("", "2"))
    else:
        found = run_readings(cards, ORDER, wild.__contains__)
    best = min(found, key=lambda each: len(each.wild), default=None)
    return best if best and len(best.wild) < len(cards) else None


def ratio_fault(read: Reading, size: int, *, limited: bool) -> Fault | None:
    """Return the fault of a meld that has too many wild cards (S17, S20)."""
    wild = len(read.wild)
    if limited and wild > wild_limit(size):
        return TOO_WILD
    return TOO_FEW_NATURAL if size - wild < 2 else None


def meld_fault(group: Group, options: Options, *, limited: bool) -> Fault | None:
    """Return what is wrong with a group laid as one meld (S12, S13, S17, S20)."""
    read = reading(group.kind, group.cards, options.wild)
    if read is None:
        return NO_SET if group.kind == "set" else NO_RUN
    return ratio_fault(read, len(group.cards), limited=limited)


def contract_fault(groups: Sequence[Group], contract: Contract, options: Options) -> Fault | None:
    """Return what is wrong with the melds that are to hold the contract (S15, S17, S18)."""
    faults = [meld_fault(group, options, limited=options.strict_ratio) for group in groups]
    if fault := worst(faults):
        return fault
    if not holds(groups, contract):
        return CONTRACT_MISSING
    within = [group for group in groups if meld_fault(group, options, limited=True) is None]
    return None if holds(within, contract) else TOO_WILD


def holds(groups: Sequence[Group], contract: Contract) -> bool:
    """Return whether distinct groups match the contract's sets and runs, each as long as asked."""
    return _covers(groups, "set", contract.sets) and _covers(groups, "run", contract.runs)


def _covers(groups: Sequence[Group], kind: Kind, asked: Sequence[int]) -> bool:
    sizes = sorted((len(group.cards) for group in groups if group.kind == kind), reverse=True)
    wanted = sorted(asked, reverse=True)
    return len(sizes) >= len(wanted) and all(
        size >= least for size, least in zip(sizes, wanted, strict=False)
    )


def more_melds_fault(groups: Sequence[Group], options: Options) -> Fault | None:
    """Return what is wrong with melds laid after the contract (S18, S20)."""
    return worst([meld_fault(group, options, limited=options.strict_ratio) for group in groups])


def extended(meld: TableMeld, move: LayOff) -> tuple[Card, ...]:
    """Return the meld's cards with those laid off, which are given from its end outward (S19)."""
    if move.end == "low":
        return (*reversed(move.cards), *meld.cards)
    return (*meld.cards, *move.cards)


def lay_off_fault(meld: TableMeld, move: LayOff, options: Options) -> Fault | None:
    """Return what is wrong with cards laid off onto a meld by a seat that is down (S19, S20)."""
    cards = extended(meld, move)
    read = reading(meld.kind, cards, options.wild)
    if read is None or reading(meld.kind, meld.cards, options.wild) is None:
        return NOT_EXTENDED
    return ratio_fault(read, len(cards), limited=options.strict_ratio)


def swap_fault(meld: TableMeld, move: Swap, seat: int, options: Options) -> Fault | None:
    """Return what is wrong with a swap by a seat that is down; the wild card lies where it says (S21)."""
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
    """Return the gravest fault: any other than too many wild cards before those (S30)."""
    found = [fault for fault in faults if fault]
    return min(found, key=lambda fault: fault.wilds, default=None)

"""Checks whether sets, runs, the contract, lay-offs and swaps are legal (S12 to S21).

Each check returns None or a `Fault`, with which the move is refused or a challenge upheld (S30).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.engine.cards import SMALLEST, Card, Reading, described, rank, run_readings, set_readings
from games.engine.messages import Message, all_of, text
from games.engine.values import replace
from games.rules.scamper.moves import Group, Kind, LayOff, Swap
from games.rules.scamper.options import Contract, Options
from games.rules.scamper.state import TableMeld


@dataclass(frozen=True)
class Fault:
    """Why something laid is illegal; ``wilds`` if the only fault is too many wild cards.

    ``laid`` names it, such as ``the set 9C JK JK``.
    """

    rule: str
    sentence: Message
    wilds: bool = False
    laid: str = ""

    def of(self, laid: str) -> "Fault":
        """Return the fault of what this names, unless it names something already."""
        return self if self.laid else replace(self, laid=laid)


NO_SET: Final = Fault(
    "S12", text("A set is three or more cards of one rank, from 3 to ace; wild cards may stand for some.")
)
NO_RUN: Final = {
    "high": Fault(
        "S13",
        text("A run is three or more cards of one suit in sequence, written from low to high, the ace high."),
    ),
    "both": Fault(
        "S13",
        text(
            "A run is three or more cards of one suit in sequence, written from low to high; the ace comes "
            "before the two or after the king."
        ),
    ),
}
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


def reading(kind: Kind, cards: Sequence[Card], options: Options) -> Reading | None:
    """Return the reading of the cards with the fewest wild ones, or None if they are not a meld.

    A meld needs a natural card, which says what rank or suit it has.
    """
    if len(cards) < SMALLEST:
        return None
    is_wild = options.wild.__contains__
    if kind == "set":
        readings = tuple(r for r in set_readings(cards, is_wild) if r.rank not in ("", "2"))
    else:
        readings = run_readings(cards, options.run_order, is_wild)
    best = min(readings, key=lambda each: len(each.wild), default=None)
    return best if best and len(best.wild) < len(cards) else None


def stood_for(read: Reading, place: int, options: Options) -> Card:
    """Return the natural card at this index of a run, which a wild card there stands for (S13)."""
    ranks = options.run_order.ranks
    return Card(ranks[ranks.index(read.rank) + place] + read.suit)


def ratio_fault(read: Reading, size: int, *, limited: bool) -> Fault | None:
    """Return the fault of a meld with too many wild cards (S17, S20)."""
    wild = len(read.wild)
    if limited and wild > wild_limit(size):
        return TOO_WILD
    return TOO_FEW_NATURAL if size - wild < 2 else None


def meld_fault(group: Group, options: Options, *, limited: bool) -> Fault | None:
    """Return the fault of a group laid as a meld (S12, S13, S17, S20)."""
    read = reading(group.kind, group.cards, options)
    if read is None:
        fault: Fault | None = NO_SET if group.kind == "set" else NO_RUN[options.aces]
    else:
        fault = ratio_fault(read, len(group.cards), limited=limited)
    return fault and fault.of(described(group.kind, group.cards))


def contract_fault(groups: Sequence[Group], contract: Contract, options: Options) -> Fault | None:
    """Return the fault of melds laid as the contract (S15, S17, S18); the wild limits come last."""
    limits = [meld_fault(group, options, limited=True) for group in groups]
    if not any(limits) and holds(groups, contract):
        return None
    fault = more_melds_fault(groups, options)
    if fault and not fault.wilds:
        return fault
    if not is_contract(groups, contract, options):
        missing = Fault("S15", lacks(groups, contract, options))
        return missing.of(all_of([described(group.kind, group.cards) for group in groups]))
    within = [group for group, limit in zip(groups, limits, strict=True) if limit is None]
    return fault or (None if holds(within, contract) else worst(limits))


def is_contract(groups: Sequence[Group], contract: Contract, options: Options) -> bool:
    """Return whether the melds hold the contract, wild limits aside (S15, S30)."""
    return holds([group for group in groups if reading(group.kind, group.cards, options)], contract)


def lacks(groups: Sequence[Group], contract: Contract, options: Options) -> Message:
    """Return what groups lack that do not hold the contract."""
    melds = [group for group in groups if reading(group.kind, group.cards, options)]
    return text("The contract still lacks %(melds)s.", melds=lacking(melds, contract).in_words())


def holds(groups: Sequence[Group], contract: Contract) -> bool:
    """Return whether the groups include the sets and runs of the contract, each long enough."""
    return not lacking(groups, contract).asked


def lacking(groups: Sequence[Group], contract: Contract) -> Contract:
    """Return the sets and runs of the contract that the groups do not include."""
    sets, runs = _uncovered(groups, "set", contract.sets), _uncovered(groups, "run", contract.runs)
    return Contract(sets, runs)


def _uncovered(groups: Sequence[Group], kind: Kind, asked: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes for which no group is long enough; each group is for one size."""
    sizes = sorted(len(group.cards) for group in groups if group.kind == kind)
    open_sizes = []
    for least in sorted(asked, reverse=True):
        if sizes and sizes[-1] >= least:
            sizes.pop()
        else:
            open_sizes.append(least)
    return tuple(sorted(open_sizes))


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
    read = reading(meld.kind, cards, options)
    if read is None or reading(meld.kind, meld.cards, options) is None:
        return NOT_EXTENDED
    return ratio_fault(read, len(cards), limited=options.strict_ratio)


def swap_fault(meld: TableMeld, move: Swap, seat: int, options: Options) -> Fault | None:
    """Return the fault of a swap; the wild card must be where the move says (S21)."""
    if meld.seat == seat:
        return OWN_MELD
    read = reading(meld.kind, meld.cards, options)
    return None if read and _stands_for(meld, read, move, options) else NOT_STANDING


def _stands_for(meld: TableMeld, read: Reading, move: Swap, options: Options) -> bool:
    if meld.kind == "set":
        return rank(move.card) == read.rank and rank(move.wild) != read.rank
    assert move.place is not None
    return move.place in read.wild and move.card == stood_for(read, move.place, options)


def worst(faults: Sequence[Fault | None]) -> Fault | None:
    """Return the worst fault: too many wild cards only if there is no other (S30)."""
    found = [fault for fault in faults if fault]
    return min(found, key=lambda fault: fault.wilds, default=None)

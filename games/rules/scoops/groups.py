"""Checks groups; each refusal names the broken rule (C7 to C10)."""

from collections.abc import Iterable

from games.engine.cards import JOKER, SMALLEST, Reading, rank
from games.engine.messages import text
from games.engine.refusals import Illegal
from games.rules.scoops.contract import Contract
from games.rules.scoops.moves import Group


def check(contract: Contract, group: Group) -> Reading:
    """Return the reading of a legal group; raise `Illegal`."""
    reading = contract.reading(group.kind, group.cards)
    if reading is None:
        raise _refusal(contract, group)
    return reading


def check_no_pair(groups: Iterable[Group]) -> None:
    """Raise `Illegal` for a pair among groups that must be sets (C10)."""
    if any(group.kind == "pair" for group in groups):
        raise Illegal("A pair is not a set.", "C10")


def _refusal(contract: Contract, group: Group) -> Illegal:
    match group.kind:
        case "pair":
            return Illegal("A pair is two cards of one rank; one of them may be wild.", "C10")
        case "book":
            return _book_refusal(contract, group)
        case "run":
            return _run_refusal(contract, group)


def _book_refusal(contract: Contract, group: Group) -> Illegal:
    if JOKER in group.cards and not contract.is_wild(JOKER) and {*group.cards} != {JOKER}:
        return Illegal("A joker that is not wild has no rank: it goes only into a book of jokers.", "C8")
    if len(group.cards) >= SMALLEST and any(
        reading.rank for reading in contract.readings("book", group.cards)
    ):
        return Illegal("A set may hold only one wild card.", "C9")
    return Illegal("A book is three or more cards of one rank.", "C7")


def _run_refusal(contract: Contract, group: Group) -> Illegal:
    order = contract.rule.order
    if JOKER in group.cards and not contract.is_wild(JOKER):
        return Illegal("A joker that is not wild has no rank: it does not go into a run.", "C8")
    if any(rank(card) not in order.ranks for card in group.cards if card != JOKER):
        return Illegal(
            text("In %(rule)s jacks, queens and kings do not go into a run.", rule=contract.rule.name), "C6"
        )
    if len(group.cards) >= SMALLEST and contract.readings("run", group.cards):
        return Illegal("A set may hold only one wild card.", "C9")
    return Illegal("A run is three or more cards of one suit in sequence, written from low to high.", "C7")

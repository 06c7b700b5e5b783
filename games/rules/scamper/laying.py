"""The effect of melds, lay-offs and swaps on the table, and their faults, alone or within a turn."""

from collections.abc import Sequence
from typing import assert_never

from games.engine.base import replaced
from games.engine.cards import Card
from games.engine.refusals import Illegal
from games.engine.values import replace
from games.rules.scamper import judging
from games.rules.scamper.describing import in_words
from games.rules.scamper.judging import Fault
from games.rules.scamper.moves import Laying, LayOff, Meld, Swap
from games.rules.scamper.options import Contract, Options
from games.rules.scamper.state import Lays, TableMeld

Melds = tuple[TableMeld, ...]


def given(move: Laying) -> tuple[Card, ...]:
    """Return the cards that leave the hand."""
    match move:
        case Meld():
            return tuple(card for group in move.melds for card in group.cards)
        case LayOff():
            return move.cards
        case Swap():
            return (move.card,)
        case _:
            assert_never(move)


def gained(move: Laying) -> tuple[Card, ...]:
    """Return the cards that come to the hand (S21)."""
    return (move.wild,) if isinstance(move, Swap) else ()


def check_target(melds: Melds, move: Laying) -> None:
    """Raise `Illegal` if the meld of a move, its end or its wild card does not exist (S19, S21)."""
    if isinstance(move, Meld):
        return
    rule = "S19" if isinstance(move, LayOff) else "S21"
    target = _named(melds, move.meld)
    if target is None:
        raise Illegal("There is no meld %(meld)s on the table.", rule, meld=move.meld)
    position = move.end if isinstance(move, LayOff) else move.place
    if (position is None) != (target.kind == "set"):
        raise Illegal("A run needs the end or the place; a set has neither.", rule)
    if isinstance(move, Swap) and _index(target, move) is None:
        raise Illegal("There is no %(card)s there.", rule, card=move.wild)


def _named(melds: Melds, name: str) -> TableMeld | None:
    return next((meld for meld in melds if meld.id == name), None)


def _the(melds: Melds, name: str) -> TableMeld:
    meld = _named(melds, name)
    assert meld is not None, "check_target has found it"
    return meld


def _index(target: TableMeld, move: Swap) -> int | None:
    """Return the index of the wild card that the swap takes, or None."""
    indexes = range(len(target.cards)) if move.place is None else (move.place,)
    return next((index for index in indexes if target.cards[index : index + 1] == (move.wild,)), None)


def applied(melds: Melds, seat: int, move: Laying) -> Melds:
    """Return the melds after a move that `check_target` allows; new ones get the next numbers."""
    match move:
        case Meld():
            numbered = enumerate(move.melds, len(melds) + 1)
            return (*melds, *(TableMeld(f"m{n}", seat, each.kind, each.cards) for n, each in numbered))
        case LayOff():
            target = _the(melds, move.meld)
            return _with(melds, target, judging.extended(target, move))
        case Swap():
            target = _the(melds, move.meld)
            index = _index(target, move)
            assert index is not None, "check_target has found it"
            return _with(melds, target, replaced(target.cards, index, move.card))
        case _:
            assert_never(move)


def _with(melds: Melds, target: TableMeld, cards: tuple[Card, ...]) -> Melds:
    return tuple(replace(each, cards=cards) if each is target else each for each in melds)


def fault(
    melds: Melds, seat: int, move: Laying, contract: Contract, options: Options, *, down: bool
) -> Fault | None:
    """Return the fault of a move; ``down`` if the seat had laid its contract before (S16)."""
    found = _fault(melds, seat, move, contract, options, down=down)
    return found and found.of(in_words(move))


def _fault(
    melds: Melds, seat: int, move: Laying, contract: Contract, options: Options, *, down: bool
) -> Fault | None:
    match move:
        case Meld():
            if down:
                return judging.more_melds_fault(move.melds, options)
            return judging.contract_fault(move.melds, contract, options)
        case LayOff():
            target = _the(melds, move.meld)
            return judging.lay_off_fault(target, move, options) if down else judging.NOT_DOWN
        case Swap():
            target = _the(melds, move.meld)
            return judging.swap_fault(target, move, seat, options) if down else judging.NOT_DOWN
        case _:
            assert_never(move)


def turn_fault(lays: Lays, contract: Contract, options: Options) -> Fault | None:
    """Return the worst fault of a turn; each move is checked against the table at that time (S30).

    The seat is down after a contract with too many wild cards, but not after melds that are no contract.
    """
    melds, down = lays.melds, lays.seat in lays.down
    faults: list[Fault | None] = []
    for move in lays.moves:
        faults.append(fault(melds, lays.seat, move, contract, options, down=down))
        melds = applied(melds, lays.seat, move)
        down = down or (isinstance(move, Meld) and judging.is_contract(move.melds, contract, options))
    return judging.worst(faults)


def all_given(moves: Sequence[Laying]) -> tuple[Card, ...]:
    """Return the cards that left the hand by these moves."""
    return tuple(card for move in moves for card in given(move))


def all_gained(moves: Sequence[Laying]) -> tuple[Card, ...]:
    """Return the cards that came to the hand by these moves."""
    return tuple(card for move in moves for card in gained(move))

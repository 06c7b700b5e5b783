"""A seat's turn: how it begins, what is laid, and the discard that ends it (S8 to S24, S31)."""

from collections.abc import Sequence
from dataclasses import replace

from games.engine.cards import Card, holds, without
from games.engine.refusals import Illegal
from games.rules.scamper import judging, rounds
from games.rules.scamper.moves import Discard, Laying, LayOff, Meld, Swap
from games.rules.scamper.options import Options
from games.rules.scamper.state import POINTS, Fault, Lays, Round, State, TableMeld


def take(state: State) -> State:
    """Return the state after the seat in play took the top discard (S8)."""
    table = _begun(state)
    if not table.discards:
        raise Illegal("There is no discard to take.", "S8")
    *below, top = table.discards
    taken = table.with_hand(table.seat, (*table.hand, top))
    return replace(state, round=replace(taken, discards=tuple(below), phase="play"))


def draw(state: State) -> State:
    """Return the state after the seat in play left the discard: offered, passed on, or a card drawn (S9)."""
    table = _begun(state)
    passing = state.options.passing
    if passing == "off" or not table.discards or len(table.stock) < 2:
        return replace(state, round=_drawn(table))
    if passing == "offer":
        return replace(state, round=replace(table, phase="offer"))
    return replace(state, round=_drawn(_passed(table)))


def _begun(state: State) -> Round:
    """Return the round in which the turn's first move closes the time for challenges (S30)."""
    if state.round.phase != "begin":
        raise Illegal("A turn begins once, with the discard or a card from the stock.", "S8")
    return replace(state.round, lays=None)


def answer(state: State, *, accepts: bool) -> State:
    """Return the state after the left seat took or refused the offered discard (S9)."""
    if state.round.phase != "offer":
        raise Illegal("No discard is offered to you.", "S9")
    return replace(state, round=_drawn(_passed(state.round) if accepts else state.round))


def _passed(table: Round) -> Round:
    """Return the round in which the left seat has got the discard and a card from the stock (S9)."""
    *below, top = table.discards
    *stock, card = table.stock
    passed = table.with_hand(table.left, (*table.hands[table.left], top, card))
    return replace(passed, discards=tuple(below), stock=tuple(stock))


def _drawn(table: Round) -> Round:
    *stock, card = table.stock
    drawn = table.with_hand(table.seat, (*table.hand, card))
    return replace(drawn, stock=tuple(stock), phase="play", drawn=True)


def meld(state: State, move: Meld) -> State:
    """Return the state after melds were laid, the contract or more (S15, S16)."""
    table = _playing(state)
    cards = tuple(card for group in move.melds for card in group.cards)
    _needs(table, cards)
    if table.seat in table.down:
        fault = judging.more_melds_fault(move.melds, state.options)
    else:
        fault = judging.contract_fault(move.melds, state.contract, state.options)
    noted = _noted(table, state.options, move, fault, given=cards)
    new = tuple(
        TableMeld(f"m{number}", table.seat, group.kind, group.cards)
        for number, group in enumerate(move.melds, table.laid + 1)
    )
    down = tuple(sorted({*table.down, table.seat}))
    laid = replace(noted, melds=(*table.melds, *new), laid=table.laid + len(new), down=down)
    return replace(state, round=_without(laid, cards))


def lay_off(state: State, move: LayOff) -> State:
    """Return the state after cards were added to a meld on the table (S16, S19)."""
    table = _playing(state)
    target = _the_meld(table, move.meld, "S19")
    if (move.end is None) != (target.kind == "set"):
        raise Illegal("Name the end of a run that you extend; a set has none.", "S19")
    down = table.seat in table.down
    # Two cards where the contract isn't down: the discard may not be the last card then (S24).
    _needs(table, move.cards, left=1 if down else 2)
    fault = judging.lay_off_fault(target, move, state.options) if down else judging.NOT_DOWN
    noted = _noted(table, state.options, move, fault, given=move.cards)
    laid = _remade(noted, target, judging.extended(target, move))
    return replace(state, round=_without(laid, move.cards))


def swap(state: State, move: Swap) -> State:
    """Return the state after a natural card was given for a wild one on another seat's meld (S21)."""
    table = _playing(state)
    target = _the_meld(table, move.meld, "S21")
    place = _place_of_wild(target, move)
    _needs(table, (move.card,), left=0)
    down = table.seat in table.down
    fault = judging.swap_fault(target, move, table.seat, state.options) if down else judging.NOT_DOWN
    noted = _noted(table, state.options, move, fault, given=(move.card,), gained=(move.wild,))
    cards = (*target.cards[:place], move.card, *target.cards[place + 1 :])
    given = _without(_remade(noted, target, cards), (move.card,))
    # In front: the card drawn this turn stays the last.
    return replace(state, round=given.with_hand(table.seat, (move.wild, *given.hand)))


def _place_of_wild(target: TableMeld, move: Swap) -> int:
    """Return the index on the meld of the card that the swap takes; raise `Illegal`."""
    if (move.place is None) != (target.kind == "set"):
        raise Illegal("Name the place of the wild card in a run; in a set it has none.", "S21")
    place = move.place
    if place is None and move.wild in target.cards:
        place = target.cards.index(move.wild)
    if place is None or place >= len(target.cards) or target.cards[place] != move.wild:
        raise Illegal(f"There is no {move.wild} there.", "S21")
    return place


def _the_meld(table: Round, name: str, rule: str) -> TableMeld:
    found = table.meld(name)
    if found is None:
        raise Illegal(f"There is no meld {name} on the table.", rule)
    return found


def _remade(table: Round, target: TableMeld, cards: tuple[Card, ...]) -> Round:
    melds = tuple(replace(each, cards=cards) if each.id == target.id else each for each in table.melds)
    return replace(table, melds=melds)


def _playing(state: State) -> Round:
    if state.round.phase != "play":
        raise Illegal("Begin your turn with the discard or a card from the stock.", "S8")
    return state.round


def _needs(table: Round, cards: Sequence[Card], *, left: int = 1) -> None:
    """Raise `Illegal` where the hand lacks a card, or fewer than ``left`` would stay (S10, S11)."""
    if not holds(table.hand, cards):
        raise Illegal("You do not hold all these cards.", "S10")
    if len(table.hand) - len(cards) < left:
        raise Illegal("Keep a card for the discard.", "S11")


def _noted(
    table: Round,
    options: Options,
    move: Laying,
    fault: Fault | None,
    *,
    given: tuple[Card, ...],
    gained: tuple[Card, ...] = (),
) -> Round:
    """Return the round with the laying noted for a challenge; where melds are checked raise a fault (S30)."""
    if options.melds == "checked":
        if fault:
            raise Illegal(fault.sentence, fault.rule)
        return table
    lays = table.lays or Lays(table.seat, table.melds, table.down)
    noted = replace(
        lays,
        moves=(*lays.moves, move),
        given=(*lays.given, *given),
        gained=(*lays.gained, *gained),
        fault=judging.worst([lays.fault, fault]),
    )
    return replace(table, lays=noted)


def _without(table: Round, cards: Sequence[Card]) -> Round:
    """Return the round in which the seat in play holds these cards no more."""
    hand = without(table.hand, cards)
    # `without` takes the first of equal cards, so the last one goes only when it was needed itself.
    drawn = table.drawn and hand[-1:] == table.hand[-1:]
    return replace(table.with_hand(table.seat, hand), drawn=drawn)


def discard(state: State, move: Discard) -> State:
    """Return the state after the discard that ends the turn (S10, S23, S24, S31)."""
    table = _playing(state)
    if not holds(table.hand, (move.card,)):
        raise Illegal("You do not hold this card.", "S10")
    if move.card not in discardable(table, state.options):
        raise Illegal("A wild card may only be the last discard, going out.", "S23")
    due = scamper_due(table, state.options)
    if move.scamper and not due:
        raise Illegal("Scamper is said when the discard leaves exactly one card.", "S31")
    if due and not move.scamper:
        table = table.adjusted(table.seat, "undeclared", POINTS["undeclared"])
    left = replace(_without(table, (move.card,)), discards=(*table.discards, move.card), drawn=False)
    return rounds.turn_ended(replace(state, round=left))


def discardable(table: Round, options: Options) -> tuple[Card, ...]:
    """Return the different cards that the seat in play may discard, in the hand's order (S23)."""
    cards = tuple(dict.fromkeys(table.hand))
    natural = tuple(card for card in cards if card not in options.wild)
    return cards if len(table.hand) == 1 or not natural else natural


def scamper_due(table: Round, options: Options) -> bool:
    """Return whether the discard must be declared, since it leaves exactly one card (S31)."""
    return options.declare_scamper and len(table.hand) == 2

"""What a gesture at the table can mean in Scamper."""

from collections.abc import Iterator
from typing import Final

from games.engine.cards import JOKER, Card, rank
from games.engine.gestures import Gesture, Judged, Meaning, cards_in
from games.engine.melds import as_run, described, set_readings
from games.engine.messages import text
from games.engine.refusals import Illegal
from games.rules.scamper.judging import meld_fault
from games.rules.scamper.moves import (
    Accept,
    Challenge,
    Concede,
    Decline,
    Discard,
    Draw,
    Group,
    LayOff,
    Meld,
    Move,
    Swap,
    Take,
)
from games.rules.scamper.options import Options
from games.rules.scamper.state import Round, State, TableMeld
from games.rules.scamper.turns import scamper_due

PLAY: Final = text("Pick the card that you discard. Cards that belong together you pick and put aside first.")
ANSWERS: Final = (Accept(), Decline(), Concede(), Challenge())
PILES: Final = {"pile:deck": Draw(), "pile:discard": Take()}


def meaning(state: State, seat: int, gesture: Gesture) -> Meaning:
    """Return what a seat that may move can mean by a gesture."""
    table, cards = state.round, cards_in(gesture.picked)
    if table.phase != "play" or seat != table.seat:
        piles = [PILES[gesture.onto]] if gesture.onto in PILES else [*PILES.values()]
        return Meaning((*piles, *ANSWERS))
    if gesture.onto and gesture.onto.startswith("meld:"):
        return Meaning(tuple(_onto(table, gesture.onto.removeprefix("meld:"), cards)))
    aside = [_group(state.options, cards_in(group)) for group in gesture.aside if cards_in(group)]
    picked = [_group(state.options, cards)] if len(cards) > 1 else []
    groups = (*aside, *picked)
    moves = [Meld(groups)] if groups and len(cards) != 1 else []
    discards = _discards(state, cards[0]) if len(cards) == 1 else ()
    limited = seat not in table.down
    judged = [_judged(state.options, group, limited=limited) for group in groups]
    return Meaning((*moves, *discards), judged, PLAY)


def _discards(state: State, card: Card) -> Iterator[Move]:
    if scamper_due(state.round, state.options):
        yield Discard(card, scamper=True)
    yield Discard(card)


def _onto(table: Round, name: str, cards: tuple[Card, ...]) -> Iterator[Move]:
    """Yield the swaps and lay-offs onto a meld."""
    meld = next((meld for meld in table.melds if meld.id == name), None)
    if meld is None or not cards:
        return
    if len(cards) == 1:
        yield from _swaps(meld, cards[0])
    if meld.kind == "set":
        yield LayOff(name, cards)
    else:
        yield LayOff(name, cards, "high")
        yield LayOff(name, cards, "low")
        if len(cards) > 1:
            yield LayOff(name, cards[::-1], "high")
            yield LayOff(name, cards[::-1], "low")


def _swaps(meld: TableMeld, card: Card) -> Iterator[Move]:
    for place, wild in enumerate(meld.cards):
        if rank(wild) in ("2", rank(JOKER)):
            yield Swap(meld.id, card, wild, None if meld.kind == "set" else place)


def _group(options: Options, cards: tuple[Card, ...]) -> Group:
    """Return the cards as the set or run that they are, or are nearest to."""
    is_wild = options.wild.__contains__
    if any(reading.rank for reading in set_readings(cards, is_wild)):
        return Group("set", cards)
    run = as_run(cards, options.run_order, is_wild)
    naturals = [card for card in cards if not is_wild(card)]
    if len({rank(card) for card in naturals}) == len(naturals):
        return Group("run", run)
    return Group("set", cards)


def _judged(options: Options, group: Group, *, limited: bool) -> Judged:
    fault = meld_fault(group, options, limited=limited)
    refusal = Illegal(fault.sentence, fault.rule) if fault else None
    return Judged(described(group.kind, group.cards), refusal)

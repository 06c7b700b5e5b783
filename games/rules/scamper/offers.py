"""What a seat may do now (choices), and what is played for it when it does nothing (default moves)."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, assert_never

from games.engine.base import Choice, FieldChoice, choice
from games.engine.cards import RANKS, SUITS, Card, rank, suit
from games.engine.jsontypes import Json
from games.engine.shapes import write
from games.rules.scamper.finder import EFFORT, NOTHING_ASKED, Layout, best_layout
from games.rules.scamper.moves import Concede, Decline, Discard, Draw, Group, Move, Swap
from games.rules.scamper.onto import Place, lay_offs, places, swaps
from games.rules.scamper.rounds import may_challenge
from games.rules.scamper.scoring import VALUE
from games.rules.scamper.state import Round, State
from games.rules.scamper.turns import discardable, scamper_due

MOST_LISTED: Final = 12
ABOUT_CONTRACT: Final = "Any melds of your hand that hold the contract."
ABOUT_MELDS: Final = "Any melds of your hand."
BEST: Final = " These leave the fewest points."
GOOD: Final = " These leave few points; so large a hand may have a better way."
ABOUT_LAY_OFFS: Final = "On a run from its end outward; several cards at once too."
UNCHECKED: Final = "Nobody has checked this: any cards of your hand, and whoever doubts it may challenge."


def choices(state: State, seat: int) -> tuple[Choice, ...]:
    """Return what the seat may do now; nothing when it may do nothing."""
    table = state.round
    challenges = (choice("challenge"),) if seat in may_challenge(table) else ()
    match table.phase:
        case "over":
            return ()
        case "begin":
            return (*(_beginnings(table) if seat == table.seat else ()), *challenges)
        case "offer":
            return (choice("accept"), choice("decline")) if seat == table.left else ()
        case "answer":
            return (*((choice("concede"),) if seat == table.left else ()), *challenges)
        case "play":
            return _plays(state) if seat == table.seat else ()
        case _:
            assert_never(table.phase)


def _beginnings(table: Round) -> tuple[Choice, ...]:
    return (*((choice("take"),) if table.discards else ()), choice("draw"))


def _plays(state: State) -> tuple[Choice, ...]:
    table = state.round
    down = table.seat in table.down
    legal = (*_melds(state), *(_lay_offs(state) if down else ()), *(_swaps(state) if down else ()))
    unchecked = _unchecked(state) if state.options.melds == "challenge" else ()
    return (*legal, *unchecked, _discards(state))


def _discards(state: State) -> Choice:
    fields = {"card": FieldChoice(discardable(state.round, state.options))}
    if scamper_due(state.round, state.options):
        fields["scamper"] = FieldChoice((True,), optional=True, about="Without it 20 points (S31).")
    return Choice("discard", fields)


def _melds(state: State) -> Iterator[Choice]:
    """Yield the melds that can be laid, where there are any (S15, S20): the exact best, and parts of it."""
    table, options = state.round, state.options
    down = table.seat in table.down
    asked = NOTHING_ASKED if down else state.contract
    layout = best_layout(table.hand, asked, options.wild, strict=options.strict_ratio, effort=EFFORT)
    if layout and layout.melds:
        values = _parts(layout) if down else (_groups(layout.melds),)
        about = (ABOUT_MELDS if down else ABOUT_CONTRACT) + (BEST if layout.proved else GOOD)
        yield Choice("meld", {"melds": FieldChoice(values, complete=False, about=about)})


def _parts(layout: Layout) -> tuple[Json, ...]:
    """Return all of a layout's melds, and each alone."""
    alone = [(group,) for group in layout.melds] if len(layout.melds) > 1 else []
    return tuple(_groups(groups) for groups in (layout.melds, *alone))


def _groups(groups: Iterable[Group]) -> list[Json]:
    return [write(group) for group in groups]


def _lay_offs(state: State) -> Iterator[Choice]:
    """Yield a choice for each set and each end of a run that cards of the hand go onto (S19)."""
    table = state.round
    for place in places(table.melds):
        found = [*islice(lay_offs(table.hand, place, state.options), MOST_LISTED + 1)]
        if found:
            values = [list(move.cards) for move in found[:MOST_LISTED]]
            yield _onto(place, values, complete=len(found) <= MOST_LISTED, about=ABOUT_LAY_OFFS)


def _onto(place: Place, cards: Iterable[Json], *, complete: bool, about: str) -> Choice:
    fields = {
        "meld": FieldChoice((place.meld.id,)),
        "cards": FieldChoice(tuple(cards), complete=complete, about=about),
    }
    return Choice("lay_off", fields if place.end is None else {**fields, "end": FieldChoice((place.end,))})


def _swaps(state: State) -> Iterator[Choice]:
    """Yield each swap that the hand can make (S21)."""
    table = state.round
    for swap in swaps(table.hand, table.seat, table.melds, state.options):
        yield _swap(swap)


def _swap(swap: Swap) -> Choice:
    place = {} if swap.place is None else {"place": [swap.place]}
    return choice("swap", meld=[swap.meld], card=[swap.card], wild=[swap.wild], **place)


def _unchecked(state: State) -> Iterator[Choice]:
    """Yield what may be laid where melds are not checked: anything that the hand holds (S30)."""
    table = state.round
    hand = list(dict.fromkeys(table.hand))
    if len(table.hand) > 1:
        groups: list[Json] = [[{"kind": "set", "cards": [card]}] for card in hand]
        yield Choice("meld", {"melds": FieldChoice(tuple(groups), complete=False, about=UNCHECKED)})
    if len(table.hand) > (1 if table.seat in table.down else 2):
        for place in places(table.melds):
            yield _onto(place, [[card] for card in hand], complete=False, about=UNCHECKED)


def default_move(state: State) -> Move:
    """Return the clock's move: refuse, let stand, or draw and discard.

    The card drawn is discarded where it is natural, or else the natural card that counts most; of equals
    the highest rank, then the first suit in the order CDHS. Wild cards only where nothing else is held.
    """
    table = state.round
    match table.phase:
        case "offer":
            return Decline()
        case "answer":
            return Concede()
        case "begin":
            return Draw()
        case _:
            return Discard(_to_discard(state), scamper_due(table, state.options))


def _to_discard(state: State) -> Card:
    table = state.round
    able = discardable(table, state.options)
    drawn = table.hand[-1]
    if table.drawn and drawn in able:
        return drawn
    return min(able, key=_clock_order)


def _clock_order(card: Card) -> tuple[int, int, int]:
    """Return a key that puts the card first which the clock discards first."""
    return (-VALUE[card], -RANKS.find(rank(card)), SUITS.find(suit(card)))

"""The choices of a seat, and the default move of the clock."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, assert_never

from games.engine.cards import RANKS, SUITS, Card, rank, suit
from games.engine.choosing import Choice, FieldChoice, choice
from games.engine.jsontypes import Json
from games.engine.messages import text
from games.engine.shapes import write
from games.rules.scamper.challenges import may_challenge
from games.rules.scamper.finder import EFFORT, NOTHING_ASKED, Layout, best_layout
from games.rules.scamper.moves import Concede, Decline, Discard, Draw, Group, Move
from games.rules.scamper.onto import Target, lay_offs, swaps, targets
from games.rules.scamper.scoring import VALUE
from games.rules.scamper.state import Round, State, TableMeld, scamper_due
from games.rules.scamper.turns import discardable

MOST_LISTED: Final = 12
ABOUT_CONTRACT: Final = text("Any melds of your hand that hold the contract.")
ABOUT_MELDS: Final = text("Any melds of your hand.")
BEST: Final = text("These leave the fewest points.")
GOOD: Final = text("These leave few points; with so large a hand there may be a better way.")
ABOUT_LAY_OFFS: Final = text("On a run from its end outward; several cards at once too.")
UNCHECKED: Final = text("This is not checked: lay any cards of your hand; other players may challenge it.")


def choices(state: State, seat: int) -> tuple[Choice, ...]:
    """Return what the seat may do now; whether the contract can be laid is computed exactly."""
    table = state.round
    challenges = (choice("challenge"),) if seat in may_challenge(state) else ()
    match table.phase:
        case "over":
            return ()
        case "begin":
            return (*(_beginnings(table) if seat == table.seat else ()), *challenges)
        case "offer":
            answers = (choice("accept"), choice("decline")) if seat == table.left else ()
            return (*answers, *challenges)
        case "answer":
            return (*((choice("concede"),) if seat == state.next_seat else ()), *challenges)
        case "play":
            return _plays(state) if seat == table.seat else ()
        case _:
            assert_never(table.phase)


def unaided(state: State, seat: int) -> tuple[Choice, ...]:
    """Return what the seat may do now, whatever its hand makes: the player finds that out."""
    table, options = state.round, state.options
    if table.phase != "play" or seat != table.seat or options.melds == "challenge":
        return choices(state, seat)
    about = ABOUT_MELDS if table.seat in table.down else ABOUT_CONTRACT
    melds = choice("meld", melds=FieldChoice(complete=False, about=about))
    onto = _own_onto(state) if table.seat in table.down else ()
    return (melds, *onto, _discards(state))


def _own_onto(state: State) -> Iterator[Choice]:
    """Yield the melds that cards can be laid off onto, and the wild cards of others that can be taken."""
    table = state.round
    for target in targets(table.melds):
        yield _onto(target, (), complete=False, about=ABOUT_LAY_OFFS)
    for meld in table.melds:
        wilds = [place for place, each in enumerate(meld.cards) if each in state.options.wild]
        if wilds and meld.seat != table.seat:
            place = None if meld.kind == "set" else wilds
            taken = list(dict.fromkeys(meld.cards[place] for place in wilds))
            yield choice("swap", meld=[meld.id], card=FieldChoice(complete=False), wild=taken, place=place)


def _beginnings(table: Round) -> tuple[Choice, ...]:
    return (*((choice("take"),) if table.discards else ()), choice("draw"))


def _plays(state: State) -> tuple[Choice, ...]:
    table = state.round
    down = table.seat in table.down
    legal = (*_melds(state), *(_lay_offs(state) if down else ()))
    if state.options.melds == "challenge":
        return (*legal, *_unchecked(state), _discards(state))
    return (*legal, *(_swaps(state) if down else ()), _discards(state))


def _discards(state: State) -> Choice:
    about = text("Without it 20 points (S31).")
    scamper = FieldChoice((True,), optional=True, about=about)
    due = scamper_due(state.round, state.options)
    return choice("discard", card=discardable(state.round, state.options), scamper=scamper if due else None)


def _melds(state: State) -> Iterator[Choice]:
    """Yield the choice of melds, if any can be laid (S15, S20): the best layout, and parts of it."""
    table, options = state.round, state.options
    down = table.seat in table.down
    asked = NOTHING_ASKED if down else state.contract
    layout = best_layout(table.hand, asked, options, effort=EFFORT)
    if layout and layout.melds:
        values = _parts(layout) if down else (_groups(layout.melds),)
        about = text(
            "%(what)s %(how)s",
            what=ABOUT_MELDS if down else ABOUT_CONTRACT,
            how=BEST if layout.proved else GOOD,
        )
        yield choice("meld", melds=FieldChoice(values, complete=False, about=about))


def _parts(layout: Layout) -> tuple[Json, ...]:
    """Return all melds of a layout, and each meld alone."""
    alone = [(group,) for group in layout.melds] if len(layout.melds) > 1 else []
    return tuple(_groups(groups) for groups in (layout.melds, *alone))


def _groups(groups: Iterable[Group]) -> list[Json]:
    return [write(group) for group in groups]


def _lay_offs(state: State) -> Iterator[Choice]:
    """Yield a choice for each set and each end of a run that cards of the hand go onto (S19)."""
    table = state.round
    for target in targets(table.melds):
        found = [*islice(lay_offs(table.hand, target, state.options), MOST_LISTED + 1)]
        if found:
            values = [list(move.cards) for move in found[:MOST_LISTED]]
            yield _onto(target, values, complete=len(found) <= MOST_LISTED, about=ABOUT_LAY_OFFS)


def _onto(target: Target, cards: Iterable[Json], *, complete: bool, about: str) -> Choice:
    values = FieldChoice(tuple(cards), complete=complete, about=about)
    return choice("lay_off", meld=[target.meld.id], cards=values, end=target.end and [target.end])


def _swaps(state: State) -> Iterator[Choice]:
    """Yield each swap that the hand can make (S21)."""
    table = state.round
    for swap in swaps(table.hand, table.seat, table.melds, state.options):
        place = None if swap.place is None else [swap.place]
        yield choice("swap", meld=[swap.meld], card=[swap.card], wild=[swap.wild], place=place)


def _unchecked(state: State) -> Iterator[Choice]:
    """Yield the choices where melds are not checked: any cards of the hand (S30), as `turns.lay` allows."""
    table = state.round
    hand, down = list(dict.fromkeys(table.hand)), table.seat in table.down
    if len(table.hand) > 1:
        groups: list[Json] = [[{"kind": "set", "cards": [card]}] for card in hand]
        yield choice("meld", melds=FieldChoice(tuple(groups), complete=False, about=UNCHECKED))
    if len(table.hand) > (1 if down else 2):
        for target in targets(table.melds):
            yield _onto(target, [[card] for card in hand], complete=False, about=UNCHECKED)
    if len(table.hand) > (0 if down else 1):
        yield from _unchecked_swaps(table.melds, hand)


def _unchecked_swaps(melds: Sequence[TableMeld], hand: Sequence[Card]) -> Iterator[Choice]:
    """Yield the swaps of any card of the hand for one on the table, whatever it stands for (S30)."""
    card = FieldChoice(tuple(hand), about=UNCHECKED)
    for meld in melds:
        if meld.kind == "set":
            yield choice("swap", meld=[meld.id], card=card, wild=[*dict.fromkeys(meld.cards)])
        else:
            for place, taken in enumerate(meld.cards):
                yield choice("swap", meld=[meld.id], card=card, wild=[taken], place=[place])


def default_move(state: State) -> Move:
    """Return the move of the clock: decline, concede, draw or discard.

    It discards the drawn card if that is natural, otherwise the natural card that counts most; of several
    the highest rank, then the first suit in the order CDHS. It discards a wild card only if all are wild.
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
    """Return a sort key: the clock discards the card with the lowest."""
    return (-VALUE[card], -RANKS.find(rank(card)), SUITS.find(suit(card)))

"""The moves of a turn: its beginning, what is laid, and the discard (S8 to S24, S31)."""

from collections.abc import Sequence
from typing import assert_never

from games.engine.base import replaced
from games.engine.cards import Card, holds, without
from games.engine.messages import text
from games.engine.refusals import Illegal
from games.engine.values import replace
from games.rules.scamper import laying, rounds
from games.rules.scamper.moves import Discard, Laying, Meld
from games.rules.scamper.options import Options
from games.rules.scamper.state import Adjustment, Lays, Round, State, scamper_due


def take(state: State) -> State:
    """Return the state after the seat in play took the top discard (S8)."""
    table = _begun(state)
    if not table.discards:
        raise Illegal("There is no discard to take.", "S8")
    hands = replaced(table.hands, table.seat, (*table.hand, table.discards[-1]))
    return replace(state, round=replace(table, hands=hands, discards=table.discards[:-1], phase="play"))


def draw(state: State) -> State:
    """Return the state after the seat in play left the discard, and maybe drew a card (S9)."""
    table = _begun(state)
    if not table.discards or len(table.stock) < 2:
        return replace(state, round=_drawn(table))
    match state.options.passing:
        case "offer":
            return replace(state, round=replace(table, phase="offer"))
        case "forced":
            return replace(state, round=_drawn(_passed(table)))
        case "first":
            return replace(state, round=_drawn(_passed(table) if table.turn == 1 else table))
        case "off":
            return replace(state, round=_drawn(table))
        case _:
            assert_never(state.options.passing)


def _begun(state: State) -> Round:
    """Return the round after the first move of a turn."""
    _refuse_asked(state.round)
    if state.round.phase != "begin":
        raise Illegal("You have taken or drawn already.", "S8")
    return _unchallenged(state, state.round.seat)


def _unchallenged(state: State, seat: int) -> Round:
    """Return the round after a seat's first move, which ends the time for challenges (S30).

    What is played for a seat that has left does not.
    """
    table = state.round
    return table if table.lays is None or seat in state.out else replace(table, lays=None)


def _refuse_asked(table: Round) -> None:
    """Raise `Illegal` if an offer or a last discard must be answered first (S9, S30)."""
    if table.phase == "offer":
        raise Illegal("Accept or decline the discard that is offered to you.", "S9")
    if table.phase == "answer":
        raise Illegal("Challenge the last turn, or let its discard stand.", "S30")


def answer(state: State, *, accepts: bool) -> State:
    """Return the state after the left seat took or refused the offered discard (S9)."""
    if state.round.phase != "offer":
        raise Illegal("No discard is offered to you.", "S9")
    table = _unchallenged(state, state.round.left)
    # An upheld challenge may have taken the offered discard back (S30).
    return replace(state, round=_drawn(_passed(table) if accepts and table.discards else table))


def _passed(table: Round) -> Round:
    """Return the round after the left seat got the discard and a card from the stock (S9)."""
    held = (*table.hands[table.left], table.discards[-1], table.stock[-1])
    hands = replaced(table.hands, table.left, held)
    return replace(table, hands=hands, discards=table.discards[:-1], stock=table.stock[:-1])


def _drawn(table: Round) -> Round:
    hands = replaced(table.hands, table.seat, (*table.hand, table.stock[-1]))
    return replace(table, hands=hands, stock=table.stock[:-1], phase="play", drawn=True)


def lay(state: State, move: Laying) -> State:
    """Return the state after the seat in play laid melds, laid off or swapped (S15 to S21).

    If melds are checked, a fault is refused; otherwise it stays until a seat challenges it (S30).
    """
    table = _playing(state)
    down = table.seat in table.down
    _needs(table, move, down=down)
    laying.check_target(table.melds, move)
    if state.options.melds == "checked":
        if fault := laying.fault(table.melds, table.seat, move, state.contract, state.options, down=down):
            raise Illegal(fault.sentence, fault.rule)
    else:
        lays = table.lays or Lays(table.seat, table.melds, table.down)
        table = replace(table, lays=replace(lays, moves=(*lays.moves, move)))
    left = _without(table, laying.given(move))
    # Added in front, so that the card drawn this turn stays last.
    held = left.with_hand(table.seat, (*laying.gained(move), *left.hand))
    now_down = {*table.down, table.seat} if isinstance(move, Meld) else table.down
    laid = replace(held, melds=laying.applied(table.melds, table.seat, move), down=tuple(sorted(now_down)))
    return replace(state, round=laid)


def _playing(state: State) -> Round:
    _refuse_asked(state.round)
    if state.round.phase != "play":
        raise Illegal("Begin your turn with the discard or a card from the stock.", "S8")
    return state.round


def _needs(table: Round, move: Laying, *, down: bool) -> None:
    """Raise `Illegal` if the hand lacks a card, or too few would be left for the discard (S10, S11)."""
    cards = laying.given(move)
    if not holds(table.hand, cards):
        raise Illegal("You do not hold all these cards.", "S10")
    left = len(table.hand) - len(cards) + len(laying.gained(move))
    if left < 1:
        raise Illegal("Keep a card for the discard.", "S11")
    if left < 2 and not down and not isinstance(move, Meld):
        raise Illegal("Without the contract you can't go out: keep two cards.", "S24")


def _without(table: Round, cards: Sequence[Card]) -> Round:
    """Return the round after these cards left the hand of the seat in play."""
    hand = without(table.hand, cards)
    # `without` removes the first of equal cards, so the drawn card goes only if it was needed itself.
    drawn = table.drawn and hand[-1:] == table.hand[-1:]
    return replace(table.with_hand(table.seat, hand), drawn=drawn)


def discard(state: State, move: Discard) -> State:
    """Return the state after the discard that ends the turn (S10, S23, S24, S31)."""
    table = _playing(state)
    if not holds(table.hand, (move.card,)):
        raise Illegal("You do not hold this card.", "S10")
    if move.card in state.options.wild and move.card not in discardable(table, state.options):
        raise Illegal("A wild card can only be discarded as your last card, going out.", "S23")
    due = scamper_due(table, state.options)
    if move.scamper and not due:
        raise Illegal("Scamper is said when the discard leaves exactly one card.", "S31")
    if due and not move.scamper:
        why = text("Kept one card without saying Scamper.")
        table = table.adjusted(Adjustment.of(table.seat, "undeclared", why))
    hands = replaced(table.hands, table.seat, without(table.hand, (move.card,)))
    left = replace(table, hands=hands, discards=(*table.discards, move.card), drawn=False)
    return rounds.turn_ended(replace(state, round=left), move.card)


def discardable(table: Round, options: Options) -> tuple[Card, ...]:
    """Return the distinct cards that the seat in play may discard, in the order of the hand (S23)."""
    cards = tuple(dict.fromkeys(table.hand))
    natural = tuple(card for card in cards if card not in options.wild)
    return cards if len(table.hand) == 1 or not natural else natural

"""Challenges, and the answer to a discard that ends the round (S30)."""

from collections import Counter
from collections.abc import Sequence

from games.engine.cards import Card, without
from games.engine.messages import seat as the_seat
from games.engine.messages import seat_first, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from games.rules.scamper import laying, rounds
from games.rules.scamper.judging import Fault
from games.rules.scamper.state import Adjustment, Lays, Name, Round, State


def open_turn(table: Round) -> Lays | None:
    """Return what the last turn laid while it may be challenged, None at other times (S30).

    In an offer and an answer too: a seat that has left may have played since.
    """
    lays = table.lays
    open_now = lays and lays.discard and table.phase in ("begin", "offer", "answer")
    return lays if open_now else None


def may_challenge(state: State) -> tuple[int, ...]:
    """Return the seats that may challenge now, each once; not that of the turn, nor one that has left."""
    lays = open_turn(state.round)
    if lays is None:
        return ()
    heard = {lays.seat, *lays.heard, *state.out}
    return tuple(seat for seat in range(state.round.seats) if seat not in heard)


def challenge(state: State, seat: int) -> State:
    """Return the state after a challenge, upheld or rejected (S30); raise `Illegal`."""
    lays = open_turn(state.round)
    if lays is None or seat not in may_challenge(state):
        raise Illegal("There is nothing that you may challenge now.", "S30")
    fault = laying.turn_fault(lays, state.contract, state.options)
    return _upheld(state, lays, seat, fault) if fault else _rejected(state, lays, seat)


def _upheld(state: State, lays: Lays, seat: int, fault: Fault) -> State:
    """Return the state with the turn undone and its seat punished; play goes on (S30)."""
    name: Name = "too_many_wilds" if fault.wilds and state.options.advanced_points else "wrong_meld"
    why = text(
        "%(seat)s challenged %(laid)s. %(fault)s",
        seat=seat_first(seat),
        laid=fault.laid,
        fault=fault.sentence,
    )
    undone = replace(_undone(state.round, lays), lays=None)
    fined = undone.adjusted(Adjustment.of(lays.seat, name, why, rule=fault.rule))
    upheld = replace(state, round=fined)
    return rounds.settled(upheld) if fined.phase == "answer" else upheld


def _rejected(state: State, lays: Lays, seat: int) -> State:
    """Return the state after a rejected challenge; it also is the next seat's answer (S30)."""
    why = text("The challenged turn of %(seat)s broke no rule.", seat=the_seat(lays.seat))
    fined = state.round.adjusted(Adjustment.of(seat, "wrong_challenge", why))
    table = replace(fined, lays=replace(lays, heard=(*lays.heard, seat)))
    after = replace(state, round=table)
    answered = table.phase == "answer" and seat == state.next_seat
    return rounds.settled(after) if answered else after


def _undone(table: Round, lays: Lays) -> Round:
    """Return the round with everything laid and swapped in the turn undone (S30).

    The discard stays, unless the hand got the card by a swap: then it goes back too.
    """
    assert lays.discard is not None, "a turn is challenged after its discard"
    gained = Counter(laying.all_gained(lays.moves))
    held = Counter((*table.hands[lays.seat], *laying.all_given(lays.moves)))
    undone = replace(table, melds=lays.melds, down=lays.down)
    if gained - held:
        undone, held = _taken_back(undone, lays.discard, lays.seat), held + Counter([lays.discard])
    return undone.with_hand(lays.seat, tuple(sorted((held - gained).elements())))


def _taken_back(table: Round, card: Card, owner: int) -> Round:
    """Return the round without a discard, which another seat may have got from one that has left (S9)."""
    if card in table.discards:
        return replace(table, discards=_without_last(table.discards, card))
    holder = next(seat for seat, hand in enumerate(table.hands) if seat != owner and card in hand)
    return table.with_hand(holder, without(table.hands[holder], (card,)))


def _without_last(cards: Sequence[Card], card: Card) -> tuple[Card, ...]:
    return tuple(reversed(without(tuple(reversed(cards)), (card,))))


def concede(state: State, seat: int) -> State:
    """Return the state after the next seat accepted a discard that ends the round (S30); raise `Illegal`."""
    if state.round.phase != "answer" or seat != state.next_seat:
        raise Illegal("There is no discard that you may concede now.", "S30")
    return rounds.settled(state)

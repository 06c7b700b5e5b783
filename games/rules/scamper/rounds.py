"""The end of turns and rounds, challenges, and the next round (S5, S24 to S30)."""

from collections import Counter
from dataclasses import replace
from typing import Final

from games.engine.refusals import Illegal
from games.rules.scamper import deal, laying
from games.rules.scamper.scoring import points
from games.rules.scamper.state import POINTS, Lays, Name, Round, Row, State

MOST_TURNS: Final = 60
MOST_ADDED: Final = 6


def turn_ended(state: State) -> State:
    """Return the state after a discard; one that ends the round may be challenged first (S30)."""
    if state.options.melds == "checked":
        return _settled(state)
    table = state.round
    lays = table.lays or Lays(table.seat, table.melds, table.down)
    state = replace(state, round=replace(table, lays=lays))
    return replace(state, round=replace(state.round, phase="answer")) if _ends(state) else _settled(state)


def _ends(state: State) -> bool:
    """Return whether the turn ends the deal: a seat is out, or no turn can follow (S24, S28, S29)."""
    return not state.round.hand or _at_limit(state) or (not state.round.stock and not _may_add(state))


def _at_limit(state: State) -> bool:
    return state.round.turn >= MOST_TURNS * state.round.seats


def _may_add(state: State) -> bool:
    return state.options.stock_out == "add_pack" and state.round.added < MOST_ADDED


def _settled(state: State) -> State:
    """Return the state after a turn without a challenge: the next turn, deal or round."""
    if not _ends(state):
        return _next_turn(state if state.round.stock else _with_pack(state))
    table, options = state.round, state.options
    replays = options.stock_out == "replay" and table.attempt < options.max_replays
    if not table.hand or _at_limit(state) or not replays:
        return _finished(state)
    return _dealt_again(state)


def _next_turn(state: State) -> State:
    table = state.round
    return replace(state, round=replace(table, phase="begin", seat=table.left, turn=table.turn + 1))


def _with_pack(state: State) -> State:
    """Return the state with one more pack as the stock (S28)."""
    table = replace(state.round, stock=deal.another_pack(state), added=state.round.added + 1)
    return replace(state, round=table)


def _dealt_again(state: State) -> State:
    """Return the state after the same dealer has dealt again; adjustments are kept (S28, S32)."""
    table = state.round
    again = deal.dealt(
        state.options,
        state.chance,
        number=table.number,
        dealer=table.dealer,
        seats=table.seats,
        attempt=table.attempt + 1,
    )
    again = replace(again, adjustments=table.adjustments)
    return replace(state, round=again, turns=state.turns + table.turn)


def _finished(state: State) -> State:
    """Return the state after the round is scored and the next one dealt by the seat to the left (S5, S25)."""
    table = state.round
    row = Row(
        number=table.number,
        dealer=table.dealer,
        contract=state.contract,
        out=None if table.hand else table.seat,
        cards=tuple(map(points, table.hands)),
        adjustments=table.adjustments,
    )
    over = replace(table, phase="over", adjustments=(), lays=None)
    scored = replace(state, rows=(*state.rows, row), round=over)
    if table.number == len(state.options.played):
        return scored
    dealer = (table.dealer + 1) % table.seats
    following = deal.dealt(
        state.options, state.chance, number=table.number + 1, dealer=dealer, seats=table.seats
    )
    return replace(scored, round=following, turns=state.turns + table.turn)


def may_challenge(table: Round) -> tuple[int, ...]:
    """Return the seats that may challenge now: each seat but the one of the turn, once (S30)."""
    lays = table.lays
    if lays is None or table.phase not in ("begin", "answer"):
        return ()
    return tuple(seat for seat in range(table.seats) if seat != lays.seat and seat not in lays.heard)


def challenge(state: State, seat: int) -> State:
    """Return the state after a challenge, upheld or rejected (S30)."""
    table = state.round
    lays = table.lays
    if lays is None or seat not in may_challenge(table):
        raise Illegal("There is nothing that you may challenge now.", "S30")
    fault = laying.turn_fault(lays, state.contract, state.options)
    if fault is None:
        return _rejected(state, lays, seat)
    name: Name = "too_many_wilds" if fault.wilds else "wrong_meld"
    undone = replace(_undone(table, lays), lays=None).adjusted(lays.seat, name, POINTS[name])
    upheld = replace(state, round=undone)
    return _settled(upheld) if table.phase == "answer" else upheld


def _rejected(state: State, lays: Lays, seat: int) -> State:
    """Return the state after a rejected challenge; it also is the next seat's answer (S30)."""
    fined = state.round.adjusted(seat, "wrong_challenge", POINTS["wrong_challenge"])
    table = replace(fined, lays=replace(lays, heard=(*lays.heard, seat)))
    after = replace(state, round=table)
    return _settled(after) if table.phase == "answer" and seat == table.left else after


def _undone(table: Round, lays: Lays) -> Round:
    """Return the round with everything laid and swapped in the turn undone (S30).

    The discard stays, unless the hand got the card by a swap: then it goes back too.
    """
    top = table.discards[-1]
    held = Counter((*table.hands[lays.seat], *laying.all_given(lays.moves), top))
    before = held - Counter(laying.all_gained(lays.moves))
    stays = before[top] > 0
    hand = before - Counter({top: 1}) if stays else before
    undone = replace(table, melds=lays.melds, down=lays.down)
    undone = undone.with_hand(lays.seat, tuple(sorted(hand.elements())))
    return undone if stays else replace(undone, discards=table.discards[:-1])


def concede(state: State, seat: int) -> State:
    """Return the state after the next seat accepted a discard that ends the round (S30)."""
    table = state.round
    if table.phase != "answer" or seat != table.left:
        raise Illegal("There is nothing that you could concede now.", "S30")
    return _settled(state)

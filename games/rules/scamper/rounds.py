"""The end of turns and rounds, and the next round (S5, S24 to S29)."""

from typing import Final

from games.engine.cards import Card
from games.engine.values import replace
from games.rules.scamper import deal
from games.rules.scamper.scoring import points
from games.rules.scamper.state import Lays, Row, State

MOST_TURNS: Final = 60
MOST_ADDED: Final = 6


def turn_ended(state: State, discard: Card) -> State:
    """Return the state after a discard; one that ends the round may be challenged first (S30)."""
    if state.options.melds == "checked":
        return settled(state)
    table = state.round
    lays = table.lays or Lays(table.seat, table.melds, table.down)
    # The turn of a seat that has left does not replace the one that may still be challenged.
    if lays.seat == table.seat:
        lays = replace(lays, discard=discard)
    state = replace(state, round=replace(table, lays=lays))
    return replace(state, round=replace(state.round, phase="answer")) if _ends(state) else settled(state)


def _ends(state: State) -> bool:
    """Return whether the turn ends the deal: a seat is out, or no turn can follow (S24, S28, S29)."""
    return not state.round.hand or _at_limit(state) or (not state.round.stock and not _may_add(state))


def _at_limit(state: State) -> bool:
    return state.round.turn >= MOST_TURNS * state.round.seats


def _may_add(state: State) -> bool:
    return state.options.stock_out == "add_pack" and state.round.added < MOST_ADDED


def settled(state: State) -> State:
    """Return the state after a turn that is challenged no more: the next turn, deal or round."""
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
    void = replace(state, round=replace(table, phase="over", lays=None), ended=None)
    return replace(state, round=again, turns=state.turns + table.turn, ended=void)


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
    scored = replace(state, rows=(*state.rows, row), round=over, ended=None)
    if table.number == len(state.options.played):
        return replace(scored, ended=scored)
    dealer = (table.dealer + 1) % table.seats
    following = deal.dealt(
        state.options, state.chance, number=table.number + 1, dealer=dealer, seats=table.seats
    )
    return replace(scored, round=following, turns=state.turns + table.turn, ended=scored)

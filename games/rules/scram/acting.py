"""The actions of the cards 5 to 13, as `actions.ROWS` says (A0 to A3)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from games.engine.refusals import Illegal
from games.rules.scram.actions import ACTIONS, Action
from games.rules.scram.moves import Act, At, End, Target, Top
from games.rules.scram.rounds import turn_ended
from games.rules.scram.state import Acting, State
from games.rules.scram.table import (
    Lying,
    Table,
    at_end,
    card_at,
    cleared,
    exchanged,
    seen_by,
    turned_up,
    with_campsite,
)
from games.rules.scram.turn import card_in_hand


def act(state: State, move: Act) -> State:
    """Return the state after a played card's action, or after a step of it (A0 to A2)."""
    row = row_in_play(state)
    match row.deed:
        case "look" | "turn up" | "look and exchange" | "exchange":
            return _aimed(state, row, move)
        case "clear":
            return _cleared(state, row, move)
        case "place":
            return _placed(state, move)
        case _:
            assert_never(row.deed)


def row_in_play(state: State) -> Action:
    """Return the row of the card whose action is begun or under way; refuse where it has none (B9)."""
    if state.acting:
        return ACTIONS[state.acting.card]
    drawn = card_in_hand(state)
    if drawn.taken:
        raise Illegal("A card from the discard pile can only replace cards.", "B9")
    if row := ACTIONS.get(state.table.faces[drawn.card]):
        return row
    raise Illegal("This card has no action.", "B9")


def open_targets(table: Table, row: Action, chosen: Sequence[Target]) -> tuple[Target, ...]:
    """Return the targets that may come next after those chosen (A0, A1): campsites first, then the deck."""
    campsites: list[Target] = [
        At(seat, index)
        for seat, campsite in enumerate(table.campsites)
        for index, lying in enumerate(campsite)
        if not (row.face_down and lying.up)
    ]
    deck: list[Target] = [Top(depth) for depth in range(min(row.deck, len(table.deck)))]
    return tuple(target for target in (*campsites, *deck) if goes_with(row, chosen, target))


def goes_with(row: Action, chosen: Sequence[Target], target: Target) -> bool:
    """Return whether a target may stand with those chosen before it (A1, and A0's two campsites)."""
    if target in chosen:
        return False
    if chosen and not row.mixed and type(target) is not type(chosen[0]):
        return False
    taken = {place.seat for place in chosen if isinstance(place, At)}
    return not (row.apart and isinstance(target, At) and target.seat in taken)


def can_act(table: Table, row: Action) -> bool:
    """Return whether the action has the targets without which it can't be chosen (A1)."""
    if row.deed == "place":
        return True
    if row.deed == "clear":
        return any(table.campsites)
    targets = open_targets(table, row, ())
    return bool(targets) if row.stepwise else any(open_targets(table, row, (one,)) for one in targets)


def _aimed(state: State, row: Action, move: Act) -> State:
    if move.cards or move.seat is not None or move.end is not None or not move.targets:
        raise Illegal(f"The action of a {row.card} needs targets and nothing else.", "A0")
    played = _on_the_pile(state)
    before = state.acting.targets if state.acting else ()
    chosen = _chosen(state.table, row, before, move.targets)
    under_way = replace(played, acting=Acting(row.card, chosen), table=_done(played, row, move.targets))
    more = len(chosen) < row.count and open_targets(under_way.table, row, chosen)
    exchange_next = row.deed == "look and exchange" and len(chosen) == row.count
    return under_way if more or exchange_next else turn_ended(under_way)


def _chosen(
    table: Table, row: Action, before: Sequence[Target], added: Sequence[Target]
) -> tuple[Target, ...]:
    """Return all targets so far; refuse one that does not go with the others (A0 to A2)."""
    chosen = tuple(before)
    for target in added:
        card_at(table, target)
        if len(chosen) == row.count:
            raise Illegal(f"A {row.card} is for {row.count} cards at most.", "A0")
        if target not in open_targets(table, row, chosen):
            raise Illegal(f"A {row.card} is for {row.targets}.", "A1" if chosen else "A0")
        chosen = (*chosen, target)
    if not row.stepwise and len(chosen) < row.count:
        raise Illegal(f"A {row.card} needs its {row.count} targets at once.", "A2")
    return chosen


def _done(state: State, row: Action, targets: Sequence[Target]) -> Table:
    """Return the table after the action is done to these targets."""
    table = state.table
    if row.deed == "turn up":
        return turned_up(table, [target for target in targets if isinstance(target, At)])
    if row.deed == "exchange":
        return exchanged(table, *targets)
    return seen_by(table, [state.seat], [card_at(table, target).card for target in targets])


def exchange(state: State, do: bool) -> State:
    """Return the state after a 12's two cards were exchanged or left (A0)."""
    if state.phase != "exchange" or state.acting is None:
        raise Illegal("There is nothing to exchange: a 12 looks at two cards first.", "A0")
    table = exchanged(state.table, *state.acting.targets) if do else state.table
    return turn_ended(replace(state, table=table))


def _on_the_pile(state: State) -> State:
    """Return the state with the played card on the discard pile, where it isn't yet (A0)."""
    drawn, table = state.table.drawn, state.table
    if drawn is None:
        return state
    return replace(state, table=replace(table, drawn=None, discard=(*table.discard, drawn.card)))


def _cleared(state: State, row: Action, move: Act) -> State:
    """Return the state after a 9 (A0): cards of one campsite go, the 9 comes."""
    if move.targets or move.seat is None or move.end is None or not move.cards:
        raise Illegal(f"The action of a {row.card} needs a seat, cards and an end and nothing else.", "A0")
    for index in move.cards:
        card_at(state.table, At(move.seat, index))
    wanted = min(row.count, len(state.table.campsites[move.seat]))
    if len({*move.cards}) != wanted or len(move.cards) != wanted:
        raise Illegal(f"Choose {wanted} different cards of the campsite.", "A0")
    table = cleared(state.table, move.seat, move.cards)
    return _put_down(replace(state, table=table), move.seat, move.end)


def _placed(state: State, move: Act) -> State:
    """Return the state after a 13 (A0): it lies in a campsite."""
    if move.targets or move.cards or move.seat is None or move.end is None:
        raise Illegal("The action of a 13 needs a seat and an end and nothing else.", "A0")
    if move.seat >= state.game.seats:
        raise Illegal("There is no such campsite.", "A0")
    return _put_down(state, move.seat, move.end)


def _put_down(state: State, seat: int, end: End) -> State:
    """Return the state after the drawn card was put in a campsite, face up."""
    card = card_in_hand(state).card
    row = at_end(state.table.campsites[seat], [Lying(card, up=True)], end)
    return turn_ended(replace(state, table=with_campsite(replace(state.table, drawn=None), seat, row)))

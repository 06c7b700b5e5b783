"""The views of a game of Scoops."""

from collections.abc import Sequence
from itertools import chain

from games.engine import cards as cards_of
from games.engine.cards import Card
from games.engine.jsontypes import Json, JsonObject
from games.engine.values import replace
from games.rules.scoops.contract import Contract
from games.rules.scoops.state import Laid, Round, Row, State


def view(state: State, viewer: int | None) -> JsonObject:
    """Return what a seat, or a spectator (None), sees; the API documents the common fields.

    Others are ``start`` (the seat that began the round), ``assigned`` (the indexes of the dice for special,
    rule and goal), ``taken`` (the card that the viewer may not discard by C15, or None), ``last_turns``
    (whether a seat has knocked), ``may_knock`` (whether any player may now, by an option),
    ``turns_left`` (until the limit of the round) and ``target``.
    """
    table = state.round
    return {
        "round": table.number,
        "rounds": state.options.round_limit,
        "target": state.options.target,
        "scores": list(state.totals()),
        "sheet": list(sheet(state)),
        "turn": None if table.phase == "over" else table.seat,
        "phase": table.phase,
        **_contract(table),
        **_table(table),
        "may_knock": bool(state.may_knock),
        **_hand(table, viewer),
        "turns_left": state.options.turn_limit * table.seats - table.turn,
    }


def _contract(table: Round) -> JsonObject:
    """Return the dice and what they mean; nothing, until a seat has assigned them (C4)."""
    assigned, contract = table.assigned, table.contract
    if assigned is None:
        return {"dice": list(table.dice), "assigned": None, "special": None, "rule": None, "goal": None}
    made: Json = {"special": list(assigned.special), "rule": assigned.rule, "goal": assigned.goal}
    return {"dice": list(table.dice), "assigned": made, **_names(contract)}


def _names(contract: Contract) -> JsonObject:
    return {"special": contract.special, "rule": contract.rule.name, "goal": contract.goal.name}


def _table(table: Round) -> JsonObject:
    return {
        "start": table.start,
        "hands": [len(hand) for hand in table.hands],
        "discards": [list(pile) for pile in table.discards],
        "deck": len(table.deck),
        "melds": [_laid(laid) for laid in table.melds],
        "knocker": table.knocker,
        "last_turns": table.knocker is not None,
    }


def _laid(laid: Laid) -> JsonObject:
    return {"id": laid.id, "seat": laid.seat, "kind": laid.kind, "cards": list(laid.cards)}


def _hand(table: Round, viewer: int | None) -> JsonObject:
    if viewer is None:
        return {"hand": None, "taken": None}
    hand = table.hands[viewer]
    taken = table.taken if viewer == table.seat and table.taken in hand else None
    return {"hand": list(hand), "taken": taken}


def sheet(state: State) -> tuple[JsonObject, ...]:
    """Return the score sheet: a row for each finished round, with the points of that round."""
    return tuple(_row(row) for row in state.rows)


def _row(row: Row) -> JsonObject:
    return {
        "round": row.number,
        "scores": list(row.scores),
        "penalties": list(row.penalties),
        **_names(row.contract),
        "ending": row.ending,
        "winner": row.winner,
        "bonus": sum(laid.scoop for laid in row.melds if laid.seat == row.winner),
        "knocker": row.knocker,
        "counts": None if row.counts is None else list(row.counts),
        "melds": [_laid(laid) for laid in row.melds],
    }


def cards(state: State) -> tuple[Card, ...]:
    """Return every card of the round: hands, deck, discard piles and table."""
    table = state.round
    laid = (each.cards for each in table.melds)
    return (*chain.from_iterable((*table.hands, *table.discards, *laid)), *table.deck)


def with_hidden(state: State, viewer: int | None, others: Sequence[str]) -> State:
    """Return the state with other hidden cards; a card taken from a pile is replaced in `taken` too."""
    table = state.round
    hands, deck = cards_of.with_hidden(viewer, table.hands, others)
    changed = replace(table, hands=hands, deck=deck)
    if table.hand and table.hand[-1] == table.taken:
        changed = replace(changed, taken=changed.hand[-1])
    return replace(state, round=changed)

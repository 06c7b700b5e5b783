"""The views of a game of Scamper."""

from collections.abc import Iterable
from itertools import chain

from games.engine.base import write_typed
from games.engine.cards import Card, order
from games.engine.jsontypes import JsonObject
from games.rules.scamper.challenges import open_turn
from games.rules.scamper.moves import MOVES
from games.rules.scamper.state import Draws, Lays, Round, Row, State, TableMeld


def view(state: State, viewer: int | None) -> JsonObject:
    """Return what a seat, or a spectator (None), sees; the API documents the common fields.

    Others are ``drawn`` (the card that the viewer drew this turn), ``attempt`` (how often the round was dealt
    before), ``adjustments`` (bonuses and penalties of this round, and why), ``wild`` (the wild cards),
    ``aces``, ``strict_ratio``, ``checked`` (whether illegal melds are refused), ``draws`` (for the first
    deal) and ``challenge`` (what may be challenged now, or None).
    """
    table = state.round
    return {
        "round": table.number,
        "rounds": len(state.options.played),
        "scores": list(state.totals()),
        "sheet": list(sheet(state.rows, table.seats)),
        "turn": None if table.phase == "over" else table.seat,
        "phase": table.phase,
        "contract": state.contract.as_json(),
        **_table(table),
        **_hand(table, viewer),
        **_settings(state),
    }


def open_hands(state: State) -> tuple[tuple[Card, ...], ...]:
    """Return all hands, each as its seat's view shows it."""
    return tuple(tuple(_sorted(hand)) for hand in state.round.hands)


def _table(table: Round) -> JsonObject:
    """Return the open cards, and the number of hidden ones."""
    return {
        "dealer": table.dealer,
        "hands": [len(hand) for hand in table.hands],
        "discard": table.discards[-1] if table.discards else None,
        "discards": list(table.discards),
        "stock": len(table.stock),
        "melds": [_meld(meld) for meld in table.melds],
        "down": list(table.down),
        "offer": table.left if table.phase == "offer" else None,
        "attempt": table.attempt,
        "adjustments": [each.as_json() for each in table.adjustments],
        "challenge": None if (lays := open_turn(table)) is None else _challenge(lays),
    }


def _hand(table: Round, viewer: int | None) -> JsonObject:
    if viewer is None:
        return {"hand": None, "drawn": None}
    drawn = table.hand[-1] if viewer == table.seat and table.drawn else None
    return {"hand": _sorted(table.hands[viewer]), "drawn": drawn}


def _settings(state: State) -> JsonObject:
    """Return the options that players must know, and the draws for the first deal (S5)."""
    options = state.options
    return {
        "wild": _sorted(options.wild),
        "aces": options.aces,
        "strict_ratio": options.strict_ratio,
        "checked": options.melds == "checked",
        "draws": [_draws(each) for each in state.draws],
    }


def _sorted(cards: Iterable[Card]) -> list[Card]:
    return sorted(cards, key=order)


def _meld(meld: TableMeld) -> JsonObject:
    return {"id": meld.id, "seat": meld.seat, "kind": meld.kind, "cards": list(meld.cards)}


def _challenge(lays: Lays) -> JsonObject:
    """Return whose turn may be challenged, what it laid, and which seats have failed to (S30).

    ``melds`` and ``down`` are from before the turn.
    """
    return {
        "seat": lays.seat,
        "laid": [write_typed(MOVES, move) for move in lays.moves],
        "melds": [_meld(meld) for meld in lays.melds],
        "down": list(lays.down),
        "heard": list(lays.heard),
    }


def _draws(draws: Draws) -> list[JsonObject]:
    pairs = zip(draws.seats, draws.cards, strict=True)
    return [{"seat": seat, "cards": list(cards)} for seat, cards in pairs]


def sheet(rows: Iterable[Row], seats: int) -> tuple[JsonObject, ...]:
    """Return the score sheet: for each finished round its scores, their parts, and the totals so far."""
    totals = [0] * seats
    listed = []
    for row in rows:
        totals = [total + score for total, score in zip(totals, row.scores(), strict=True)]
        listed.append(_row(row, totals))
    return tuple(listed)


def _row(row: Row, totals: list[int]) -> JsonObject:
    return {
        "round": row.number,
        "contract": row.contract.as_json(),
        "dealer": row.dealer,
        "out": row.out,
        "cards": list(row.cards),
        "adjustments": [each.as_json() for each in row.adjustments],
        "scores": list(row.scores()),
        "totals": totals,
    }


def cards(state: State) -> tuple[Card, ...]:
    """Return every card of the round: hands, stock, discards and table."""
    table = state.round
    laid = (meld.cards for meld in table.melds)
    return (*chain.from_iterable((*table.hands, *laid)), *table.stock, *table.discards)

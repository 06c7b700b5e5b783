"""What may be seen of a game of Scamper, and what may not."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from games.engine.base import write_typed
from games.engine.cards import Card, order
from games.engine.jsontypes import JsonObject
from games.rules.scamper.moves import MOVES
from games.rules.scamper.state import Adjustment, Draws, Lays, Round, Row, State, TableMeld


def view(state: State, viewer: int | None) -> JsonObject:
    """Return what a seat, or a spectator (None), sees; names as the public contract has them.

    Beyond those: ``drawn`` (one's own card drawn this turn), ``attempt`` (how often the round was dealt
    before), ``adjustments`` (points given in this round beside cards), ``wild`` (the cards that may stand for
    others), ``strict_ratio``, ``checked`` (whether illegal melds are refused), ``draws`` (for the first deal)
    and ``challenge``: what may be challenged now, or None.
    """
    table = state.round
    return {
        "round": table.number,
        "rounds": len(state.options.played),
        "scores": list(state.totals()),
        "sheet": list(sheet(state)),
        "turn": None if table.phase == "over" else table.seat,
        "phase": table.phase,
        "contract": state.contract.as_json(),
        **_table(table),
        **_own(table, viewer),
        **_agreed(state),
    }


def everything(state: State) -> JsonObject:
    """Return the view of a replay: a spectator's, and ``open`` with all hands and the stock, its top last."""
    table = state.round
    hands = [_sorted(hand) for hand in table.hands]
    return {**view(state, None), "open": {"hands": hands, "stock": list(table.stock)}}


def _table(table: Round) -> JsonObject:
    """Return what lies open, and the counts of what does not."""
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
        "adjustments": [_adjustment(each) for each in table.adjustments],
        "challenge": _challenge(table.lays) if table.lays and table.phase in ("begin", "answer") else None,
    }


def _own(table: Round, viewer: int | None) -> JsonObject:
    if viewer is None:
        return {"hand": None, "drawn": None}
    drawn = table.hand[-1] if viewer == table.seat and table.drawn else None
    return {"hand": _sorted(table.hands[viewer]), "drawn": drawn}


def _agreed(state: State) -> JsonObject:
    """Return what a player must know of the options, and who dealt first and why (S5)."""
    options = state.options
    return {
        "wild": _sorted(options.wild),
        "strict_ratio": options.strict_ratio,
        "checked": options.melds == "checked",
        "draws": [_draws(each) for each in state.draws],
    }


def _sorted(cards: Iterable[Card]) -> list[Card]:
    return sorted(cards, key=order)


def _meld(meld: TableMeld) -> JsonObject:
    return {"id": meld.id, "seat": meld.seat, "kind": meld.kind, "cards": list(meld.cards)}


def _adjustment(each: Adjustment) -> JsonObject:
    return {"seat": each.seat, "name": each.name, "points": each.points}


def _challenge(lays: Lays) -> JsonObject:
    """Return whose turn may be challenged, what it laid, and who has challenged it in vain (S30).

    ``melds`` and ``down`` are as they were before the turn.
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


def sheet(state: State) -> tuple[JsonObject, ...]:
    """Return the score sheet: a row a finished round, ``scores`` being its points and ``totals`` so far."""
    totals = [0] * state.round.seats
    rows = []
    for row in state.rows:
        totals = [total + score for total, score in zip(totals, row.scores(), strict=True)]
        rows.append(row_json(row, totals))
    return tuple(rows)


def row_json(row: Row, totals: Sequence[int]) -> JsonObject:
    """Return a row of the sheet: points of cards, adjustments by name, the round's scores and the totals."""
    return {
        "round": row.number,
        "contract": row.contract.as_json(),
        "dealer": row.dealer,
        "out": row.out,
        "cards": list(row.cards),
        "adjustments": [_adjustment(each) for each in row.adjustments],
        "scores": list(row.scores()),
        "totals": list(totals),
    }


def cards(state: State) -> tuple[Card, ...]:
    """Return every card of the round: hands, stock, discards and table."""
    table = state.round
    laid = [meld.cards for meld in table.melds]
    return tuple(card for place in (*table.hands, table.stock, table.discards, *laid) for card in place)


def hidden(state: State, viewer: int | None) -> tuple[Card, ...]:
    """Return the other seats' cards, seat by seat, then the stock."""
    table = state.round
    hands = [hand for seat, hand in enumerate(table.hands) if seat != viewer]
    return tuple(card for place in (*hands, table.stock) for card in place)


def with_hidden(state: State, viewer: int | None, others: Sequence[Card]) -> State:
    """Return the state with other cards in the places of `hidden`."""
    table, left = state.round, iter(others)
    hands = tuple(
        hand if seat == viewer else tuple(next(left) for _ in hand) for seat, hand in enumerate(table.hands)
    )
    return replace(state, round=replace(table, hands=hands, stock=tuple(left)))

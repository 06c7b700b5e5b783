"""The views of a game of Scram!, and the cards that they hide (A4)."""

from collections.abc import Iterator, Sequence

from games.engine import shapes
from games.engine.base import replaced
from games.engine.jsontypes import JsonObject
from games.engine.values import replace
from games.rules.scram.moves import CORRECTED
from games.rules.scram.scoring import totals
from games.rules.scram.state import Acting, State, teams_of
from games.rules.scram.table import NOTHING, CardId, Lying, Table


def view(state: State, viewer: int | None) -> JsonObject:
    """Return what a seat, or a spectator (None), may know (A4)."""
    in_play = viewer in state.order[:1]
    seen = [] if viewer is None else _seen(state, viewer)
    return {**_public(state), "drawn": _held(state.table) if in_play else None, "seen": seen}


def past_view(past: State, now: State, viewer: int | None) -> JsonObject:
    """Return what was public, and of what the viewer knew then only what it knows now, too (A4)."""
    if viewer is None or past.over or len(past.rows) != len(now.rows):
        return view(past, None)
    table = past.table
    both = table.known[viewer] & now.table.known[viewer]
    kept = replace(past, table=replace(table, known=replaced(table.known, viewer, both)))
    held = table.drawn and (table.drawn.taken or table.drawn.card in both)
    drawn = view(past, viewer)["drawn"] if held else None
    return {**_public(past), "drawn": drawn, "seen": _seen(kept, viewer)}


def everything(state: State) -> JsonObject:
    """Return the view with all cards open; ``seen`` is for all seats, named in ``by``."""
    table = state.table
    campsites = [[_shown(table, lying, shown=True) for lying in campsite] for campsite in table.campsites]
    seen = [{"by": seat, **entry} for seat in range(state.game.seats) for entry in _seen(state, seat)]
    return {
        **_public(state),
        "campsites": campsites,
        "drawn": _held(table),
        "seen": seen,
    }


def open_campsites(table: Table) -> tuple[tuple[str, ...], ...]:
    """Return the cards of each campsite, from left to right."""
    return tuple(tuple(map(table.face, campsite)) for campsite in table.campsites)


def _public(state: State) -> JsonObject:
    return {**_standing(state), **_turn(state), **_cards(state)}


def _standing(state: State) -> JsonObject:
    return {
        "round": len(state.rows) + (not state.over),
        "rounds": state.game.rounds,
        "scores": list(totals(state.rows, state.penalties)),
        "sheet": list(sheet(state)),
        "penalties": list(state.penalties),
        "teams": list(teams_of(state.game.seats)),
    }


def sheet(state: State) -> tuple[JsonObject, ...]:
    """Return a row for each finished round."""
    return tuple(row.as_json(number) for number, row in enumerate(state.rows, 1))


def _turn(state: State) -> JsonObject:
    acting = state.acting
    return {
        "turn": None if state.over else state.seat,
        "phase": state.phase,
        "start": state.start,
        "action": None if acting is None else _action(acting),
        "scram": state.scram,
        "last_turns": [] if state.scram is None else list(state.order),
        "turns": list(state.turns),
        "turn_limit": state.game.options.turn_limit,
        "corrected": {name: getattr(state.game.options, name) for name in CORRECTED},
    }


def _action(acting: Acting) -> JsonObject:
    return {"card": acting.card, "targets": [shapes.write(target) for target in acting.targets]}


def _cards(state: State) -> JsonObject:
    table = state.table
    return {
        "campsites": [
            [_shown(table, lying, shown=lying.up) for lying in campsite] for campsite in table.campsites
        ],
        "deck": len(table.deck),
        "discard": [table.faces[card] for card in table.discard],
        "taken": _held(table) if table.drawn and table.drawn.taken else None,
        "looked": [
            {"by": seat, "target": target}
            for seat in range(state.game.seats)
            for _, target in _known_targets(state, seat)
        ],
    }


def _held(table: Table) -> str | None:
    """Return the card in the hand of the seat in play."""
    return table.faces[table.drawn.card] if table.drawn else None


def _shown(table: Table, lying: Lying, *, shown: bool) -> JsonObject:
    return {"up": lying.up, "card": table.face(lying) if shown else None}


def _seen(state: State, seat: int) -> list[JsonObject]:
    """Return the hidden cards that a seat has looked at and still sees, by their targets (A4)."""
    return [
        {"target": target, "card": state.table.faces[card]} for card, target in _known_targets(state, seat)
    ]


def _known_targets(state: State, seat: int) -> list[tuple[CardId, JsonObject]]:
    """Return the hidden cards that the seat has looked at, with their targets.

    The card that the seat has drawn is not among them: the view has a field for it.
    """
    known = state.table.known[seat]
    if not known:
        return []
    return [
        (card, target)
        for card, target in _hidden_targets(state)
        if card in known and target != {"drawn": seat}
    ]


def _hidden_targets(state: State) -> Iterator[tuple[CardId, JsonObject]]:
    """Yield every hidden card and its target: in campsites, the hand in play, the deck."""
    table = state.table
    for seat, campsite in enumerate(table.campsites):
        for index, lying in enumerate(campsite):
            if not lying.up:
                yield lying.card, {"seat": seat, "index": index}
    if table.drawn and not table.drawn.taken:
        yield table.drawn.card, {"drawn": state.seat}
    for depth, card in enumerate(table.deck):
        yield card, {"deck": depth}


def hidden_cards(state: State, viewer: int | None) -> tuple[CardId, ...]:
    """Return the cards that the viewer cannot see, in the order of the deal."""
    known = NOTHING if viewer is None else state.table.known[viewer]
    return tuple(sorted(card for card, _ in _hidden_targets(state) if card not in known))


def with_faces(state: State, cards: Sequence[CardId], faces: Sequence[str]) -> State:
    """Return the state in which these cards have other faces."""
    changed = list(state.table.faces)
    for card, face in zip(cards, faces, strict=True):
        changed[card] = face
    return replace(state, table=replace(state.table, faces=tuple(changed)))


def all_cards(table: Table) -> tuple[str, ...]:
    """Return every card in play: campsites, hand, pile and deck."""
    placed = [lying.card for campsite in table.campsites for lying in campsite]
    drawn = [table.drawn.card] if table.drawn else []
    return tuple(table.faces[card] for card in (*placed, *drawn, *table.discard, *table.deck))

"""Tables of Scram! in a line of text: ``(7)`` lies face down, ``7`` face up; a deck begins with its top and a
pile ends with it; a place is ``0.2`` (seat and index) or ``deck.0``."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from games.engine.chance import Chance
from games.engine.choosing import Choice
from games.rules.scram import Scram
from games.rules.scram.moves import Options
from games.rules.scram.rounds import turn_order
from games.rules.scram.state import Game, State
from games.rules.scram.table import Lying, Table

SCRAM = Scram()
CHANCE = Chance(b"\x05" * 32)
DECK = "1 2 3 4 13 12 11 10"


def table(
    *campsites: str, deck: str = DECK, pile: str = "13", turn: int = 0, options: Options | None = None
) -> State:
    """Return a state in which a seat begins its turn at these campsites."""
    faces = [*" ".join(campsites).replace("(", "").replace(")", "").split(), *deck.split(), *pile.split()]
    cards = iter(range(len(faces)))
    rows = tuple(
        tuple(Lying(next(cards), not word.startswith("(")) for word in campsite.split())
        for campsite in campsites
    )
    laid = Table(
        tuple(faces),
        rows,
        tuple(next(cards) for _ in deck.split()),
        tuple(next(cards) for _ in pile.split()),
        (frozenset(),) * len(campsites),
    )
    seats, nothing = len(campsites), (0,) * len(campsites)
    order = turn_order(turn, seats)
    first = tuple(int(seat == turn) for seat in range(seats))
    game = Game(options or Options(), seats, CHANCE)
    return State(game, (), turn, order, first, 1, nothing, laid)


def play(state: State, *moves: dict[str, Any], seat: int | None = None) -> State:
    """Return the state after the seat in play, or another, made these moves one after the other."""
    for move in moves:
        actor = state.seat if seat is None else seat
        state = SCRAM.step(state, actor, SCRAM.read_move(move))
    return state


def begin(state: State, drawn: str) -> State:
    """Return the state after the seat in play drew a card of this face from the deck."""
    laid = state.table
    faces = (*laid.faces, drawn)
    on_top = replace(laid, faces=faces, deck=(len(faces) - 1, *laid.deck))
    return play(replace(state, table=on_top), draw())


def draw(source: str = "deck") -> dict[str, Any]:
    return {"type": "draw", "from": source}


def discard() -> dict[str, Any]:
    return {"type": "discard"}


def swap(cards: str, **fields: Any) -> dict[str, Any]:
    """Return the `replace` of ``"0.1 2.3"``: seat and index of each card."""
    return {"type": "replace", "cards": targets(cards), **fields}


def act(aimed: str = "", **fields: Any) -> dict[str, Any]:
    """Return the `act` on ``"0.1 deck.0"``, and with the fields of a 9 or 13."""
    return {"type": "act", **({"targets": targets(aimed)} if aimed else {}), **fields}


def exchange(do: bool) -> dict[str, Any]:
    return {"type": "exchange", "do": do}


SCRAMS: dict[str, Any] = {"type": "scram"}


def targets(text: str) -> list[dict[str, int]]:
    found = []
    for word in text.split():
        place, _, number = word.partition(".")
        at_seat = {"seat": int(place), "index": int(number)} if place.isdigit() else {}
        found.append(at_seat or {"deck": int(number)})
    return found


def shown(state: State) -> list[str]:
    """Return the campsites as text."""
    return [
        " ".join(
            state.table.face(lying) if lying.up else f"({state.table.face(lying)})" for lying in campsite
        )
        for campsite in state.table.campsites
    ]


def deck(state: State) -> str:
    return faces(state, state.table.deck)


def pile(state: State) -> str:
    return faces(state, state.table.discard)


def faces(state: State, cards: Sequence[int]) -> str:
    return " ".join(state.table.faces[card] for card in cards)


def seen(state: State, viewer: int | None) -> dict[str, str]:
    """Return what the viewer has looked at and still sees, by place: ``{"0.1": "7", "deck.0": "="}``."""
    answer: Any = SCRAM.view(state, viewer)["seen"]
    return {named(entry["target"]): entry["card"] for entry in answer}


def looked(state: State) -> set[tuple[int, str]]:
    """Return who is seen to have looked where."""
    answer: Any = SCRAM.view(state, None)["looked"]
    return {(entry["by"], named(entry["target"])) for entry in answer}


def named(target: dict[str, int]) -> str:
    if "seat" in target:
        return f"{target['seat']}.{target['index']}"
    return next(f"{kind}.{number}" for kind, number in target.items())


def listed(state: State, kind: str) -> list[Any]:
    """Return the choices of a type, as clients read them."""
    return [each.as_json() for each in SCRAM.choices(state, state.seat) if each.type == kind]


def types(state: State) -> set[str]:
    return {each.type for each in SCRAM.choices(state, state.seat)}


def moves_of(answer: Choice) -> Iterator[dict[str, Any]]:
    """Yield every move that a choice lists, without its optional fields."""
    listed = {name: field.values for name, field in answer.fields.items() if not field.optional}
    for values in product(*listed.values()):
        yield {"type": answer.type, **dict(zip(listed, values, strict=True))}

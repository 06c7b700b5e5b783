"""Tables of Scoops laid out by hand: a state in a line, and groups and moves in a few letters."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from games.engine.cards import Card, parse
from games.engine.chance import Chance
from games.engine.jsontypes import JsonObject
from games.rules.scoops import Scoops
from games.rules.scoops.contract import GOALS, RULES, SPECIALS, Contract
from games.rules.scoops.groups import check
from games.rules.scoops.moves import Group, Options
from games.rules.scoops.rounds import opened
from games.rules.scoops.state import IN_ORDER, Laid, Round, State

SCOOPS = Scoops()
FILLER = "2C 4D 6H 8S TC QD 3H 5S"
CHANCE = Chance(b"\x07" * 32)


def dice(goal: str, rule: str, special: str | None) -> tuple[int, ...]:
    """Return four dice that make these, in the order rolled."""
    total = SPECIALS.index(special) + 2
    low = max(1, total - 6)
    named = [[face.name for face in faces].index(name) for faces, name in ((RULES, rule), (GOALS, goal))]
    return (low, total - low, named[0] + 1, named[1] + 1)


def contract(goal: str = "Bowl", rule: str = "Vanilla", special: str | None = None) -> Contract:
    return Contract(
        special,
        next(face for face in RULES if face.name == rule),
        next(face for face in GOALS if face.name == goal),
    )


def cards_of(text: str) -> tuple[Card, ...]:
    return parse(text)


def table(
    goal: str = "Bowl",
    rule: str = "Vanilla",
    special: str | None = None,
    *hands: str,
    deck: str = "2D 3D 4D 5D",
    piles: Sequence[str] = (),
    options: Options | None = None,
    **changes: Any,
) -> State:
    """Return a state in which seat 0 has drawn; hands not given are filler, tops of piles last."""
    shown = hands if len(hands) > 1 else (*hands, *[FILLER] * (2 - len(hands)))
    seats = len(shown)
    state = opened(options or Options(), seats, CHANCE)
    given = Round(
        number=1,
        start=0,
        dice=dice(goal, rule, special),
        assigned=IN_ORDER,
        hands=tuple(map(parse, shown)),
        deck=parse(deck),
        discards=tuple(map(parse, piles)) or ((),) * seats,
        phase="play",
        seat=0,
        turn=1,
        penalties=(0,) * seats,
    )
    return replace(state, first=0, round=replace(given, **changes))


def group(text: str) -> Group:
    """Return the group of ``"book 7C 7D 7H"``."""
    kind, _, cards = text.partition(" ")
    return Group(kind, parse(cards))  # type: ignore[arg-type]


def groups(text: str) -> list[JsonObject]:
    """Return the JSON of ``"book 7C 7D 7H + run 2S 3S 4S"``, or no groups of no text."""
    parts = [part.strip().partition(" ") for part in text.split("+") if part.strip()]
    return [{"kind": kind, "cards": cards.split()} for kind, _, cards in parts]


def with_melds(state: State, *laid: tuple[int, str]) -> State:
    """Return the state with these groups on the table, each of a seat, numbered from 0."""
    made = tuple(_laid(state, number, seat, group(text)) for number, (seat, text) in enumerate(laid))
    return replace(state, round=replace(state.round, melds=made))


def _laid(state: State, number: int, seat: int, each: Group) -> Laid:
    contract = state.round.contract
    scoop = contract.is_scoop(each.kind, each.cards)
    return Laid(number, seat, each.kind, each.cards, check(contract, each), scoop)


def play(state: State, seat: int, **move: Any) -> State:
    """Return the state after the move with these fields; ``source`` stands for ``from``."""
    named = {{"source": "from"}.get(name, name): value for name, value in move.items()}
    return SCOOPS.step(state, seat, SCOOPS.read_move(named))


def on_table(state: State) -> list[tuple[int, str]]:
    """Return each laid group as seat and cards."""
    return [(laid.seat, " ".join(laid.cards)) for laid in state.round.melds]

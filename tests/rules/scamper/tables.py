"""Tables of Scamper laid out by hand: a state in a line, and melds and moves in a few letters."""

from dataclasses import replace
from typing import Any

import pytest

from games.engine.cards import parse
from games.engine.chance import Chance
from games.engine.jsontypes import JsonObject
from games.engine.refusals import Illegal
from games.rules.scamper import Scamper
from games.rules.scamper.moves import Group
from games.rules.scamper.options import Contract, Options
from games.rules.scamper.rounds import opened
from games.rules.scamper.state import Adjustment, Round, State, TableMeld

SCAMPER = Scamper()
CHANCE = Chance(b"\x07" * 32)
FILLER = "3C 5D 7H 9S JC KD 4H 6S"


def contract(text: str) -> Contract:
    """Return the contract of ``"set 3, run 4"``."""
    parts = [part.split() for part in text.split(",") if part]
    sizes = {kind: tuple(int(size) for each, size in parts if each == kind) for kind in ("set", "run")}
    return Contract(sizes["set"], sizes["run"])


def table(
    *hands: str,
    asked: str = "set 3",
    melds: str = "",
    down: tuple[int, ...] = (0,),
    stock: str = "3D 4D 5D 6D",
    discards: str = "9H TH",
    options: dict[str, Any] | None = None,
    rounds: int = 1,
    **changes: Any,
) -> State:
    """Return a state in which seat 0 of two or more has begun its turn; hands not given are filler.

    ``melds`` are separated by semicolons: ``"1 run 4H 5H 6H; 0 set 7C 7D 7S"`` is a meld of seat 1 and one of
    seat 0.
    """
    shown = (*hands, *[FILLER] * (2 - len(hands)))
    chosen = Options(contracts=(contract(asked),) * rounds, **(options or {}))
    given = Round(
        number=1,
        dealer=len(shown) - 1,
        seat=0,
        hands=tuple(map(parse, shown)),
        stock=parse(stock),
        discards=parse(discards),
        phase="play",
        melds=laid(melds),
        down=down,
    )
    start = opened(chosen, len(shown), CHANCE)
    return replace(start, round=replace(given, **changes))


def laid(text: str) -> tuple[TableMeld, ...]:
    parts = [part.split(maxsplit=2) for part in text.split(";") if part.strip()]
    return tuple(
        TableMeld(f"m{number}", int(seat), kind, parse(cards))  # type: ignore[arg-type]
        for number, (seat, kind, cards) in enumerate(parts, 1)
    )


def groups(text: str) -> list[JsonObject]:
    """Return the JSON of ``"set 7C 7D 7S + run 4H 5H 6H"``."""
    parts = [part.strip().partition(" ") for part in text.split("+")]
    return [{"kind": kind, "cards": cards.split()} for kind, _, cards in parts]


def group(text: str) -> Group:
    kind, _, cards = text.partition(" ")
    return Group(kind, parse(cards))  # type: ignore[arg-type]


def play(state: State, seat: int, kind: str, **fields: Any) -> State:
    """Return the state after the move."""
    return SCAMPER.step(state, seat, SCAMPER.read_move({"type": kind, **fields}))


def melds(state: State, text: str) -> State:
    """Return the state after seat 0 laid these melds."""
    return play(state, 0, "meld", melds=groups(text))


def lay_off(state: State, meld: str, cards: str, end: str | None = None) -> State:
    return play(state, 0, "lay_off", meld=meld, cards=cards.split(), **({"end": end} if end else {}))


def discard(state: State, card: str, seat: int = 0, **fields: Any) -> State:
    return play(state, seat, "discard", card=card, **fields)


def refusal(state: State, seat: int, kind: str, **fields: Any) -> str | None:
    """Return the rule that the refusal of a move quotes."""
    with pytest.raises(Illegal) as caught:
        play(state, seat, kind, **fields)
    assert caught.value.sentence
    return caught.value.rule


def hand(state: State, seat: int = 0) -> str:
    """Return a hand in order of its codes."""
    return " ".join(sorted(state.round.hands[seat]))


def on_table(state: State) -> list[str]:
    """Return the melds as `table` takes them."""
    return [f"{meld.seat} {meld.kind} {' '.join(meld.cards)}" for meld in state.round.melds]


def given(state: State) -> list[tuple[int, str, int]]:
    """Return the adjustments of the round that is played, or of the last one where it has just ended."""
    each: tuple[Adjustment, ...] = state.round.adjustments
    found = each or (state.rows[-1].adjustments if state.rows else ())
    return [(one.seat, one.name, one.points) for one in found]

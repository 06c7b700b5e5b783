"""Moves of Scamper in words, for the log: each is the rest of a sentence after the player's name."""

from collections.abc import Mapping
from typing import Final, assert_never

from games.engine.cards import show
from games.rules.scamper.moves import (
    Accept,
    Challenge,
    Concede,
    Decline,
    Discard,
    Draw,
    Group,
    LayOff,
    Meld,
    Move,
    Swap,
    Take,
)

PLAIN: Final[Mapping[type, str]] = {
    Take: "takes the discard",
    Draw: "draws from the stock",
    Accept: "accepts the discard and a card with it",
    Decline: "declines the discard",
    Challenge: "challenges the last turn",
    Concede: "lets it stand",
}


def describe(move: Move) -> str:
    """Return the move in words; cards from the stock are in no move."""
    match move:
        case Meld():
            return f"lays {', '.join(map(_group, move.melds))}"
        case LayOff():
            return f"adds {show(move.cards)} to {move.meld}" + (f", {move.end} end" if move.end else "")
        case Swap():
            return f"swaps {move.card} for the {move.wild} of {move.meld}"
        case Discard():
            return f"discards {move.card}" + (" and says Scamper" if move.scamper else "")
        case Take() | Draw() | Accept() | Decline() | Challenge() | Concede():
            return PLAIN[type(move)]
        case _:
            assert_never(move)


def _group(group: Group) -> str:
    return f"the {group.kind} {show(group.cards)}"

"""Moves in words: places and never cards, so that everyone may read them."""

from collections.abc import Sequence
from typing import assert_never

from games.rules.scram.moves import Act, At, Discard, Draw, Exchange, Move, Replace, Scram, Target


def describe(move: Move) -> str:
    """Return the move as the rest of a sentence that begins with the player's name."""
    match move:
        case Draw():
            return f"draws from the {'deck' if move.source == 'deck' else 'discard pile'}"
        case Replace():
            return f"replaces {_places(move.cards)}"
        case Discard():
            return "discards the drawn card"
        case Scram():
            return "declares Scram"
        case Act():
            return f"uses an action {_aim(move)}"
        case Exchange():
            return "exchanges the two cards" if move.do else "leaves the two cards where they are"
        case _:
            assert_never(move)


def _aim(move: Act) -> str:
    if move.seat is None:
        return f"on {_places(move.targets)}"
    if move.cards:
        going = _places([At(move.seat, index) for index in move.cards])
        return f"to discard {going} and puts the card there, at the {move.end}"
    return f"to put the card at the {move.end} of seat {move.seat}'s campsite"


def _places(targets: Sequence[Target]) -> str:
    *most, last = map(_place, targets)
    return f"{', '.join(most)} and {last}" if most else last


def _place(target: Target) -> str:
    if isinstance(target, At):
        return f"card {target.index} of seat {target.seat}"
    return "the deck's top card" if target.deck == 0 else f"card {target.deck} of the deck"

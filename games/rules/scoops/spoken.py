"""Moves of Scoops in words, for the log: each is the rest of a sentence after the player's name."""

from collections.abc import Sequence
from typing import assert_never

from games.engine.cards import show
from games.rules.scoops.moves import Assign, Discard, Draw, Float, Group, Keep, LayDown, Meld, Move


def describe(move: Move) -> str:
    """Return the move in words; seats and dice are named by their numbers."""
    match move:
        case Assign():
            return _assign(move)
        case Draw():
            return (
                "draws from the deck" if move.source == "deck" else f"takes the discard of seat {move.source}"
            )
        case LayDown():
            return f"lays down {_groups(move.groups)}{_with_discard(move)}"
        case Meld():
            return f"lays {_groups(move.groups)}"
        case Float():
            return f"floats {show(move.cards)} onto set {move.meld}{_at_end(move)}"
        case Discard():
            return _discard(move)
        case Keep():
            return "keeps the last card"
        case _:
            assert_never(move)


def _assign(move: Assign) -> str:
    first, second = (index + 1 for index in move.special)
    return (
        f"makes dice {first} and {second} the special, die {move.rule + 1} the rule"
        f" and die {move.goal + 1} the goal"
    )


def _groups(groups: Sequence[Group]) -> str:
    return ", ".join(f"the {group.kind} {show(group.cards)}" for group in groups)


def _with_discard(move: LayDown) -> str:
    return f" and discards {move.discard}" if move.discard else ""


def _at_end(move: Float) -> str:
    return f", {move.end} end" if move.end else ""


def _discard(move: Discard) -> str:
    said = f"discards {move.card}" + (" and knocks" if move.knock else "")
    return f"{said}, laying {_groups(move.melds)}" if move.melds else said

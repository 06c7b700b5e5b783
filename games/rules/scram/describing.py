"""Moves of Scram! in words that follow the player's name; they name positions, never hidden cards."""

from collections.abc import Sequence
from typing import assert_never

from games.engine.messages import Message, both, seat, text
from games.rules.scram.moves import Act, At, Discard, Draw, Exchange, Move, Replace, Scram, Target


def describe(move: Move) -> Message:
    """Return the move in words."""
    match move:
        case Draw():
            return (
                text("draws from the deck") if move.source == "deck" else text("draws from the discard pile")
            )
        case Replace():
            return text("replaces %(cards)s", cards=_targets(move.cards))
        case Discard():
            return text("discards the drawn card")
        case Scram():
            return text("declares Scram")
        case Act():
            return _act(move)
        case Exchange():
            return text("exchanges the two cards") if move.do else text("leaves the two cards where they are")
        case _:
            assert_never(move)


def _act(move: Act) -> Message:
    if move.seat is None:
        return text("uses an action on %(cards)s", cards=_targets(move.targets))
    if move.cards:
        return _clear(move.seat, move)
    whose = seat(move.seat)
    if move.end == "left":
        return text("uses an action to put the card at the left of %(seat)s's campsite", seat=whose)
    return text("uses an action to put the card at the right of %(seat)s's campsite", seat=whose)


def _clear(whose: int, move: Act) -> Message:
    cards = _targets([At(whose, index) for index in move.cards])
    if move.end == "left":
        return text("uses an action to discard %(cards)s and puts the card there, at the left", cards=cards)
    return text("uses an action to discard %(cards)s and puts the card there, at the right", cards=cards)


def _targets(targets: Sequence[Target]) -> str:
    return both([_target(target) for target in targets])


def _target(target: Target) -> Message:
    if isinstance(target, At):
        return text("card %(number)s of %(seat)s", number=target.index, seat=seat(target.seat))
    if target.deck == 0:
        return text("the deck's top card")
    return text("card %(number)s of the deck", number=target.deck)

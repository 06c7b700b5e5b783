"""Moves of a score card in words that follow the actor's name."""

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from games.engine.messages import Message, all_of, text
from games.rules.scamper.state import Called
from games.rules.scamper_scorecard.moves import Confirm, Correct, Enter, Held, Move

ADJUSTMENTS: Final[Mapping[Called, Message]] = {
    "first_dealer": text("first dealer"),
    "exact_deal": text("exact deal"),
    "misdeal": text("misdeal"),
    "wrong_meld": text("wrong meld"),
    "too_many_wilds": text("too many wild cards"),
    "wrong_challenge": text("wrong challenge"),
    "undeclared": text("Scamper not declared"),
    "advice": text("advice"),
}


def describe(move: Move) -> Message:
    """Return the move in words."""
    match move:
        case Enter():
            return text("enters deal %(round)s: %(points)s", round=move.round, points=_points(move.seats))
        case Correct():
            points = _points(move.seats)
            return text("corrects deal %(round)s: %(points)s", round=move.replaces, points=points)
        case Confirm():
            return text("confirms deal %(round)s", round=move.round)
        case _:
            assert_never(move)


def _points(seats: Sequence[Held]) -> str:
    return all_of([_points_of(held) for held in seats])


def _points_of(held: Held) -> str:
    """Return the points of a seat's cards and its adjustments, such as ``25 (misdeal)``."""
    cards = "–" if held.cards is None else str(held.cards)
    if not held.adjustments:
        return cards
    names = all_of([ADJUSTMENTS[name] for name in held.adjustments])
    return text("%(points)s (%(adjustments)s)", points=cards, adjustments=names)

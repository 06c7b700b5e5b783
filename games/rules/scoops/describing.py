"""Moves of Scoops in words that follow the player's name."""

from collections.abc import Sequence
from typing import assert_never

from games.engine import melds
from games.engine.cards import show
from games.engine.messages import Message, all_of, seat, text
from games.rules.scoops.moves import Assign, Discard, Draw, Float, Group, Keep, LayDown, Meld, Move


def describe(move: Move, by: int | None = None) -> Message:
    """Return the move of a seat in words; everything in a move is public."""
    match move:
        case Assign():
            return _assign(move)
        case Draw():
            return _draw(move, by)
        case LayDown():
            return _lay_down(move)
        case Meld():
            return text("lays %(groups)s", groups=_groups(move.groups))
        case Float():
            return _float(move)
        case Discard():
            return _discard(move)
        case Keep():
            return text("keeps the last card")
        case _:
            assert_never(move)


def button(move: Move) -> Message | None:
    """Return what a button says that makes the move, None where the name of its type says it."""
    match move:
        case Assign():
            return text("Assign the dice")
        case Draw(source="deck"):
            return text("Draw from the deck")
        case Float(end="low"):
            return text("Float %(cards)s at the low end", cards=show(move.cards))
        case Float(end="high"):
            return text("Float %(cards)s at the high end", cards=show(move.cards))
        case Discard(knock=True):
            return text("Discard and knock")
        case Keep():
            return text("Keep the last card")
        case Meld() | LayDown():
            return text("Lay down")
        case _:
            return None


def _assign(move: Assign) -> Message:
    first, second = (index + 1 for index in move.special)
    return text(
        "makes dice %(first)s and %(second)s the special, die %(rule)s the rule and die %(goal)s the goal",
        first=first,
        second=second,
        rule=move.rule + 1,
        goal=move.goal + 1,
    )


def _draw(move: Draw, by: int | None) -> Message:
    if move.source == "deck":
        return text("draws from the deck")
    if move.source == by:
        return text("takes the top card back from their own discard pile")
    return text("takes the discard of %(seat)s", seat=seat(move.source))


def _lay_down(move: LayDown) -> Message:
    groups = _groups(move.groups)
    if move.discard:
        return text("lays down %(groups)s and discards %(card)s", groups=groups, card=move.discard)
    return text("lays down %(groups)s", groups=groups)


def _groups(groups: Sequence[Group]) -> str:
    return all_of([melds.described(group.kind, group.cards) for group in groups])


def _float(move: Float) -> Message:
    cards, meld = show(move.cards), move.meld
    match move.end:
        case None:
            return text("floats %(cards)s onto set %(set)s", cards=cards, set=meld)
        case "low":
            return text("floats %(cards)s onto set %(set)s, low end", cards=cards, set=meld)
        case "high":
            return text("floats %(cards)s onto set %(set)s, high end", cards=cards, set=meld)
        case _:
            assert_never(move.end)


def _discard(move: Discard) -> Message:
    card, groups = move.card, _groups(move.melds)
    if move.knock and move.melds:
        return text("discards %(card)s and knocks, laying %(groups)s", card=card, groups=groups)
    if move.knock:
        return text("discards %(card)s and knocks", card=card)
    if move.melds:
        return text("discards %(card)s, laying %(groups)s", card=card, groups=groups)
    return text("discards %(card)s", card=card)

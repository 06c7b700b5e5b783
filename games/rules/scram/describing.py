"""Moves of Scram! that can be made, in words that follow the player's name: positions, never hidden cards."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from games.engine.messages import Message, all_of, both, seat, text
from games.rules.scram.cards import total
from games.rules.scram.moves import Act, At, Discard, Draw, End, Exchange, Move, Replace, Scram, Target
from games.rules.scram.state import State
from games.rules.scram.turns import surely_match


def describe(move: Move) -> Message:
    """Return the move in words."""
    match move:
        case Draw():
            return (
                text("draws from the deck") if move.source == "deck" else text("draws from the discard pile")
            )
        case Replace():
            return _replace(move)
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


def button(state: State, move: Move) -> Message:
    """Return what a button says that makes the move."""
    match move:
        case Draw():
            return text("Draw from the deck") if move.source == "deck" else text("Draw from the discard pile")
        case Replace(cards, end=end) if end and not surely_match(state.table, cards):
            if end == "left":
                return text("Replace; if they don't match, add it at the left")
            return text("Replace; if they don't match, add it at the right")
        case Discard():
            return text("Discard the drawn card")
        case Scram():
            return text("Declare Scram")
        case Act(seat=None):
            return text("Use the action")
        case Act():
            return _put_button(move)
        case Exchange():
            return text("Exchange the two cards") if move.do else text("Leave the two cards")
        case Replace():
            return text("Replace")
        case _:
            assert_never(move)


def command(state: State, move: Move) -> Message:
    """Return what a list says of a move: it names the cards that a button leaves to the table."""
    match move:
        case Replace():
            return _replace_command(move)
        case Act(seat=None):
            return text("Use the action on %(cards)s", cards=_targets(move.targets))
        case Act(cards=cards) if cards:
            where = [At(move.seat or 0, index) for index in cards]
            return text("%(put)s: %(cards)s", put=_put_button(move), cards=_targets(where))
        case _:
            return button(state, move)


def _replace_command(move: Replace) -> Message:
    cards = _targets(move.cards)
    if move.end is None:
        return text("Replace %(cards)s", cards=cards)
    if move.slot is None:
        matched = text("Replace %(cards)s if they match", cards=cards)
    else:
        matched = text("Replace %(cards)s in place %(slot)s if they match", cards=cards, slot=move.slot + 1)
    ends = all_of([described_end(end) for end in (move.end, *move.extra_ends)])
    return text("%(replace)s, or else add at %(ends)s", replace=matched, ends=ends)


def tap(move: Move) -> Message | None:
    """Return what a campsite says whose tap puts the card there, None for any other move."""
    return text("Put here: left or right") if isinstance(move, Act) and move.seat is not None else None


def _put_button(move: Act) -> Message:
    if move.cards:
        at_left, at_right = text("Discard them, 9 at the left"), text("Discard them, 9 at the right")
    else:
        whose = seat(move.seat or 0)
        at_left = text("Put it at the left of %(seat)s's campsite", seat=whose)
        at_right = text("Put it at the right of %(seat)s's campsite", seat=whose)
    return at_left if move.end == "left" else at_right


def _replace(move: Replace) -> Message:
    cards = _targets(move.cards)
    if move.end is None:
        return text("replaces %(cards)s", cards=cards)
    if move.slot is None:
        matched = text("replaces %(cards)s if they match", cards=cards)
    else:
        matched = text("replaces %(cards)s in place %(slot)s if they match", cards=cards, slot=move.slot + 1)
    end, extra = described_end(move.end), all_of([described_end(end) for end in move.extra_ends])
    if not move.extra_ends:
        return text("%(replaces)s, or else adds at %(end)s", replaces=matched, end=end)
    return text(
        "%(replaces)s, or else adds at %(end)s, then at %(extra)s", replaces=matched, end=end, extra=extra
    )


def legends(state: State) -> Mapping[str, Message]:
    """Return what lies open in each campsite, and how many cards are hidden, in words and in short.

    A ``=`` counts as the lowest number that lies open beside it.
    """
    named: dict[str, Message] = {}
    for at, campsite in enumerate(state.table.campsites):
        up = [state.table.face(lying) for lying in campsite if lying.up]
        points, hidden = total(up), len(campsite) - len(up)
        named[f"campsite:{at}"] = text("face up: %(sum)s, face down: %(hidden)s", sum=points, hidden=hidden)
        tally = text("%(sum)s + %(hidden)s?", sum=points, hidden=hidden)
        named[f"tally:{at}"] = tally if hidden else text("%(sum)s", sum=points)
    return named


def described_end(end: End) -> Message:
    """Return an end of a row in words."""
    return text("the left") if end == "left" else text("the right")


def _act(move: Act) -> Message:
    if move.seat is None:
        return text("uses an action on %(cards)s", cards=_targets(move.targets))
    if move.cards:
        return _clear(move.seat, move)
    whose, end = seat(move.seat), described_end(move.end or "left")
    return text("uses an action to put the card at %(end)s of %(seat)s's campsite", seat=whose, end=end)


def _clear(whose: int, move: Act) -> Message:
    cards, end = _targets([At(whose, index) for index in move.cards]), described_end(move.end or "left")
    return text(
        "uses an action to discard %(cards)s and puts the card there, at %(end)s", cards=cards, end=end
    )


def _targets(targets: Sequence[Target]) -> str:
    return both([described_target(target) for target in targets])


def described_target(target: Target) -> Message:
    """Return a card of a campsite or the deck in words."""
    if isinstance(target, At):
        return text("card %(number)s of %(seat)s", number=target.index + 1, seat=seat(target.seat))
    if target.deck == 0:
        return text("the deck's top card")
    return text("card %(number)s from the top of the deck", number=target.deck + 1)

"""Moves of Scamper in words that follow the player's name."""

from collections.abc import Mapping
from typing import Final, assert_never

from games.engine import melds
from games.engine.cards import show
from games.engine.messages import Message, all_of, text
from games.rules.scamper import moves
from games.rules.scamper.moves import Laying, LayOff, Meld, Move, Swap

WITHOUT_FIELDS: Final[Mapping[type, Message]] = {
    moves.Take: text("takes the discard"),
    moves.Draw: text("draws from the stock"),
    moves.Accept: text("accepts the discard and a card with it"),
    moves.Decline: text("declines the discard"),
    moves.Challenge: text("challenges the last turn"),
    moves.Concede: text("lets the last turn stand"),
}


BUTTONS: Final[Mapping[type, Message]] = {
    Meld: text("Lay down"),
    moves.Take: text("Take the discard"),
    moves.Draw: text("Draw from the stock"),
    moves.Accept: text("Accept the discard and a card with it"),
    moves.Decline: text("Decline the discard"),
    moves.Challenge: text("Challenge the last turn"),
    moves.Concede: text("Let the last turn stand"),
}


def button(move: Move) -> Message | None:
    """Return what a button says that makes the move, None where the name of its type says it."""
    match move:
        case LayOff(end="low"):
            return text("Add %(cards)s at the low end", cards=show(move.cards))
        case LayOff(end="high"):
            return text("Add %(cards)s at the high end", cards=show(move.cards))
        case Swap():
            return text("Swap %(card)s for the %(wild)s", card=move.card, wild=move.wild)
        case moves.Discard(scamper=True):
            return text("Discard and say Scamper")
        case _:
            return BUTTONS.get(type(move))


def describe(move: Move) -> Message:
    """Return the move in words; everything in a move is public."""
    match move:
        case Meld():
            return text("lays %(melds)s", melds=in_words(move))
        case LayOff():
            return _lay_off(move)
        case Swap():
            return text(
                "swaps %(card)s for the %(wild)s of %(meld)s", card=move.card, wild=move.wild, meld=move.meld
            )
        case moves.Discard(scamper=True):
            return text("discards %(card)s and says Scamper", card=move.card)
        case moves.Discard():
            return text("discards %(card)s", card=move.card)
        case _:
            return WITHOUT_FIELDS[type(move)]


def in_words(move: Laying) -> str:
    """Return what a move lays, within a sentence: ``the set 9C 9D 9H``, ``9S on m1``."""
    match move:
        case Meld():
            return all_of([melds.described(group.kind, group.cards) for group in move.melds])
        case LayOff():
            return text("%(cards)s on %(meld)s", cards=show(move.cards), meld=move.meld)
        case Swap():
            return text(
                "the swap of %(card)s for the %(wild)s of %(meld)s",
                card=move.card,
                wild=move.wild,
                meld=move.meld,
            )
        case _:
            assert_never(move)


def _lay_off(move: LayOff) -> Message:
    cards, meld = show(move.cards), move.meld
    match move.end:
        case None:
            return text("adds %(cards)s to %(meld)s", cards=cards, meld=meld)
        case "low":
            return text("adds %(cards)s to %(meld)s, low end", cards=cards, meld=meld)
        case "high":
            return text("adds %(cards)s to %(meld)s, high end", cards=cards, meld=meld)
        case _:
            assert_never(move.end)

"""Moves of Scamper in words that follow the player's name."""

from collections.abc import Mapping
from typing import Final, assert_never

from games.engine import cards
from games.engine.cards import Card, Lying, show
from games.engine.cards import legends as melds_in_words
from games.engine.messages import Message, all_of, text
from games.rules.scamper import moves
from games.rules.scamper.judging import reading
from games.rules.scamper.moves import Laying, LayOff, Meld, Move, Swap
from games.rules.scamper.state import Round, State, scamper_due

WITHOUT_FIELDS: Final[Mapping[type, Message]] = {
    moves.Take: text("takes the discard"),
    moves.Draw: text("chooses to draw from the stock"),
    moves.Accept: text("accepts the discard and a card with it"),
    moves.Decline: text("declines the discard"),
    moves.Challenge: text("challenges the last turn"),
    moves.Concede: text("lets the last turn stand"),
}
ANSWERS: Final[Mapping[type, Message]] = {
    moves.Challenge: text("Challenge the last turn"),
    moves.Concede: text("Let the last turn stand"),
}


TAPS: Final[Mapping[type, Message]] = {
    moves.Take: text("Take"),
    moves.Draw: text("Draw"),
    moves.Accept: text("Take, with one more card"),
    LayOff: text("Lay off here"),
    Swap: text("Swap here"),
    moves.Discard: text("Discard here"),
}
"""What a pile or a meld says whose tap makes the move."""


def button(move: Move) -> Message | None:
    """Return what a button says beside the cards that it lays, None where it says the command."""
    return text("Lay down") if isinstance(move, Meld) else None


def command(state: State, seat: int, move: Move) -> Message:
    """Return what a seat would do by a move, naming what lies on the table."""
    match move:
        case Meld():
            return text("Lay down %(melds)s", melds=in_words(move))
        case LayOff():
            return _lay_off_command(move, legends(state, seat)[f"meld:{move.meld}"])
        case Swap():
            meld = legends(state, seat)[f"meld:{move.meld}"]
            return text(
                "Give %(card)s to %(meld)s and take %(wild)s", card=move.card, wild=move.wild, meld=meld
            )
        case moves.Discard(scamper=True):
            return text("Discard %(card)s and say Scamper", card=move.card)
        case moves.Discard():
            if scamper_due(state.round, state.options):
                return text("Discard %(card)s without saying Scamper", card=move.card)
            return text("Discard %(card)s", card=move.card)
        case _:
            return _plain_command(state.round, move)


def _plain_command(table: Round, move: Move) -> Message:
    card = table.discards[-1] if table.discards else ""
    match move:
        case moves.Take():
            return text("Take %(card)s from the discard pile", card=card)
        case moves.Draw():
            return text("Leave %(card)s and draw", card=card) if card else text("Draw from the stock")
        case moves.Accept():
            return text("Take %(card)s and a card from the stock", card=card)
        case moves.Decline():
            return text("Decline %(card)s", card=card)
        case _:
            return ANSWERS[type(move)]


def legends(state: State, viewer: int | None) -> Mapping[str, Message]:
    """Return what the melds on the table are, and the contract."""
    lying = {
        f"meld:{meld.id}": Lying(
            meld.seat, meld.kind, meld.cards, reading(meld.kind, meld.cards, state.options)
        )
        for meld in state.round.melds
    }
    return melds_in_words(lying, state.options.run_order, viewer)


def describe(move: Move) -> Message:
    """Return the move in words; everything in a move is public."""
    match move:
        case Meld():
            return text("lays %(melds)s", melds=in_words(move))
        case LayOff():
            return _lay_off(move)
        case Swap():
            return text("swaps %(card)s for the wild card %(wild)s", card=move.card, wild=move.wild)
        case moves.Discard(scamper=True):
            return text("discards %(card)s and says Scamper", card=move.card)
        case moves.Discard():
            return text("discards %(card)s", card=move.card)
        case _:
            return WITHOUT_FIELDS[type(move)]


def taken(before: State, move: Move) -> Card | None:
    """Return the card that a move takes from the discard pile, which everybody saw there; None for others."""
    return before.round.discards[-1] if isinstance(move, moves.Take | moves.Accept) else None


def told(move: Move, card: Card | None) -> Message:
    """Return a move that was made in words, with the card that was `taken`."""
    if card is None:
        return describe(move)
    if isinstance(move, moves.Accept):
        return text("takes %(card)s from the discard pile and a card from the stock", card=card)
    return text("takes %(card)s from the discard pile", card=card)


def in_words(move: Laying) -> str:
    """Return what a move lays, within a sentence: ``the set 9C 9D 9H``, ``9S as laid off``."""
    match move:
        case Meld():
            return all_of([cards.described(group.kind, group.cards) for group in move.melds])
        case LayOff():
            return text("%(cards)s as laid off", cards=show(move.cards))
        case Swap():
            return text("the swap of %(card)s for %(wild)s", card=move.card, wild=move.wild)
        case _:
            assert_never(move)


def _lay_off(move: LayOff) -> Message:
    cards = show(move.cards)
    match move.end:
        case None:
            return text("lays off %(cards)s onto a set", cards=cards)
        case "low":
            return text("lays off %(cards)s onto the low end of a run", cards=cards)
        case "high":
            return text("lays off %(cards)s onto the high end of a run", cards=cards)
        case _:
            assert_never(move.end)


def _lay_off_command(move: LayOff, meld: Message) -> Message:
    cards = show(move.cards)
    match move.end:
        case None:
            return text("Lay off %(cards)s onto %(meld)s", cards=cards, meld=meld)
        case "low":
            return text("Lay off %(cards)s onto %(meld)s, at the low end", cards=cards, meld=meld)
        case "high":
            return text("Lay off %(cards)s onto %(meld)s, at the high end", cards=cards, meld=meld)
        case _:
            assert_never(move.end)

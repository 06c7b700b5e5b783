"""Moves of Scoops in words that follow the player's name."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from games.engine import cards
from games.engine.cards import Card, Lying, show
from games.engine.cards import legends as melds_in_words
from games.engine.messages import Message, all_of, text
from games.engine.messages import seat as of_seat
from games.rules.scoops import dice
from games.rules.scoops.moves import Assign, Discard, Draw, Float, Group, Keep, Knock, LayDown, Meld, Move
from games.rules.scoops.state import Round, State


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
        case Knock():
            return _knock(move)
        case _:
            assert_never(move)


def taken(before: State, move: Move) -> Card | None:
    """Return the card that a move takes from a discard pile, which everybody saw there; None for others."""
    if isinstance(move, Draw) and move.source != "deck":
        return before.round.discards[move.source][-1]
    return None


def told(move: Move, by: int | None, card: Card | None) -> Message:
    """Return a move that was made in words, with the card that was `taken`."""
    if card is None or not isinstance(move, Draw) or move.source == "deck":
        return describe(move, by)
    if move.source == by:
        return text("takes %(card)s from their own discard pile", card=card)
    return text("takes %(card)s from the discard pile of %(seat)s", card=card, seat=of_seat(move.source))


def button(move: Move) -> Message | None:
    """Return what a button says beside the cards that it lays, None where it says the command."""
    match move:
        case Discard(knock=True):
            return text("Discard %(card)s and knock", card=move.card)
        case Discard():
            return text("Discard %(card)s", card=move.card)
        case Meld() | LayDown():
            return text("Lay down")
        case Knock():
            return text("Knock")
        case _:
            return None


def tap(move: Move) -> Message | None:
    """Return what a pile or a set says whose tap makes the move."""
    match move:
        case Draw(source="deck"):
            return text("Draw")
        case Draw():
            return text("Take")
        case Float():
            return text("Float here")
        case LayDown():
            return text("Discard here and lay down")
        case Discard():
            return text("Discard here")
        case _:
            return None


def command(state: State, seat: int, move: Move) -> Message:
    """Return what a seat would do by a move, naming what lies on the table."""
    match move:
        case Assign():
            return dice.in_words(state.round.dice, move)
        case Draw():
            return _draw_command(state.round, seat, move)
        case LayDown(discard=None) | Meld():
            return text("Lay down %(groups)s", groups=_groups(move.groups))
        case LayDown():
            return text(
                "Lay down %(groups)s and discard %(card)s",
                groups=_groups(move.groups),
                card=str(move.discard),
            )
        case Float():
            return _float_command(state, seat, move)
        case Discard():
            return _discard_command(move)
        case Keep():
            return text("Keep the last card")
        case Knock(melds=()):
            return text("Knock")
        case Knock():
            return text("Knock and lay %(groups)s", groups=_groups(move.melds))
        case _:
            assert_never(move)


def legends(state: State, viewer: int | None) -> Mapping[str, Message]:
    """Return what the sets on the table are, what the dice can be, and what the contract means."""
    table = state.round
    lying = {f"meld:{laid.id}": Lying(laid.seat, laid.kind, laid.cards, laid.reading) for laid in table.melds}
    named = melds_in_words(lying, table.contract.rule.order, viewer)
    if table.assigned is None:
        return {**named, **{f"die:{at}": dice.legend(pips) for at, pips in enumerate(table.dice)}}
    special = {"special": counts} if (counts := table.contract.special_counts) else {}
    return {**named, "rule": table.contract.rule.means, "goal": table.contract.goal.asks, **special}


def _draw_command(table: Round, seat: int, move: Draw) -> Message:
    if move.source == "deck":
        return text("Draw from the deck")
    (*_, card) = table.discards[move.source]
    if move.source == seat:
        return text("Take %(card)s from your own discard pile", card=card)
    return text("Take %(card)s from the discard pile of %(seat)s", card=card, seat=of_seat(move.source))


def _float_command(state: State, seat: int, move: Float) -> Message:
    cards, meld = show(move.cards), legends(state, seat)[f"meld:{move.meld}"]
    match move.end:
        case None:
            return text("Float %(cards)s onto %(meld)s", cards=cards, meld=meld)
        case "low":
            return text("Float %(cards)s onto %(meld)s, at the low end", cards=cards, meld=meld)
        case "high":
            return text("Float %(cards)s onto %(meld)s, at the high end", cards=cards, meld=meld)
        case _:
            assert_never(move.end)


def _discard_command(move: Discard) -> Message:
    card, groups = move.card, _groups(move.melds)
    if move.knock and move.melds:
        return text("Discard %(card)s, knock and lay %(groups)s", card=card, groups=groups)
    if move.knock:
        return text("Discard %(card)s and knock", card=card)
    if move.melds:
        return text("Discard %(card)s and lay %(groups)s", card=card, groups=groups)
    return text("Discard %(card)s", card=card)


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
        return text("takes the top card of their own discard pile")
    return text("takes the discard of %(seat)s", seat=of_seat(move.source))


def _lay_down(move: LayDown) -> Message:
    groups = _groups(move.groups)
    if move.discard:
        return text("lays down %(groups)s and discards %(card)s", groups=groups, card=move.discard)
    return text("lays down %(groups)s", groups=groups)


def _groups(groups: Sequence[Group]) -> str:
    return all_of([cards.described(group.kind, group.cards) for group in groups])


def _float(move: Float) -> Message:
    cards = show(move.cards)
    match move.end:
        case None:
            return text("floats %(cards)s onto a book", cards=cards)
        case "low":
            return text("floats %(cards)s onto the low end of a run", cards=cards)
        case "high":
            return text("floats %(cards)s onto the high end of a run", cards=cards)
        case _:
            assert_never(move.end)


def _knock(move: Knock) -> Message:
    if move.melds:
        return text("knocks, laying %(groups)s", groups=_groups(move.melds))
    return text("knocks")


def _discard(move: Discard) -> Message:
    card, groups = move.card, _groups(move.melds)
    if move.knock and move.melds:
        return text("discards %(card)s and knocks, laying %(groups)s", card=card, groups=groups)
    if move.knock:
        return text("discards %(card)s and knocks", card=card)
    if move.melds:
        return text("discards %(card)s, laying %(groups)s", card=card, groups=groups)
    return text("discards %(card)s", card=card)

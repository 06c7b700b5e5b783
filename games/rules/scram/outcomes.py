"""Moves of Scram! that were made, in words: what everybody saw them bring."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from games.engine.messages import Message, both, plural, seat, text
from games.rules.scram.actions import ACTIONS
from games.rules.scram.cards import different
from games.rules.scram.describing import described_end, described_target
from games.rules.scram.moves import MOST_ADDED, Act, At, Discard, Draw, Exchange, Move, Replace, Scram, Target
from games.rules.scram.state import State
from games.rules.scram.turns import extra_cards


@dataclass(frozen=True)
class Outcome:
    """What everybody saw a move bring.

    ``card`` is the card that was taken, discarded or used for its action, None while nobody else has seen it.
    ``faces`` are the cards that the move turned up or discarded, in its order. ``added`` counts the cards of
    the deck that a failed match added. ``under_way`` are the targets that the action had before, and
    ``going_on`` says whether it goes on.
    """

    card: str | None = None
    faces: tuple[str, ...] = ()
    added: int = 0
    under_way: tuple[Target, ...] = ()
    going_on: bool = False


def outcome(before: State, move: Move, after: State) -> Outcome | None:
    """Return what everybody saw a move bring, None where the move says it all."""
    match move:
        case Draw():
            return Outcome(before.table.faces[before.table.discard[-1]]) if move.source == "discard" else None
        case Discard():
            return Outcome(_in_hand(before))
        case Replace():
            return _of_replace(before, move)
        case Act():
            return _of_act(before, move, going_on=after.acting is not None)
        case Exchange():
            return Outcome(under_way=before.acting.targets) if before.acting else None
        case Scram():
            return None
        case _:
            assert_never(move)


def _in_hand(state: State) -> str | None:
    drawn = state.table.drawn
    return state.table.faces[drawn.card] if drawn else None


def _of_replace(before: State, move: Replace) -> Outcome:
    table = before.table
    faces = tuple(table.face(table.card_at(at)) for at in move.cards)
    added = min(extra_cards(different(faces)), len(table.deck))
    return Outcome(_in_hand(before) if table.drawn and table.drawn.taken else None, faces, added)


def _of_act(before: State, move: Act, *, going_on: bool) -> Outcome:
    table, acting = before.table, before.acting
    card = acting.card if acting else _in_hand(before) or ""
    shown = [At(move.seat, index) for index in move.cards] if move.seat is not None else []
    if ACTIONS[card].deed == "turn up":
        shown = [target for target in move.targets if isinstance(target, At)]
    faces = tuple(table.face(table.card_at(at)) for at in shown)
    return Outcome(card, faces, under_way=acting.targets if acting else (), going_on=going_on)


def told(move: Move, by: int | None, outcome: Outcome) -> Message:
    """Return a move that a seat made, with its outcome, in words that follow the player's name."""
    match move:
        case Draw():
            return text("takes the %(card)s from the discard pile", card=outcome.card or "")
        case Discard():
            return text("discards the %(card)s", card=outcome.card or "")
        case Replace():
            return _replaced(move, by, outcome)
        case Act():
            return _acted(move, by, outcome)
        case Exchange():
            cards = _places(outcome.under_way, by)
            if move.do:
                return text("exchanges %(cards)s", cards=cards)
            return text("leaves %(cards)s where they are", cards=cards)
        case Scram():
            return text("declares Scram")
        case _:
            assert_never(move)


def _replaced(move: Replace, by: int | None, outcome: Outcome) -> Message:
    new = text("the drawn card")
    if outcome.card is not None:
        new = text("the %(card)s of the discard pile", card=outcome.card)
    cards = _shown_at(move.cards, by, outcome)
    if len(move.cards) == 1:
        return text("replaces %(cards)s with %(new)s", cards=cards, new=new)
    if different(outcome.faces) > 1:
        return _mismatched(move, outcome, cards, new)
    place = move.cards[0] if move.slot is None else At(move.cards[0].seat, move.slot)
    return text(
        "turns up %(cards)s: they match and are discarded, and %(new)s takes the place of %(place)s",
        cards=cards,
        new=new,
        place=_place(place, by),
    )


def _mismatched(move: Replace, outcome: Outcome, cards: str, new: Message) -> Message:
    end = move.end or "left"
    said = text(
        "turns up %(cards)s: they don't match and stay face up, and %(new)s is added at %(end)s",
        cards=cards,
        new=new,
        end=described_end(end),
    )
    if not outcome.added:
        return said
    ends = dict.fromkeys([*move.extra_ends, *[end] * MOST_ADDED][: outcome.added])
    return plural(
        "%(said)s, with %(count)s card of the deck, at %(ends)s",
        "%(said)s, with %(count)s cards of the deck, at %(ends)s",
        outcome.added,
        said=said,
        ends=both([described_end(each) for each in ends]),
    )


def _acted(move: Act, by: int | None, outcome: Outcome) -> Message:
    card = outcome.card or ""
    deed = _deed(move, by, outcome)
    if outcome.under_way:
        return text("goes on with the %(card)s: %(deed)s", card=card, deed=deed)
    return text("uses the %(card)s: %(deed)s", card=card, deed=deed)


def _deed(move: Act, by: int | None, outcome: Outcome) -> Message:
    row = ACTIONS[outcome.card or ""]
    match row.deed:
        case "look":
            return text("looks at %(cards)s", cards=_places(move.targets, by))
        case "look and exchange":
            return _looked(move, by, outcome)
        case "turn up":
            places = [target for target in move.targets if isinstance(target, At)]
            return text("turns up %(cards)s", cards=_shown_at(places, by, outcome))
        case "exchange":
            return text("exchanges %(cards)s, unseen", cards=_places(move.targets, by))
        case "clear":
            return _cleared(move, by, outcome)
        case "place":
            return text("puts it at %(end)s of %(campsite)s, face up", **_end_of(move, by))
        case _:
            assert_never(row.deed)


def _looked(move: Act, by: int | None, outcome: Outcome) -> Message:
    cards = _places(move.targets, by)
    if not outcome.going_on and len(outcome.under_way) + len(move.targets) > 1:
        return text("looks at %(cards)s; two cards of one campsite stay", cards=cards)
    return text("looks at %(cards)s", cards=cards)


def _cleared(move: Act, by: int | None, outcome: Outcome) -> Message:
    places = [At(move.seat or 0, index) for index in move.cards]
    return text(
        "discards %(cards)s and puts the 9 at %(end)s of %(campsite)s, face up",
        cards=_shown_at(places, by, outcome),
        **_end_of(move, by),
    )


def _end_of(move: Act, by: int | None) -> dict[str, Message]:
    whose = text("their own campsite") if move.seat == by else _campsite(move.seat or 0)
    return {"end": described_end(move.end or "left"), "campsite": whose}


def _campsite(number: int) -> Message:
    return text("the campsite of %(seat)s", seat=seat(number))


def _shown_at(places: Sequence[At], by: int | None, outcome: Outcome) -> str:
    """Return places with the cards that lay there."""
    shown = zip(places, outcome.faces, strict=True)
    return both([text("%(place)s (%(card)s)", place=_place(at, by), card=face) for at, face in shown])


def _places(targets: Sequence[Target], by: int | None) -> str:
    return both([_place(target, by) for target in targets])


def _place(target: Target, by: int | None) -> Message:
    if isinstance(target, At) and target.seat == by:
        return text("their own card %(number)s", number=target.index + 1)
    return described_target(target)

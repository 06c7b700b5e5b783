"""Moves of Scram! that were made, in words: what everybody saw them bring."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import assert_never

from games.engine.messages import Message, both, plural, seat, text
from games.engine.values import replace
from games.rules.scram.actions import ACTIONS
from games.rules.scram.cards import different
from games.rules.scram.describing import described_end, described_target
from games.rules.scram.moves import (
    MOST_ADDED,
    Act,
    At,
    Discard,
    Draw,
    End,
    Exchange,
    Move,
    Replace,
    Scram,
    Target,
    Top,
)
from games.rules.scram.state import State
from games.rules.scram.turns import extra_cards


@dataclass(frozen=True)
class Outcome:
    """What everybody saw a move bring.

    ``card`` is the card that was taken, discarded or used for its action, None while nobody else has seen it.
    ``faces`` are the cards that the move turned up or discarded, in its order. ``added`` counts the cards of
    the deck that a failed match added. ``under_way`` are the targets that the action had before, and
    ``going_on`` says whether it goes on. ``touched`` are the places that it was about, as they are now; with
    ``exchanged`` the cards of these two have taken each other's places.
    """

    card: str | None = None
    faces: tuple[str, ...] = ()
    added: int = 0
    under_way: tuple[Target, ...] = ()
    going_on: bool = False
    touched: tuple[Target, ...] = ()
    exchanged: bool = False


def outcome(before: State, move: Move, after: State) -> Outcome | None:
    """Return what everybody saw a move bring, None where the move says it all."""
    found = _brought(before, move, after)
    if found is None or len(after.rows) > len(before.rows):
        return found
    return replace(found, touched=_touched(move, found, after))


def _brought(before: State, move: Move, after: State) -> Outcome | None:
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
            return Outcome(under_way=before.acting.targets, exchanged=move.do) if before.acting else None
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
    deed = before.game.actions[card].deed
    if deed == "turn up":
        shown = [target for target in move.targets if isinstance(target, At)]
    faces = tuple(table.face(table.card_at(at)) for at in shown)
    under_way = acting.targets if acting else ()
    return Outcome(card, faces, under_way=under_way, going_on=going_on, exchanged=deed == "exchange")


def _touched(move: Move, found: Outcome, after: State) -> tuple[Target, ...]:
    match move:
        case Replace():
            return _replaced_at(move, found, len(after.table.campsites[move.cards[0].seat]))
        case Act(seat=None):
            return move.targets
        case Act():
            whose = move.seat or 0
            last = len(after.table.campsites[whose]) - 1
            return (At(whose, 0 if move.end == "left" else last),)
        case Exchange():
            return found.under_way
        case _:
            return ()


def _replaced_at(move: Replace, found: Outcome, length: int) -> tuple[Target, ...]:
    """Return where the cards of a `Replace` lie, in a campsite that has so many cards now."""
    own = move.cards[0].seat
    if different(found.faces) <= 1:
        slot = move.cards[0].index if move.slot is None else move.slot
        return (At(own, slot - sum(at.seat == own and at.index < slot for at in move.cards)),)
    ends = _ends(move, found)
    left = ends.count("left")
    moved = [At(own, at.index + left) if at.seat == own else at for at in move.cards]
    new = left - 1 if ends[0] == "left" else length - ends.count("right")
    return (*moved, At(own, new))


def _ends(move: Replace, found: Outcome) -> list[End]:
    """Return where the new card was added, and then each card of the deck."""
    end = move.end or "left"
    return [end, *[*move.extra_ends, *[end] * MOST_ADDED][: found.added]]


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
        place=_of_campsite(place.seat, [str(place.index + 1)], by),
    )


def _mismatched(move: Replace, outcome: Outcome, cards: str, new: Message) -> Message:
    end, *ends = _ends(move, outcome)
    said = text(
        "turns up %(cards)s: they don't match and stay face up, and %(new)s is added at %(end)s",
        cards=cards,
        new=new,
        end=described_end(end),
    )
    if not ends:
        return said
    return plural(
        "%(said)s, with %(count)s card of the deck, at %(ends)s",
        "%(said)s, with %(count)s cards of the deck, at %(ends)s",
        outcome.added,
        said=said,
        ends=both([described_end(each) for each in dict.fromkeys(ends)]),
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
            return text(
                "puts it at %(end)s of %(campsite)s, face up",
                end=described_end(move.end or "left"),
                campsite=_campsite(move, by),
            )
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
        end=described_end(move.end or "left"),
        campsite=_campsite(move, by),
    )


def _campsite(move: Act, by: int | None) -> Message:
    if move.seat == by:
        return text("their own campsite")
    return text("the campsite of %(seat)s", seat=seat(move.seat or 0))


def _shown_at(places: Sequence[At], by: int | None, outcome: Outcome) -> str:
    """Return places with the cards that lay there."""
    numbered = [
        text("%(number)s (%(card)s)", number=at.index + 1, card=face)
        for at, face in zip(places, outcome.faces, strict=True)
    ]
    return _grouped([(at.seat, number) for at, number in zip(places, numbered, strict=True)], by)


def _grouped(places: Sequence[tuple[int, str]], by: int | None) -> str:
    """Return cards by their numbers, those of one campsite that follow each other together."""
    groups = [(seat, [number for _, number in cards]) for seat, cards in groupby(places, key=itemgetter(0))]
    return both([_of_campsite(seat, numbers, by) for seat, numbers in groups])


def _of_campsite(whose: int, numbers: Sequence[str], by: int | None) -> Message:
    listed = both(numbers)
    if whose == by:
        return plural(
            "their own card %(numbers)s", "their own cards %(numbers)s", len(numbers), numbers=listed
        )
    return plural(
        "card %(numbers)s of %(seat)s",
        "cards %(numbers)s of %(seat)s",
        len(numbers),
        numbers=listed,
        seat=seat(whose),
    )


def _places(targets: Sequence[Target], by: int | None) -> str:
    """Return cards of campsites, and after them those of the deck."""
    camped = [(at.seat, str(at.index + 1)) for at in targets if isinstance(at, At)]
    deck = [described_target(top) for top in targets if isinstance(top, Top)]
    return both([*([_grouped(camped, by)] if camped else []), *deck])


def names_touched(outcome: Outcome) -> tuple[str, ...]:
    """Return the names of the things on the table that a move was about."""
    return tuple(
        f"at:{target.seat}.{target.index}" if isinstance(target, At) else f"top:{target.deck}"
        for target in outcome.touched
    )

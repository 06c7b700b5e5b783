"""What a gesture at the table can mean in Scram!"""

from collections.abc import Iterator, Sequence
from typing import Final

from games.engine.gestures import Gesture, Meaning, numbers_in
from games.engine.messages import text
from games.rules.scram.actions import ACTIONS, Action
from games.rules.scram.moves import Act, At, Discard, Draw, Exchange, Move, Replace, Scram, Target, Top
from games.rules.scram.state import State

PLAY: Final = text(
    "Pick the cards of your team that the drawn card replaces, or those that its action is for."
)
PLACE: Final = text(
    "Pick the cards of your team that the drawn card replaces, or a card of the campsite where it is put."
)
NEXT: Final = text("Pick the next card for the action.")
BEGIN: Final = (Draw("deck"), Draw("discard"), Scram())
ENDS: Final = ("right", "left")
PILES: Final = {"pile:deck": (Draw("deck"),), "pile:discard": (Draw("discard"), Discard())}


def meaning(state: State, gesture: Gesture) -> Meaning:
    """Return what the seat in play can mean by a gesture."""
    row = _row(state)
    if gesture.onto in PILES:
        return Meaning(() if gesture.picked else PILES[gesture.onto], hint=PLAY)
    match state.phase:
        case "begin":
            plays = tuple(_plays(None, gesture)) if gesture.picked else ()
            return Meaning((*BEGIN, *plays), alternatives=True)
        case "exchange":
            return Meaning((Exchange(do=True), Exchange(do=False)))
        case "act":
            targets = _targets(gesture.picked)
            return Meaning((Act(targets),) if targets else (), hint=NEXT)
        case _:
            hint = PLACE if row and row.deed == "place" else PLAY
            return Meaning(tuple(_plays(row, gesture)), hint=hint, alternatives=True)


def _row(state: State) -> Action | None:
    """Return the action of the drawn card."""
    drawn = state.table.drawn
    return ACTIONS.get(state.table.faces[drawn.card]) if drawn else None


def _plays(row: Action | None, gesture: Gesture) -> Iterator[Move]:
    """Yield what the picked cards can be for: to replace them, or for the action of the drawn card."""
    places = [At(seat, index) for seat, index in _pairs(gesture.picked)]
    targets = _targets(gesture.picked)
    if places and len(places) == len(targets):
        yield from _replacements(tuple(places))
    if targets:
        yield from _actions(row, targets, places)
    for (seat,) in numbers_in([gesture.onto or ""], "seat"):
        yield from (Act(seat=seat, end=end) for end in ENDS)
    if not targets:
        yield Discard()


def _actions(row: Action | None, targets: tuple[Target, ...], places: Sequence[At]) -> Iterator[Move]:
    """Yield the action for these targets: of a 9 for these cards of a campsite, of a 13 for the campsite."""
    seats = {at.seat for at in places}
    if row is None or row.deed not in ("clear", "place") or len(seats) != 1 or len(places) != len(targets):
        yield Act(targets)
    elif row.deed == "place":
        yield from (Act(seat=places[0].seat, end=end) for end in ENDS)
    else:
        cards = tuple(sorted(at.index for at in places))
        yield from (Act(seat=places[0].seat, cards=cards, end=end) for end in ENDS)


def _replacements(places: tuple[At, ...]) -> Iterator[Move]:
    if len(places) == 1:
        yield Replace(places)
    else:
        yield from (Replace(places, end=end) for end in ENDS)


def _targets(picked: Sequence[str]) -> tuple[Target, ...]:
    """Return cards of campsites and of the deck, in the order in which they were picked."""
    found: list[Target] = []
    for thing in picked:
        found += [At(seat, index) for seat, index in _pairs([thing])]
        found += [Top(deck) for (deck,) in numbers_in([thing], "top")]
    return tuple(found)


def _pairs(picked: Sequence[str]) -> Iterator[tuple[int, int]]:
    return ((numbers[0], numbers[1]) for numbers in numbers_in(picked, "at") if len(numbers) == 2)

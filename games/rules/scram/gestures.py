"""What a gesture at the table can mean in Scram!"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from games.engine.gestures import Gesture, Meaning, Note, Question, numbers_in
from games.engine.messages import Message, all_of, text
from games.engine.refusals import Illegal
from games.rules.scram.acting import campsites_for
from games.rules.scram.actions import Action
from games.rules.scram.describing import described_end
from games.rules.scram.moves import Act, At, Discard, Draw, End, Exchange, Move, Replace, Scram, Target, Top
from games.rules.scram.picking import Picking, drawn_action, picking
from games.rules.scram.state import State
from games.rules.scram.table import Table
from games.rules.scram.turns import extra_cards, may_take, surely_match

PLAY: Final = text("Pick cards of your team that the drawn one replaces, or what its action is for.")
PLACE: Final = text(
    "Pick cards of your team that the drawn one replaces, or a card of the campsite where it is put."
)
REPLACE: Final = text("Pick cards of your team that the drawn one replaces, or discard it.")
TAKEN: Final = text("Pick a card of yours that the taken one replaces, or several that match.")
REPLACED: Final = Note(text("If you replace it, the drawn card takes its place."), "B11")
UNSURE: Final = Note(
    text("The drawn card replaces these if they match. If not, it is added at the end that you choose."),
    "B12",
)
DRAW: Final = text("Draw a card from the deck or from the discard pile.")
ONLY_DECK: Final = text("Draw a card from the deck.")
DRAW_FIRST: Final = Note(text("Draw a card first: cards are picked after that."), "B8")
NEXT: Final = text("Pick the next card for the action.")
BEGIN: Final = (Draw("deck"), Draw("discard"), Scram())
ADDED: Final = text("Cards added from the deck at")
SAME_END: Final = text("the same end")
ENDS: Final[Sequence[End]] = ("right", "left")
DRAWS: Final = {"pile:deck": Draw("deck"), "pile:discard": Draw("discard")}
LATER: Final = {"pile:deck": Draw("deck"), "pile:discard": Discard()}


def meaning(state: State, gesture: Gesture) -> Meaning:
    """Return what the seat in play can mean by a gesture."""
    match state.phase:
        case "begin":
            return _begin(state, gesture)
        case "exchange":
            return Meaning((Exchange(do=True), Exchange(do=False)))
        case _:
            return _onto(state, gesture) if gesture.onto else _picked(state, gesture)


def _begin(state: State, gesture: Gesture) -> Meaning:
    """Return where a card can be drawn from; picked cards are for later (B8)."""
    moves = BEGIN if gesture.onto is None else [DRAWS[gesture.onto]] if gesture.onto in DRAWS else ()
    early = [DRAW_FIRST] if gesture.picked else []
    return Meaning(moves, hint=DRAW if may_take(state) else ONLY_DECK, notes=early, targets=tuple(DRAWS))


def _onto(state: State, gesture: Gesture) -> Meaning:
    """Return what a tap on a pile or a campsite means; picked cards are not put there (B13, A0)."""
    if gesture.picked:
        return Meaning()
    if gesture.onto in LATER:
        return Meaning([LATER[gesture.onto]], hint=_hint(state))
    seats = numbers_in([gesture.onto or ""], "seat")
    return Meaning([Act(seat=seat, end=end) for (seat,) in seats for end in ENDS], hint=_hint(state))


def _picked(state: State, gesture: Gesture) -> Meaning:
    """Return what the picked cards can be for: to be replaced, or the action of the drawn card."""
    pick, picked = picking(state, gesture.kind), _targets(gesture.picked)
    strays = _strays(pick, picked)
    if strays:
        (why, *_) = strays.values()
        return Meaning(strays=tuple(strays), astray=why)
    plays = tuple(_plays(pick, picked))
    return Meaning(
        plays,
        hint=NEXT if state.acting else _hint(state),
        notes=[*_told(state, plays), *pick.notes(picked)],
        targets=() if picked or state.acting else _places(state, pick, gesture),
        choices=[*map(_thing, pick.open_after(picked))] if state.acting or gesture.kind == "act" else (),
        questions=[*_questions(state, plays)],
    )


def _strays(pick: Picking, picked: Sequence[Target]) -> Mapping[str, Illegal]:
    """Return the picked cards that no move can be about together with those before them, with the reasons."""
    found: dict[str, Illegal] = {}
    kept: list[Target] = []
    for target in picked:
        if refusal := pick.fault(kept, target):
            found[_thing(target)] = refusal
        else:
            kept.append(target)
    return found


def _plays(pick: Picking, picked: tuple[Target, ...]) -> Iterator[Move]:
    """Yield the moves that the picked cards are, and without any the discard of the drawn card."""
    if places := pick.replaced(picked):
        yield from _replacements(pick.state.table, places)
    if pick.is_act(picked) and pick.row:
        yield from _actions(pick.row, picked)
    if not picked and not pick.state.acting and not _taken(pick.state):
        yield Discard()


def _places(state: State, pick: Picking, gesture: Gesture) -> tuple[str, ...]:
    """Return where the drawn card can be put: on the discards, and a 13 in a campsite once that is chosen."""
    if gesture.kind is None:
        return ("pile:discard",)
    if pick.row is None or pick.row.deed != "place":
        return ()
    return tuple(f"seat:{seat}" for seat in campsites_for(state, pick.row))


def _hint(state: State) -> Message:
    row = drawn_action(state)
    if row is not None:
        return PLACE if row.deed == "place" else PLAY
    return TAKEN if _taken(state) else REPLACE


def _told(state: State, plays: Sequence[Move]) -> Sequence[Note]:
    """Return what a `Replace` among the moves does (B10 to B12)."""
    if any(_is_one_for_one(state, move) for move in plays):
        return [REPLACED]
    return [UNSURE] if any(isinstance(move, Replace) and move.end == "left" for move in plays) else []


def _questions(state: State, plays: Sequence[Move]) -> Iterator[Question]:
    """Yield where the cards go that are added from the deck, if so many numbers may differ (B12)."""
    unsure = next((move for move in plays if isinstance(move, Replace) and move.end == "left"), None)
    added = min(extra_cards(len(unsure.cards)), len(state.table.deck)) if unsure else 0
    if added:
        answers = [([*ends], all_of([*map(described_end, ends)])) for ends in product(ENDS, repeat=added)]
        yield Question(Replace, "extra_ends", ADDED, "B12", SAME_END, answers)


def _is_one_for_one(state: State, move: Move) -> bool:
    """Return whether a move replaces just one card, of the seat's own campsite (B10)."""
    return isinstance(move, Replace) and [at.seat for at in move.cards] == [state.seat]


def _taken(state: State) -> bool:
    """Return whether the card in hand came from the discard pile, so that it can only replace cards (B9)."""
    return bool(state.table.drawn and state.table.drawn.taken)


def _actions(row: Action, targets: tuple[Target, ...]) -> Iterator[Move]:
    """Yield the action for these targets: of a 9 for these cards of a campsite, of a 13 for the campsite."""
    places = [target for target in targets if isinstance(target, At)]
    if row.deed == "place":
        yield from (Act(seat=places[0].seat, end=end) for end in ENDS)
    elif row.deed == "clear":
        cards = tuple(sorted(at.index for at in places))
        yield from (Act(seat=places[0].seat, cards=cards, end=end) for end in ENDS)
    else:
        yield Act(targets)


def _replacements(table: Table, places: tuple[At, ...]) -> Iterator[Move]:
    if len(places) == 1:
        yield Replace(places)
    elif surely_match(table, places):
        yield Replace(places, end="right")
    else:
        yield from (Replace(places, end=end) for end in ENDS)


def _targets(picked: Sequence[str]) -> tuple[Target, ...]:
    """Return cards of campsites and of the deck, in the order in which they were picked."""
    found: list[Target] = []
    for thing in picked:
        found += [At(seat, index) for seat, index in numbers_in([thing], "at", 2)]
        found += [Top(deck) for (deck,) in numbers_in([thing], "top")]
    return tuple(found)


def _thing(target: Target) -> str:
    """Return the name of a card that can be picked."""
    return f"top:{target.deck}" if isinstance(target, Top) else f"at:{target.seat}.{target.index}"

"""What a gesture at the table can mean in Scram!"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from games.engine.gestures import Gesture, Meaning, Note, Question, numbers_in
from games.engine.messages import Message, all_of, text
from games.engine.refusals import Illegal
from games.rules.scram.acting import can_act, not_open, open_targets
from games.rules.scram.actions import ACTIONS, Action
from games.rules.scram.describing import described_end
from games.rules.scram.moves import Act, At, Discard, Draw, End, Exchange, Move, Replace, Scram, Target, Top
from games.rules.scram.state import State, teams_of
from games.rules.scram.table import Table
from games.rules.scram.turns import OWN_TEAM, extra_cards, surely_match

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
NEXT: Final = text("Pick the next card for the action.")
BEGIN: Final = (Draw("deck"), Draw("discard"), Scram())
ADDED: Final = text("Cards added from the deck at")
SAME_END: Final = text("the same end")
ENDS: Final[Sequence[End]] = ("right", "left")
DRAWS: Final = {"pile:deck": (Draw("deck"),), "pile:discard": (Draw("discard"),)}
PUTS: Final = {"pile:deck": (Draw("deck"),), "pile:discard": (Discard(),)}


def meaning(state: State, gesture: Gesture) -> Meaning:
    """Return what the seat in play can mean by a gesture."""
    row = _row(state)
    strays = _strays(state, row, gesture.picked)
    if strays and not gesture.onto:
        (why, *_) = strays.values()
        return Meaning(strays=tuple(strays), astray=why)
    if gesture.onto in DRAWS:
        puts = DRAWS if state.phase == "begin" else PUTS
        return Meaning(() if gesture.picked else puts[gesture.onto], hint=_hint(state, row))
    match state.phase:
        case "begin":
            plays = tuple(_plays(state, None, gesture)) if gesture.picked else ()
            piles = () if gesture.picked else tuple(DRAWS)
            return Meaning((*BEGIN, *plays), hint=DRAW, alternatives=True, targets=piles)
        case "exchange":
            return Meaning((Exchange(do=True), Exchange(do=False)))
        case "act":
            targets = _targets(gesture.picked)
            return Meaning(
                (Act(targets),) if targets else (), hint=NEXT, choices=_choices(state, row, gesture)
            )
        case _:
            plays = tuple(_plays(state, row, gesture))
            notes = [UNSURE] if any(_is_unsure(state, move) for move in plays) else []
            if any(_is_one_for_one(state, move) for move in plays):
                notes = [REPLACED]
            piles = () if gesture.picked else ("pile:discard",)
            asked = [*_questions(state, plays)]
            return Meaning(
                plays,
                hint=_hint(state, row),
                notes=notes,
                alternatives=True,
                targets=piles,
                choices=_choices(state, row, gesture),
                questions=asked,
            )


def _choices(state: State, row: Action | None, gesture: Gesture) -> Sequence[str]:
    """Return the cards that the action of the drawn card, or the next step of one, can be for (A0, A1)."""
    if gesture.picked:
        return ()
    if state.acting:
        found = open_targets(state.table, ACTIONS[state.acting.card], state.acting.targets)
    else:
        found = open_targets(state.table, row, ()) if row and can_act(state.table, row) else ()
    return [f"top:{at.deck}" if isinstance(at, Top) else f"at:{at.seat}.{at.index}" for at in found]


def _strays(state: State, row: Action | None, picked: Sequence[str]) -> Mapping[str, Illegal]:
    """Return the picked cards that neither the action nor the drawn card can be for, each with the reason."""
    found = {}
    for thing in picked:
        for target in _targets([thing]):
            if refusal := _not_pickable(state, row, target):
                found[thing] = refusal
    return found


def _not_pickable(state: State, row: Action | None, target: Target) -> Illegal | None:
    """Return why no move can be about a card, whatever else is picked (B10, A0)."""
    if state.phase == "act" and state.acting:
        return not_open(state.table, ACTIONS[state.acting.card], state.acting.targets, target)
    if state.phase != "play" or isinstance(target, Top) or _is_own(state, target):
        return None
    return Illegal(OWN_TEAM, "B10") if row is None else not_open(state.table, row, (), target)


def _is_own(state: State, at: At) -> bool:
    """Return whether a card lies before a seat of the team whose turn it is."""
    teams = teams_of(state.game.seats)
    return at.seat < len(teams) and teams[at.seat] == teams[state.seat]


def _row(state: State) -> Action | None:
    """Return the action that the drawn card may be used for (B9)."""
    drawn = state.table.drawn
    return ACTIONS.get(state.table.faces[drawn.card]) if drawn and not drawn.taken else None


def _hint(state: State, row: Action | None) -> Message:
    if row is not None:
        return PLACE if row.deed == "place" else PLAY
    return TAKEN if _taken(state) else REPLACE


def _is_unsure(state: State, move: Move) -> bool:
    """Return whether a move replaces cards of the seat's team that may not match (B10, B12)."""
    if not isinstance(move, Replace) or move.end != "left" or move.cards[0].seat != state.seat:
        return False
    return all(_is_own(state, at) for at in move.cards)


def _questions(state: State, plays: Sequence[Move]) -> Iterator[Question]:
    """Yield where the cards go that are added from the deck, if so many numbers may differ (B12)."""
    unsure = next((move for move in plays if isinstance(move, Replace) and _is_unsure(state, move)), None)
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


def _plays(state: State, row: Action | None, gesture: Gesture) -> Iterator[Move]:
    """Yield what the picked cards can be for: to replace them, or for the action of the drawn card."""
    places = [At(seat, index) for seat, index in _pairs(gesture.picked)]
    targets = _targets(gesture.picked)
    replaces = bool(places) and len(places) == len(targets)
    if replaces:
        yield from _replacements(state.table, tuple(places))
    if targets and (row or not replaces):
        yield from _actions(row, targets, places)
    for (seat,) in numbers_in([gesture.onto or ""], "seat"):
        yield from (Act(seat=seat, end=end) for end in ENDS)
    if not targets and not _taken(state):
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
        found += [At(seat, index) for seat, index in _pairs([thing])]
        found += [Top(deck) for (deck,) in numbers_in([thing], "top")]
    return tuple(found)


def _pairs(picked: Sequence[str]) -> Iterator[tuple[int, int]]:
    return ((numbers[0], numbers[1]) for numbers in numbers_in(picked, "at") if len(numbers) == 2)

"""What the seat in play may do, as data, and the move that the clock plays for it."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product
from typing import Final

from games.engine import shapes
from games.engine.base import Choice, FieldChoice, choice
from games.rules.scram.acting import can_act, goes_with, open_targets
from games.rules.scram.actions import ACTIONS, Action
from games.rules.scram.cards import EQUALS
from games.rules.scram.moves import Act, At, Discard, Draw, Exchange, Move, Replace, Target, Top
from games.rules.scram.state import State, teams_of
from games.rules.scram.table import Table
from games.rules.scram.turn import may_scram, may_take

ENDS: Final = ("left", "right")


def choices(state: State) -> tuple[Choice, ...]:
    """Return what the seat in play may do now."""
    match state.phase:
        case "begin":
            sources = ["deck", "discard"] if may_take(state) else ["deck"]
            drawing = choice("draw", **{"from": sources})
            return (drawing, choice("scram")) if may_scram(state) else (drawing,)
        case "play":
            return tuple(_plays(state))
        case "act":
            return (_aimed(state.table, _row(state), _chosen(state)),)
        case "exchange":
            return (choice("exchange", do=[False, True]),)
        case "over":
            return ()


def _plays(state: State) -> Iterator[Choice]:
    """Yield what may be done with a drawn card (B9)."""
    table, drawn = state.table, state.table.drawn
    if drawn and not drawn.taken:
        yield choice("discard")
        row = ACTIONS.get(table.faces[drawn.card])
        if row and can_act(table, row):
            yield from _acts(table, row)
    yield from _replacements(state)


def _acts(table: Table, row: Action) -> Iterator[Choice]:
    match row.deed:
        case "clear":
            yield from _clearings(table, row)
        case "place":
            yield choice("act", seat=[*range(len(table.campsites))], end=ENDS)
        case "exchange":
            yield _paired(table, row)
        case _:
            yield _aimed(table, row, ())


def _clearings(table: Table, row: Action) -> Iterator[Choice]:
    for seat, campsite in enumerate(table.campsites):
        if campsite:
            cards = combinations(range(len(campsite)), min(row.count, len(campsite)))
            yield choice("act", seat=[seat], cards=[list(pair) for pair in cards], end=ENDS)


def _paired(table: Table, row: Action) -> Choice:
    """Return the choice of two targets at once; of the many pairs only some are listed.

    Those are any card with one of the deck, and any two campsites' first cards with each other.
    """
    targets = open_targets(table, row, ())
    camped = [target for target in targets if isinstance(target, At)]
    pairs: list[tuple[Target, Target]] = [
        *product(camped, (target for target in targets if isinstance(target, Top))),
        *combinations([place for place in camped if place.index == 0], 2),
    ]
    listed = [
        [shapes.write(one), shapes.write(other)] for one, other in pairs if goes_with(row, [one], other)
    ]
    return Choice("act", {"targets": FieldChoice(tuple(listed), complete=False, about=row.targets)})


def _aimed(table: Table, row: Action, chosen: Sequence[Target]) -> Choice:
    """Return the choice of the next target; several at once are described (A2)."""
    left = row.count - len(chosen)
    listed = tuple([shapes.write(target)] for target in open_targets(table, row, chosen))
    if left == 1:
        return Choice("act", {"targets": FieldChoice(listed)})
    about = f"one, or at once up to {left} of {row.targets}"
    return Choice("act", {"targets": FieldChoice(listed, complete=False, about=about)})


def _replacements(state: State) -> Iterator[Choice]:
    """Yield the choice of one card of one's own, and that of several (B10)."""
    own = [At(state.seat, index) for index in range(len(state.table.campsites[state.seat]))]
    if own:
        yield choice("replace", cards=[[shapes.write(place)] for place in own])
    if several := _sets_to_try(state, own):
        about = (
            "cards of your own and your team-mates' campsites, the first your own; together, one number or ="
        )
        slot = "the place, of those chosen in your own campsite, for the new card; the first if left out"
        cards = tuple([shapes.write(place) for place in places] for places in several)
        yield Choice(
            "replace",
            {
                "cards": FieldChoice(cards, complete=False, about=about),
                "end": FieldChoice(ENDS),
                "slot": FieldChoice(complete=False, optional=True, about=slot),
            },
        )


def _sets_to_try(state: State, own: Sequence[At]) -> list[tuple[At, ...]]:
    """Return a few sets of two or more: those that the seat can see to match, neighbours, all of its own."""
    mates = [place for place in _team_places(state) if place.seat != state.seat]
    matching = [_matching(state, face, own, mates) for face in _faces_in_sight(state, own)]
    neighbours = list(pairwise(own))
    with_mates = [(own[0], place) for place in mates] if own else []
    found = [*matching, *neighbours, *with_mates, tuple(own)]
    return [places for places in dict.fromkeys(found) if len(places) > 1]


def _team_places(state: State) -> list[At]:
    teams = teams_of(state.game.seats)
    return [
        At(seat, index)
        for seat, campsite in enumerate(state.table.campsites)
        if teams[seat] == teams[state.seat]
        for index in range(len(campsite))
    ]


def _faces_in_sight(state: State, places: Sequence[At]) -> list[str]:
    seen = (_sight(state, place) for place in places)
    return list(dict.fromkeys(face for face in seen if face not in (None, EQUALS)))


def _matching(state: State, face: str, own: Sequence[At], mates: Sequence[At]) -> tuple[At, ...]:
    return tuple(place for place in (*own, *mates) if _sight(state, place) == face)


def _sight(state: State, place: At) -> str | None:
    """Return what the seat in play can see at a place: face up or looked at."""
    lying = state.table.campsites[place.seat][place.index]
    seen = lying.up or lying.card in state.table.known[state.seat]
    return state.table.face(lying) if seen else None


def _row(state: State) -> Action:
    assert state.acting
    return ACTIONS[state.acting.card]


def _chosen(state: State) -> tuple[Target, ...]:
    return state.acting.targets if state.acting else ()


def default_move(state: State) -> Move:
    """Return the clock's move: draw from the deck and discard; finish an action with the lowest targets.

    A card from the discard pile, which can only replace, replaces the first card of one's campsite (B9).
    """
    match state.phase:
        case "begin" | "over":
            return Draw("deck")
        case "play":
            drawn = state.table.drawn
            return Replace((At(state.seat, 0),)) if drawn and drawn.taken else Discard()
        case "act":
            return Act(open_targets(state.table, _row(state), _chosen(state))[:1])
        case "exchange":
            return Exchange(do=False)

"""The choices of the seat in play, and the default move of the clock."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product
from typing import Final

from games.engine import shapes
from games.engine.choosing import Choice, FieldChoice, choice
from games.engine.messages import text
from games.rules.scram.acting import campsites_for, can_act, goes_with, open_targets
from games.rules.scram.actions import Action
from games.rules.scram.cards import EQUALS
from games.rules.scram.moves import MOST_ADDED, Act, At, Discard, Draw, Exchange, Move, Replace, Target, Top
from games.rules.scram.state import State, teams_of
from games.rules.scram.table import Table
from games.rules.scram.turns import extra_cards, may_scram, may_take

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
            return (_aimed(state.table, *_under_way(state)),)
        case "exchange":
            return (choice("exchange", do=[False, True]),)
        case "over":
            return ()


def _plays(state: State) -> Iterator[Choice]:
    """Yield what the seat may do with the drawn card (B9)."""
    table, drawn = state.table, state.table.drawn
    if drawn and not drawn.taken:
        yield choice("discard")
        row = state.game.actions.get(table.faces[drawn.card])
        if row and can_act(state, row):
            yield from _acts(state, row)
    yield from _replacements(state)


def _acts(state: State, row: Action) -> Iterator[Choice]:
    table = state.table
    match row.deed:
        case "clear":
            yield from _clearings(table, row)
        case "place":
            yield choice("act", seat=[*campsites_for(state, row)], end=ENDS)
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
    """Return the choice of two targets at once; not all pairs are listed, but each target is.

    Listed are all cards of campsites with one of the deck and with the first card of another campsite.
    """
    targets = open_targets(table, row, ())
    camped = [target for target in targets if isinstance(target, At)]
    others = [target for target in targets if isinstance(target, Top) or target.index == 0]
    pairs = {
        frozenset((one, other)): [shapes.write(one), shapes.write(other)]
        for one, other in product(camped, others)
        if goes_with(row, [one], other)
    }
    return choice("act", targets=FieldChoice(tuple(pairs.values()), complete=False, about=row.targets))


def _aimed(table: Table, row: Action, chosen: Sequence[Target]) -> Choice:
    """Return the choice of the next target; choices of several at once are only described (A2)."""
    left = row.count - len(chosen)
    listed = tuple([shapes.write(target)] for target in open_targets(table, row, chosen))
    if left == 1:
        return choice("act", targets=listed)
    about = text("one, or at once up to %(most)s of %(targets)s", most=left, targets=row.targets)
    return choice("act", targets=FieldChoice(listed, complete=False, about=about))


def _replacements(state: State) -> Iterator[Choice]:
    """Yield the choice of one card of the seat, and choices of several cards (B10 to B12)."""
    own = [At(state.seat, index) for index in range(len(state.table.campsites[state.seat]))]
    if own:
        yield choice("replace", cards=[[shapes.write(at)] for at in own])
    several = _sets_to_try(state, own)
    for added in range(MOST_ADDED + 1):
        if sets := [chosen for chosen in several if extra_cards(len(chosen)) == added]:
            yield _of_several(sets, added)


def _of_several(sets: Sequence[Sequence[At]], added: int) -> Choice:
    """Return the choice of one of these sets, to which up to so many cards of the deck may be added."""
    about = text(
        "cards of your own and your team-mates' campsites, the first your own; together, one number or ="
    )
    slot = text(
        "the index of the chosen card in your campsite that the new card replaces; the first if left out"
    )
    ends = tuple(list(some) for count in range(1, added + 1) for some in product(ENDS, repeat=count))
    extra = text("where each card that is added from the deck goes, in order; like the new card if left out")
    return choice(
        "replace",
        cards=FieldChoice(tuple([shapes.write(at) for at in chosen] for chosen in sets), False, about=about),
        end=ENDS,
        slot=FieldChoice(complete=False, optional=True, about=slot),
        extra_ends=FieldChoice(ends, optional=True, about=extra) if ends else None,
    )


def _sets_to_try(state: State, own: Sequence[At]) -> list[tuple[At, ...]]:
    """Return some sets of two or more cards: those seen to match, neighbours, and all of the seat."""
    mates = _cards_of_mates(state)
    faces = dict.fromkeys(face for at in own if (face := _seen(state, at)) not in (None, EQUALS))
    matching = [tuple(at for at in (*own, *mates) if _seen(state, at) == face) for face in faces]
    with_mates = [(own[0], at) for at in mates] if own else []
    sets = [*matching, *pairwise(own), *with_mates, tuple(own)]
    return [chosen for chosen in dict.fromkeys(sets) if len(chosen) > 1]


def _cards_of_mates(state: State) -> list[At]:
    teams = teams_of(state.game.seats)
    return [
        At(seat, index)
        for seat, campsite in enumerate(state.table.campsites)
        if teams[seat] == teams[state.seat] and seat != state.seat
        for index in range(len(campsite))
    ]


def _seen(state: State, at: At) -> str | None:
    """Return the card if the seat in play can see it: face up or looked at."""
    lying = state.table.card_at(at)
    seen = lying.up or lying.card in state.table.known[state.seat]
    return state.table.face(lying) if seen else None


def _under_way(state: State) -> tuple[Action, tuple[Target, ...]]:
    """Return the action under way and its targets so far."""
    assert state.acting
    return state.game.actions[state.acting.card], state.acting.targets


def default_move(state: State) -> Move:
    """Return the move of the clock: draw from the deck, discard, or finish an action with the first targets.

    A card from the discard pile, which can only replace, replaces the first card of the campsite (B9).
    """
    match state.phase:
        case "begin" | "over":
            return Draw("deck")
        case "play":
            drawn = state.table.drawn
            return Replace((At(state.seat, 0),)) if drawn and drawn.taken else Discard()
        case "act":
            return Act(open_targets(state.table, *_under_way(state))[:1])
        case "exchange":
            return Exchange(do=False)

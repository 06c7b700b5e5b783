"""Plays the actions of the cards 5 to 13, as `actions.ROWS` describes them (A0 to A3)."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from games.rules.scram.actions import Action
from games.rules.scram.moves import Act, At, End, Target, Top
from games.rules.scram.rounds import turn_ended
from games.rules.scram.state import Acting, State, teams_of
from games.rules.scram.table import Lying, Table, at_end
from games.rules.scram.turns import card_in_hand


def act(state: State, move: Act) -> State:
    """Return the state after the action of the drawn card, or a step of it (A0 to A2)."""
    row = row_in_play(state)
    if state.acting and state.phase == "exchange":
        raise Illegal("You have looked at both cards: say whether to exchange them.", "A0")
    try:
        return _acted(state, row, move)
    except Illegal:
        if state.acting or can_act(state, row):
            raise
        few = text("There are too few cards for the action of the %(card)s.", card=row.card)
        raise Illegal(few, "A1") from None


def _acted(state: State, row: Action, move: Act) -> State:
    match row.deed:
        case "look" | "turn up" | "look and exchange" | "exchange":
            return _aimed(state, row, move)
        case "clear":
            return _cleared(state, row, move)
        case "place":
            return _placed(state, row, move)
        case _:
            assert_never(row.deed)


def row_in_play(state: State) -> Action:
    """Return the action of the drawn card or the one under way; raise `Illegal` if there is none (B9)."""
    if state.acting:
        return state.game.actions[state.acting.card]
    drawn = card_in_hand(state)
    if drawn.taken:
        raise Illegal("A card from the discard pile can only replace cards.", "B9")
    if row := state.game.actions.get(state.table.faces[drawn.card]):
        return row
    raise Illegal("Only the cards 5 to 13 have an action.", "B9")


def open_targets(table: Table, row: Action, chosen: Sequence[Target]) -> tuple[Target, ...]:
    """Return the possible next targets after those chosen (A0, A1): campsites first, then the deck."""
    return tuple(target for target in _fitting(table, row) if goes_with(row, chosen, target))


def _has_open(table: Table, row: Action, chosen: Sequence[Target]) -> bool:
    return any(goes_with(row, chosen, target) for target in _fitting(table, row))


def _fitting(table: Table, row: Action) -> Iterator[Target]:
    """Yield the targets that the card is for, whatever else is chosen."""
    for seat, campsite in enumerate(table.campsites):
        for index, lying in enumerate(campsite):
            if not (row.face_down and lying.up):
                yield At(seat, index)
    for depth in range(min(row.deck, len(table.deck))):
        yield Top(depth)


def _fits(row: Action, target: Target, lying: Lying) -> bool:
    """Return whether the card is for a target, with the card there, whatever else is chosen (A0)."""
    return target.deck < row.deck if isinstance(target, Top) else not (row.face_down and lying.up)


def goes_with(row: Action, chosen: Sequence[Target], target: Target) -> bool:
    """Return whether a target is allowed together with those chosen before it (A0, A1)."""
    if not chosen:
        return True
    return target not in chosen and not _mixes(row, chosen, target) and not _meets(row, chosen, target)


def _mixes(row: Action, chosen: Sequence[Target], target: Target) -> bool:
    return bool(chosen) and not row.mixed and type(target) is not type(chosen[0])


def _meets(row: Action, chosen: Sequence[Target], target: Target) -> bool:
    """Return whether a target is in a campsite from which one is chosen, against the card."""
    if not row.apart or not isinstance(target, At):
        return False
    return any(isinstance(at, At) and at.seat == target.seat for at in chosen)


def campsites_for(state: State, row: Action) -> tuple[int, ...]:
    """Return the seats in whose campsites the seat in play may put the card (A0)."""
    campsites, teams = state.table.campsites, teams_of(state.game.seats)
    own = teams[state.seat]
    match row.whose:
        case "any":
            return (*range(len(campsites)),)
        case "not_empty":
            return tuple(seat for seat, cards in enumerate(campsites) if cards)
        case "own_team":
            return tuple(seat for seat, team in enumerate(teams) if team == own)
        case "other_team":
            return tuple(seat for seat, team in enumerate(teams) if team != own)
        case _:
            assert_never(row.whose)


def can_act(state: State, row: Action) -> bool:
    """Return whether there are targets for the action (A1)."""
    table = state.table
    if row.deed == "place":
        return bool(campsites_for(state, row))
    if row.deed == "clear":
        return any(table.campsites)
    if row.stepwise:
        return _has_open(table, row, ())
    return any(_has_open(table, row, (target,)) for target in _fitting(table, row))


def _aimed(state: State, row: Action, move: Act) -> State:
    if move.cards or move.seat is not None or move.end is not None or not move.targets:
        raise Illegal("The action of the %(card)s needs targets and nothing else.", "A0", card=row.card)
    before = state.acting.targets if state.acting else ()
    chosen = _chosen(state.table, row, before, move.targets)
    drawn = state.table.drawn
    table = state.table.discarded(drawn.card) if drawn else state.table
    done = _done(table, state.seat, row, move.targets)
    more = len(chosen) < row.count and _has_open(done, row, chosen)
    if more or _exchange_next(row, chosen):
        return replace(state, acting=Acting(row.card, chosen), table=done)
    return turn_ended(state, done)


def _exchange_next(row: Action, chosen: Sequence[Target]) -> bool:
    """Return whether the looks of a 12 are done and the two cards don't lie in one campsite (A0)."""
    if row.deed != "look and exchange" or len(chosen) < row.count:
        return False
    seats = [target.seat for target in chosen if isinstance(target, At)]
    return len(seats) < row.count or len({*seats}) > 1


def _chosen(
    table: Table, row: Action, before: Sequence[Target], added: Sequence[Target]
) -> tuple[Target, ...]:
    """Return all targets so far; raise `Illegal` for one that is not allowed (A0 to A2)."""
    chosen = tuple(before)
    for target in added:
        if refusal := not_open(table, row, chosen, target):
            raise refusal
        chosen = (*chosen, target)
    if not row.stepwise and len(chosen) < row.count:
        raise Illegal(_at_once(row), "A2")
    return chosen


def not_open(table: Table, row: Action, chosen: Sequence[Target], target: Target) -> Illegal | None:
    """Return why a target is not open after those chosen, None where it is (A0, A1)."""
    try:
        lying = table.card_at(target)
    except Illegal as refusal:
        return refusal
    if len(chosen) == row.count:
        return Illegal(_too_many(row), "A0")
    fits = _fits(row, target, lying) and goes_with(row, chosen, target)
    return None if fits else _refused(row, chosen, target)


def _refused(row: Action, chosen: Sequence[Target], target: Target) -> Illegal:
    """Return why a target that exists is not open."""
    if target in chosen:
        return Illegal("Choose each card once.", "A0")
    if _mixes(row, chosen, target):
        sentence = text("Choose all cards of the %(card)s in campsites, or all in the deck.", card=row.card)
        return Illegal(sentence, "A1")
    return put_elsewhere(row)


def put_elsewhere(row: Action) -> Illegal:
    """Return why a card can't be used there: what it is for."""
    return Illegal("The %(card)s is for %(targets)s.", "A0", card=row.card, targets=row.targets)


def _too_many(row: Action) -> Message:
    return plural(
        "The %(card)s is for %(count)s card at most.",
        "The %(card)s is for %(count)s cards at most.",
        row.count,
        card=row.card,
    )


def _at_once(row: Action) -> Message:
    return plural(
        "For the %(card)s pick %(count)s card.",
        "For the %(card)s pick %(count)s cards at once.",
        row.count,
        card=row.card,
    )


def _done(table: Table, seat: int, row: Action, targets: Sequence[Target]) -> Table:
    """Return the table after the action of a seat on these targets."""
    if row.deed == "turn up":
        return table.turned_up(target for target in targets if isinstance(target, At))
    if row.deed == "exchange":
        return table.exchanged(*targets)
    return table.seen_by([seat], [table.card_at(target).card for target in targets])


def exchange(state: State, do: bool) -> State:
    """Return the state after the two cards of a 12 were exchanged or not (A0)."""
    if state.phase != "exchange" or state.acting is None:
        raise Illegal("There is nothing to exchange: a 12 looks at two cards first.", "A0")
    table = state.table.exchanged(*state.acting.targets) if do else state.table
    return turn_ended(state, table)


def _cleared(state: State, row: Action, move: Act) -> State:
    """Return the state after a 9 (A0): it replaces cards of a campsite."""
    if move.targets or move.seat is None or move.end is None or not move.cards:
        raise Illegal("The 9 needs cards of one campsite and the end where it goes, and nothing else.", "A0")
    for index in move.cards:
        state.table.card_at(At(move.seat, index))
    wanted = min(row.count, len(state.table.campsites[move.seat]))
    if len({*move.cards}) != wanted or len(move.cards) != wanted:
        refused = plural(
            "Choose %(count)s card of the campsite.",
            "Choose %(count)s different cards of the campsite.",
            wanted,
        )
        raise Illegal(refused, "A0")
    return _put_down(state, state.table.cleared(move.seat, move.cards), move.seat, move.end)


def _placed(state: State, row: Action, move: Act) -> State:
    """Return the state after a 13 was put in a campsite (A0)."""
    if move.targets or move.cards or move.seat is None or move.end is None:
        raise Illegal("The 13 needs one campsite and the end where it goes, and nothing else.", "A0")
    if move.seat >= state.game.seats:
        raise Illegal("There is no such campsite.", "A0")
    if move.seat not in campsites_for(state, row):
        raise put_elsewhere(row)
    return _put_down(state, state.table, move.seat, move.end)


def _put_down(state: State, table: Table, seat: int, end: End) -> State:
    """Return the state after the drawn card was put in a campsite of the table, face up."""
    row = at_end(table.campsites[seat], Lying(card_in_hand(state).card, up=True), end)
    return turn_ended(state, replace(table, drawn=None).with_campsite(seat, row))

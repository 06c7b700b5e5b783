"""The moves of a turn without an action: draw, replace, discard, scram (B8 to B14)."""

from collections.abc import Sequence
from operator import attrgetter

from games.engine.base import replaced
from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from games.engine.values import replace
from games.rules.scram.cards import below_matched, different
from games.rules.scram.moves import MOST_ADDED, At, End, Replace, Source
from games.rules.scram.rounds import scrammed, turn_ended
from games.rules.scram.state import State, teams_of
from games.rules.scram.table import CardId, Drawn, Lying, Table, at_end

FEWEST_TO_SCRAM = 2
TOO_MANY_TO_SCRAM = plural(
    "With more than %(count)s card in your campsite you can't declare Scram.",
    "With more than %(count)s cards in your campsite you can't declare Scram.",
    FEWEST_TO_SCRAM,
)

OWN_TEAM = text("Choose cards of your own team's campsites.")


def draw(state: State, source: Source) -> State:
    """Return the state after the seat in play drew a card (B8)."""
    if state.table.drawn:
        raise Illegal("You have drawn already: play the card.", "B8")
    if state.acting:
        raise _unfinished()
    drawn = _drawn_from_deck(state) if source == "deck" else _taken_from_pile(state)
    return replace(state, table=drawn)


def _drawn_from_deck(state: State) -> Table:
    table = state.table
    card = table.deck[0]
    known = replaced(table.known, state.seat, table.known[state.seat] | {card})
    return replace(table, deck=table.deck[1:], drawn=Drawn(card, taken=False), known=known)


def _taken_from_pile(state: State) -> Table:
    table = state.table
    if not table.discard:
        raise Illegal("The discard pile is empty: draw from the deck.", "B8")
    if not table.campsites[state.seat]:
        raise Illegal("There is no card in your campsite to replace: draw from the deck.", "B8")
    return replace(table, discard=table.discard[:-1], drawn=Drawn(table.discard[-1], taken=True))


def may_take(state: State) -> bool:
    """Return whether the seat in play may draw from the discard pile (B8)."""
    return bool(state.table.discard and state.table.campsites[state.seat])


def scram(state: State) -> State:
    """Return the state after the seat in play declared Scram (B14)."""
    if state.phase != "begin":
        raise Illegal("Scram is declared at the start of a turn.", "B14")
    if state.scram is not None:
        raise Illegal("Scram has been declared in this deal.", "B14")
    if len(state.table.campsites[state.seat]) > FEWEST_TO_SCRAM:
        raise Illegal(TOO_MANY_TO_SCRAM, "B14")
    return scrammed(state)


def may_scram(state: State) -> bool:
    """Return whether the seat in play may declare Scram (B14)."""
    return state.scram is None and len(state.table.campsites[state.seat]) <= FEWEST_TO_SCRAM


def card_in_hand(state: State) -> Drawn:
    """Return the drawn card; raise `Illegal` without one (B8) or during an action (A0)."""
    if state.table.drawn:
        return state.table.drawn
    if state.acting:
        raise _unfinished()
    raise Illegal("Draw a card first.", "B8")


def _unfinished() -> Illegal:
    return Illegal("Finish the action of your card first.", "A0")


def discard(state: State) -> State:
    """Return the state after the drawn card went to the discard pile (B13)."""
    drawn = card_in_hand(state)
    if drawn.taken:
        raise Illegal("A card from the discard pile can only replace cards.", "B9")
    return turn_ended(state, state.table.discarded(drawn.card))


def replace_cards(state: State, move: Replace) -> State:
    """Return the state after the drawn card replaced the chosen cards, or they did not match (B10 to B12)."""
    drawn = card_in_hand(state)
    _check_chosen(state, move)
    table, new = state.table, Lying(drawn.card, up=drawn.taken)
    chosen = [table.card_at(at).card for at in move.cards]
    numbers = different([table.faces[card] for card in chosen])
    if numbers <= 1:
        return turn_ended(state, _matched(table, state.seat, move, chosen, new))
    assert move.end, "a single card matches, and _check_ends wants an end for more"
    table = table.turned_up(move.cards)
    ends = [move.end, *move.extra_ends, *[move.end] * MOST_ADDED]
    count = min(extra_cards(numbers), len(table.deck))
    return turn_ended(state, _mismatched(table, state.seat, new, ends[: count + 1]))


def _check_chosen(state: State, move: Replace) -> None:
    table, seat, chosen = state.table, state.seat, move.cards
    teams = teams_of(state.game.seats)
    for at in chosen:
        if not table.has(at):
            raise Illegal("There is no such card in a campsite.", "B10")
        if teams[at.seat] != teams[seat]:
            raise Illegal(OWN_TEAM, "B10")
    if chosen[0].seat != seat:
        raise Illegal("Choose at least one card of your own campsite, and name it first.", "B10")
    if len(chosen) > 1 and len({*chosen}) < len(chosen):
        raise Illegal("Choose each card once.", "B10")
    if move.slot is not None and At(seat, move.slot) not in chosen:
        raise Illegal("The new card can only take the place of a card that you chose.", "B11")
    _check_ends(move)


def _check_ends(move: Replace) -> None:
    chosen = len(move.cards)
    if chosen == 1 and (move.end or move.extra_ends):
        raise Illegal("A single card always matches: leave out the ends.", "B12")
    if chosen > 1 and move.end is None:
        raise Illegal("Say at which end the new card goes if the cards do not match.", "B12")
    if move.extra_ends and len(move.extra_ends) > (most := extra_cards(chosen)):
        raise Illegal(_too_many_ends(most), "B12")


def _too_many_ends(most: int) -> Message:
    if not most:
        return text("With two cards nothing is added from the deck: leave out the extra ends.")
    return plural(
        "Name at most %(count)s extra end: more cards can't be added from the deck.",
        "Name at most %(count)s extra ends: more cards can't be added from the deck.",
        most,
    )


def extra_cards(numbers: int) -> int:
    """Return how many cards from the deck a failed match with so many different numbers adds (B12)."""
    return min(max(numbers - 2, 0), MOST_ADDED)


def surely_match(table: Table, places: Sequence[At]) -> bool:
    """Return whether cards match as all can see, so that it doesn't matter which end is named (B11)."""
    if not all(map(table.has, places)):
        return False
    lying = [table.card_at(at) for at in places]
    return all(each.up for each in lying) and different([table.face(each) for each in lying]) <= 1


def _matched(table: Table, seat: int, move: Replace, chosen: Sequence[CardId], new: Lying) -> Table:
    """Return the table with the chosen cards on the pile and the new one in a slot of theirs (B11)."""
    matched = sorted(chosen, key=lambda card: below_matched(table.faces[card]))
    slot = move.cards[0].index if move.slot is None else move.slot
    campsites = [*table.campsites]
    # The last ones first, so that the indexes of the others hold.
    for at in sorted(move.cards, key=attrgetter("index"), reverse=True):
        row = campsites[at.seat]
        here = (new,) if at.index == slot and at.seat == seat else ()
        campsites[at.seat] = (*row[: at.index], *here, *row[at.index + 1 :])
    return replace(table, drawn=None, discard=(*table.discard, *matched), campsites=tuple(campsites))


def _mismatched(table: Table, seat: int, new: Lying, ends: Sequence[End]) -> Table:
    """Return the table with the new card at the first end and a card of the deck at each other one (B12)."""
    added = len(ends) - 1
    campsite = table.campsites[seat]
    for lying, end in zip([new, *(Lying(card, up=False) for card in table.deck[:added])], ends, strict=True):
        campsite = at_end(campsite, lying, end)
    return replace(table, drawn=None, deck=table.deck[added:]).with_campsite(seat, campsite)

"""The cards on the table and who knows them: a card is a number that stays its own wherever it is moved to.

Only ``faces`` says what a card is, so all that a seat can't tell lies in one tuple.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from games.engine.refusals import Illegal
from games.rules.scram.cards import below_cleared
from games.rules.scram.moves import At, End, Target

CardId: TypeAlias = int


@dataclass(frozen=True)
class Lying:
    """A card in a campsite."""

    card: CardId
    up: bool


Campsite: TypeAlias = tuple[Lying, ...]


@dataclass(frozen=True)
class Drawn:
    """The card in the hand of the camper in play; ``taken`` from the discard pile, before everyone's eyes."""

    card: CardId
    taken: bool


@dataclass(frozen=True)
class Table:
    """All cards of a round. ``deck`` has its top first, ``discard`` its top last.

    ``known`` holds for each seat the cards that A4 lets it still see, wherever they lie now.
    """

    faces: tuple[str, ...]
    campsites: tuple[Campsite, ...]
    deck: tuple[CardId, ...]
    discard: tuple[CardId, ...]
    known: tuple[frozenset[CardId], ...]
    drawn: Drawn | None = None

    def face(self, lying: Lying) -> str:
        """Return what the card in a campsite is."""
        return self.faces[lying.card]


def card_at(table: Table, target: Target) -> Lying:
    """Return the card at a target, one of the deck as lying face down; refuse where there is none (A0)."""
    if isinstance(target, At):
        if target.seat >= len(table.campsites) or target.index >= len(table.campsites[target.seat]):
            raise Illegal("There is no such card in a campsite.", "A0")
        return table.campsites[target.seat][target.index]
    if target.deck >= len(table.deck):
        raise Illegal("The deck has fewer cards than that.", "A0")
    return Lying(table.deck[target.deck], up=False)


def with_campsite(table: Table, seat: int, campsite: Iterable[Lying]) -> Table:
    """Return the table with another row of cards before a seat."""
    before, after = table.campsites[:seat], table.campsites[seat + 1 :]
    return replace(table, campsites=(*before, tuple(campsite), *after))


def with_card_at(table: Table, target: Target, lying: Lying) -> Table:
    """Return the table with a card in the place of another; in the deck it lies face down (A3)."""
    if isinstance(target, At):
        row = list(table.campsites[target.seat])
        row[target.index] = lying
        return with_campsite(table, target.seat, row)
    deck = (*table.deck[: target.deck], lying.card, *table.deck[target.deck + 1 :])
    hidden = replace(table, deck=deck)
    # Everyone saw it go face up to the deck, and may see it there as if looked at (A4).
    return seen_by(hidden, range(len(table.known)), [lying.card]) if lying.up else hidden


def exchanged(table: Table, one: Target, other: Target) -> Table:
    """Return the table after two cards took each other's places, each keeping its side up (A3)."""
    moved = with_card_at(table, one, card_at(table, other))
    return with_card_at(moved, other, card_at(table, one))


def turned_up(table: Table, places: Iterable[At]) -> Table:
    """Return the table with the cards at these places face up."""
    for place in places:
        table = with_card_at(table, place, replace(card_at(table, place), up=True))
    return table


def seen_by(table: Table, seats: Iterable[int], cards: Iterable[CardId]) -> Table:
    """Return the table with cards that the seats have now looked at (A4)."""
    new, lookers = frozenset(cards), {*seats}
    known = tuple(cards | new if seat in lookers else cards for seat, cards in enumerate(table.known))
    return replace(table, known=known)


def forgotten_by(table: Table, seat: int) -> Table:
    """Return the table with nothing that the seat has looked at (A4)."""
    known = (*table.known[:seat], frozenset[CardId](), *table.known[seat + 1 :])
    return replace(table, known=known)


def at_end(campsite: Sequence[Lying], added: Sequence[Lying], end: End) -> Campsite:
    """Return the row with cards added at one end, each further out than the one before."""
    return (*reversed(added), *campsite) if end == "left" else (*campsite, *added)


def cleared(table: Table, seat: int, indexes: Iterable[int]) -> Table:
    """Return the table with cards of one campsite discarded by an action, the higher first (A0)."""
    gone = {*indexes}
    row = table.campsites[seat]
    going = sorted((row[index].card for index in gone), key=lambda card: below_cleared(table.faces[card]))
    kept = [lying for index, lying in enumerate(row) if index not in gone]
    return with_campsite(replace(table, discard=(*table.discard, *going)), seat, kept)

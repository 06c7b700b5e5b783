"""The cards on the table and who has seen them.

A card keeps its number wherever it is moved. Only ``faces`` says what it is, so that this tuple holds
everything that may be hidden.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from games.engine.base import replaced
from games.engine.refusals import Illegal
from games.engine.values import replace
from games.rules.scram.cards import below_cleared
from games.rules.scram.moves import At, End, Target

CardId: TypeAlias = int
NOTHING: Final = frozenset[CardId]()


class Lying(NamedTuple):
    """A card in a campsite, face up or not."""

    card: CardId
    up: bool


Campsite: TypeAlias = tuple[Lying, ...]


class Drawn(NamedTuple):
    """The card in the hand of the seat in play; ``taken`` from the discard pile, so that all have seen it."""

    card: CardId
    taken: bool


@dataclass(frozen=True)
class Table:
    """All cards of a round. The top card of ``deck`` is the first, that of ``discard`` the last.

    ``known`` holds for each seat the cards that it still sees by A4, wherever they are now.
    """

    faces: tuple[str, ...]
    campsites: tuple[Campsite, ...]
    deck: tuple[CardId, ...]
    discard: tuple[CardId, ...]
    known: tuple[frozenset[CardId], ...]
    drawn: Drawn | None = None

    def face(self, lying: Lying) -> str:
        """Return the face of a card in a campsite."""
        return self.faces[lying.card]

    def card_at(self, target: Target) -> Lying:
        """Return the card at a target, face down if in the deck; raise `Illegal` if there is none (A0)."""
        if isinstance(target, At):
            try:
                return self.campsites[target.seat][target.index]
            except IndexError:
                raise Illegal("There is no such card in a campsite.", "A0") from None
        if target.deck >= len(self.deck):
            raise Illegal("The deck has fewer cards than that.", "A0")
        return Lying(self.deck[target.deck], up=False)

    def has(self, at: At) -> bool:
        """Return whether there is a card at a place of a campsite."""
        return at.seat < len(self.campsites) and at.index < len(self.campsites[at.seat])

    def with_campsite(self, seat: int, campsite: Iterable[Lying]) -> "Table":
        """Return the table with another campsite of a seat."""
        return replace(self, campsites=replaced(self.campsites, seat, tuple(campsite)))

    def with_card_at(self, target: Target, lying: Lying) -> "Table":
        """Return the table with another card at a target; in the deck it is face down (A3)."""
        if isinstance(target, At):
            return self.with_campsite(target.seat, replaced(self.campsites[target.seat], target.index, lying))
        table = replace(self, deck=replaced(self.deck, target.deck, lying.card))
        # A face-up card that goes to the deck counts as looked at by all (A4).
        return table.seen_by(range(len(self.known)), [lying.card]) if lying.up else table

    def exchanged(self, one: Target, other: Target) -> "Table":
        """Return the table after two cards were exchanged, each keeping its side up (A3)."""
        moved = self.with_card_at(one, self.card_at(other))
        return moved.with_card_at(other, self.card_at(one))

    def turned_up(self, targets: Iterable[At]) -> "Table":
        """Return the table with these cards face up."""
        campsites = [*self.campsites]
        for at in targets:
            row = campsites[at.seat]
            campsites[at.seat] = replaced(row, at.index, Lying(row[at.index].card, up=True))
        return replace(self, campsites=tuple(campsites))

    def seen_by(self, seats: Iterable[int], cards: Iterable[CardId]) -> "Table":
        """Return the table after these seats looked at cards (A4)."""
        new, known = frozenset(cards), [*self.known]
        for seat in seats:
            known[seat] |= new
        return replace(self, known=tuple(known))

    def forgotten_by(self, seat: int) -> "Table":
        """Return the table without what the seat has looked at (A4)."""
        return replace(self, known=replaced(self.known, seat, NOTHING))

    def discarded(self, card: CardId) -> "Table":
        """Return the table with the drawn card on the discard pile."""
        return replace(self, drawn=None, discard=(*self.discard, card))

    def cleared(self, seat: int, indexes: Iterable[int]) -> "Table":
        """Return the table after an action discarded cards of a campsite, the higher first (A0)."""
        gone = {*indexes}
        row = self.campsites[seat]
        cards = sorted((row[index].card for index in gone), key=lambda card: below_cleared(self.faces[card]))
        kept = [lying for index, lying in enumerate(row) if index not in gone]
        return replace(self, discard=(*self.discard, *cards)).with_campsite(seat, kept)


def at_end(campsite: Campsite, added: Lying, end: End) -> Campsite:
    """Return the campsite with a card added at one end."""
    return (added, *campsite) if end == "left" else (*campsite, added)

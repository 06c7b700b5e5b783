"""The state of a game of Scamper: the rounds that are over, and the one that is played."""

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from games.engine.cards import Card
from games.engine.chance import Chance
from games.rules.scamper.moves import Kind, Laying
from games.rules.scamper.options import Contract, Options

Phase: TypeAlias = Literal["begin", "offer", "play", "answer", "over"]
"""``begin``: take or draw (S8). ``offer``: the left seat answers (S9). ``play``: lay and discard (S10).
``answer``: a discard that would end the round waits for the next seat to concede (S30)."""

Name: TypeAlias = Literal[
    "first_dealer",
    "exact_deal",
    "misdeal",
    "wrong_meld",
    "too_many_wilds",
    "wrong_challenge",
    "undeclared",
    "advice",
    "penalty",
]
"""What points are given for beside the cards in hand; ``penalty`` is an arbiter's."""

POINTS: Final[dict[Name, int]] = {
    "exact_deal": -20,
    "misdeal": 20,
    "wrong_meld": 50,
    "too_many_wilds": 20,
    "wrong_challenge": 20,
    "undeclared": 20,
    "advice": 20,
}
"""The points of each name (S30, S31, S33); those of ``first_dealer`` and ``penalty`` differ by game."""


@dataclass(frozen=True)
class Adjustment:
    """Points that a seat gets in a round beside those of its cards (S32)."""

    seat: int
    name: Name
    points: int


@dataclass(frozen=True)
class TableMeld:
    """A meld on the table; ``seat`` laid it."""

    id: str
    seat: int
    kind: Kind
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Lays:
    """All that a seat laid in one turn, and what was on the table before: what a challenge is about (S30).

    ``down`` lists the seats whose contract was down before, ``heard`` those that have challenged in vain.
    """

    seat: int
    melds: tuple[TableMeld, ...]
    down: tuple[int, ...]
    moves: tuple[Laying, ...] = ()
    heard: tuple[int, ...] = ()


@dataclass(frozen=True)
class Round:
    """The round that is played.

    ``attempt`` counts how often it was dealt before (S28), ``added`` the packs added, ``turn`` the turns
    since the deal, from 1. A card drawn this turn is the last of the hand while ``drawn`` holds; the top of
    stock and discards is the last. ``lays`` is what may be challenged, or is being laid (S30).
    """

    number: int
    dealer: int
    seat: int
    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    discards: tuple[Card, ...]
    phase: Phase = "begin"
    attempt: int = 0
    added: int = 0
    turn: int = 1
    melds: tuple[TableMeld, ...] = ()
    down: tuple[int, ...] = ()
    drawn: bool = False
    lays: Lays | None = None
    adjustments: tuple[Adjustment, ...] = ()

    @property
    def seats(self) -> int:
        """Return how many seats play."""
        return len(self.hands)

    @property
    def hand(self) -> tuple[Card, ...]:
        """Return the hand of the seat in play."""
        return self.hands[self.seat]

    @property
    def left(self) -> int:
        """Return the seat left of the one in play."""
        return (self.seat + 1) % self.seats

    def with_hand(self, seat: int, hand: tuple[Card, ...]) -> "Round":
        """Return the round in which the seat holds these cards."""
        hands = (*self.hands[:seat], hand, *self.hands[seat + 1 :])
        return replace(self, hands=hands)

    def adjusted(self, seat: int, name: Name, points: int) -> "Round":
        """Return the round with points for the seat (S32)."""
        return replace(self, adjustments=(*self.adjustments, Adjustment(seat, name, points)))


@dataclass(frozen=True)
class Row:
    """A finished round: ``out`` went out, or nobody did; ``cards`` is what each hand counted (S25)."""

    number: int
    dealer: int
    contract: Contract
    out: int | None
    cards: tuple[int, ...]
    adjustments: tuple[Adjustment, ...]

    def scores(self) -> tuple[int, ...]:
        """Return each seat's points of the round, adjustments included (S32)."""
        return tuple(points + adjusted(self.adjustments, seat) for seat, points in enumerate(self.cards))


def adjusted(adjustments: tuple[Adjustment, ...], seat: int) -> int:
    """Return the sum of the seat's adjustments."""
    return sum(each.points for each in adjustments if each.seat == seat)


@dataclass(frozen=True)
class Draws:
    """One drawing for the first deal: each seat that took part, with the cards that it turned up (S5)."""

    seats: tuple[int, ...]
    cards: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True)
class State:
    """A whole game: what was agreed, the rounds that are over and the one that is played.

    ``turns`` counts the turns of the rounds and attempts before the present deal.
    """

    options: Options
    chance: Chance
    draws: tuple[Draws, ...]
    round: Round
    rows: tuple[Row, ...] = ()
    turns: int = 0

    @property
    def contract(self) -> Contract:
        """Return what the round asks for."""
        return self.options.contracts[self.round.number - 1]

    def totals(self) -> tuple[int, ...]:
        """Return the score of each seat, this round's adjustments included."""
        rows = [row.scores() for row in self.rows]
        present = tuple(adjusted(self.round.adjustments, seat) for seat in range(self.round.seats))
        return tuple(map(sum, zip(present, *rows, strict=True)))

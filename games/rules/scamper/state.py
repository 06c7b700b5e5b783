"""The state of a game of Scamper: the finished rounds and the current one."""

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from games.engine.base import replaced
from games.engine.cards import Card
from games.engine.chance import Chance
from games.rules.scamper.moves import Kind, Laying
from games.rules.scamper.options import Contract, Options

Phase: TypeAlias = Literal["begin", "offer", "play", "answer", "over"]
"""``begin``: take or draw (S8). ``offer``: the left seat answers (S9). ``play``: lay and discard (S10).
``answer``: the next seat challenges or concedes a discard that ends the round (S30)."""

Called: TypeAlias = Literal[
    "first_dealer",
    "exact_deal",
    "misdeal",
    "wrong_meld",
    "too_many_wilds",
    "wrong_challenge",
    "undeclared",
    "advice",
]
"""The bonuses and penalties of the rules."""
Name: TypeAlias = Called | Literal["penalty"]
"""With ``penalty``, which an arbiter gives."""

POINTS: Final[dict[Name, int]] = {
    "exact_deal": -20,
    "misdeal": 20,
    "wrong_meld": 50,
    "too_many_wilds": 20,
    "wrong_challenge": 20,
    "undeclared": 20,
    "advice": 20,
}
"""The points of each name (S30, S31, S33), without ``first_dealer`` and ``penalty``, which vary."""


@dataclass(frozen=True)
class Adjustment:
    """A bonus or penalty of a seat in a round (S32)."""

    seat: int
    name: Name
    points: int


@dataclass(frozen=True)
class TableMeld:
    """A meld on the table, laid by ``seat``."""

    id: str
    seat: int
    kind: Kind
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Lays:
    """Everything that a seat laid in one turn, and the table before it, for challenges (S30).

    ``down`` lists the seats whose contract was down before, ``heard`` those whose challenge was rejected.
    """

    seat: int
    melds: tuple[TableMeld, ...]
    down: tuple[int, ...]
    moves: tuple[Laying, ...] = ()
    heard: tuple[int, ...] = ()


@dataclass(frozen=True)
class Round:
    """The current round.

    ``attempt`` counts its earlier deals (S28), ``added`` the added packs, ``turn`` the turns since the deal,
    from 1. If ``drawn`` is true, the last card of the hand was drawn this turn. The top card of stock and
    discards is the last. ``lays`` is what may be challenged, or is being laid in this turn (S30).
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
        """Return the round with another hand of a seat."""
        return replace(self, hands=replaced(self.hands, seat, hand))

    def adjusted(self, seat: int, name: Name, points: int) -> "Round":
        """Return the round with a bonus or penalty for the seat (S32)."""
        return replace(self, adjustments=(*self.adjustments, Adjustment(seat, name, points)))


@dataclass(frozen=True)
class Row:
    """A finished round: ``out`` went out, or None; ``cards`` holds the points of each hand (S25)."""

    number: int
    dealer: int
    contract: Contract
    out: int | None
    cards: tuple[int, ...]
    adjustments: tuple[Adjustment, ...]

    def scores(self) -> tuple[int, ...]:
        """Return each seat's points of the round with adjustments (S32)."""
        return tuple(points + adjusted(self.adjustments, seat) for seat, points in enumerate(self.cards))


def adjusted(adjustments: tuple[Adjustment, ...], seat: int) -> int:
    """Return the sum of the seat's adjustments."""
    return sum(each.points for each in adjustments if each.seat == seat)


@dataclass(frozen=True)
class Draws:
    """A draw for the first deal: the seats that took part, and the cards that each turned up (S5)."""

    seats: tuple[int, ...]
    cards: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True)
class State:
    """A game: its options, the finished rounds and the current one.

    ``turns`` counts the turns before the current deal.
    """

    options: Options
    chance: Chance
    draws: tuple[Draws, ...]
    round: Round
    rows: tuple[Row, ...] = ()
    turns: int = 0

    @property
    def contract(self) -> Contract:
        return self.options.contracts[self.round.number - 1]

    def totals(self) -> tuple[int, ...]:
        """Return the score of each seat with the adjustments of the current round."""
        rows = [row.scores() for row in self.rows]
        present = tuple(adjusted(self.round.adjustments, seat) for seat in range(self.round.seats))
        return tuple(map(sum, zip(present, *rows, strict=True)))

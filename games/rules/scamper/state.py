"""The state of a game of Scamper: the finished rounds and the current one."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from games.engine.base import replaced
from games.engine.cards import Card
from games.engine.chance import Chance
from games.engine.jsontypes import JsonObject
from games.engine.messages import Message, seat_first, text
from games.engine.values import replace
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


RULE: Final[dict[Name, str]] = {
    "first_dealer": "S6",
    "exact_deal": "S33",
    "misdeal": "S33",
    "wrong_meld": "S30",
    "too_many_wilds": "S30",
    "wrong_challenge": "S30",
    "undeclared": "S31",
    "advice": "S33",
    "penalty": "S33",
}
"""The rule that gives the points of each name."""


@dataclass(frozen=True)
class Adjustment:
    """A bonus or penalty of a seat in a round (S32).

    ``why`` says what for, and ``rule`` is the rule broken or, if none was, the rule that gives the points.
    """

    seat: int
    name: Name
    points: int
    rule: str
    why: str

    @classmethod
    def of(
        cls, seat: int, name: Name, why: str, *, rule: str = "", points: int | None = None
    ) -> "Adjustment":
        """Return the points that the rules give for ``name``, unless others are given."""
        return cls(seat, name, POINTS[name] if points is None else points, rule or RULE[name], why)

    def in_words(self) -> Message:
        """Return who gets how many points, by which rule, and why."""
        return text(
            "%(seat)s gets %(points)s points (%(rule)s): %(why)s",
            seat=seat_first(self.seat),
            points=format(self.points, "+"),
            rule=self.rule,
            why=self.why,
        )

    def as_json(self) -> JsonObject:
        """Return its fields."""
        return {
            "seat": self.seat,
            "name": self.name,
            "points": self.points,
            "rule": self.rule,
            "why": self.why,
        }


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
    ``discard`` is the card that ended the turn, None before.
    """

    seat: int
    melds: tuple[TableMeld, ...]
    down: tuple[int, ...]
    moves: tuple[Laying, ...] = ()
    heard: tuple[int, ...] = ()
    discard: Card | None = None


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

    @property
    def offers_back(self) -> bool:
        """Return whether the top discard is that of the seat left of the one in play: of two seats (S9)."""
        return self.seats == 2 and self.turn > 1

    def with_hand(self, seat: int, hand: tuple[Card, ...]) -> "Round":
        """Return the round with another hand of a seat."""
        return replace(self, hands=replaced(self.hands, seat, hand))

    def adjusted(self, adjustment: Adjustment) -> "Round":
        """Return the round with one more bonus or penalty (S32)."""
        return replace(self, adjustments=(*self.adjustments, adjustment))


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

    ``turns`` counts the turns before the current deal, ``out`` lists the seats that have left the game.
    ``ended`` is the state at the end of the deal before, which may be dealt again (S28).
    """

    options: Options
    chance: Chance
    draws: tuple[Draws, ...]
    round: Round
    rows: tuple[Row, ...] = ()
    turns: int = 0
    out: tuple[int, ...] = ()
    ended: "State | None" = None

    @property
    def contract(self) -> Contract:
        return self.options.contracts[self.round.number - 1]

    @property
    def next_seat(self) -> int:
        """Return the next seat to the left of the one in play that has not left (S30)."""
        table = self.round
        following = ((table.seat + step) % table.seats for step in range(1, table.seats))
        return next((seat for seat in following if seat not in self.out), table.left)

    def adjusted_since(self, before: "State | None") -> tuple[Adjustment, ...]:
        """Return the bonuses and penalties since the state before an entry, also if it ended the round."""
        if before is None:
            return self.round.adjustments
        finished = len(self.rows) > len(before.rows)
        now = self.rows[-1].adjustments if finished else self.round.adjustments
        return now[len(before.round.adjustments) :]

    def totals(self) -> tuple[int, ...]:
        """Return the score of each seat with the adjustments of the current round."""
        rows = [row.scores() for row in self.rows]
        present = tuple(adjusted(self.round.adjustments, seat) for seat in range(self.round.seats))
        return tuple(map(sum, zip(present, *rows, strict=True)))


def scamper_due(table: Round, options: Options) -> bool:
    """Return whether Scamper must be said with the discard, which leaves exactly one card (S31)."""
    return options.declare_scamper and options.advanced_points and len(table.hand) == 2

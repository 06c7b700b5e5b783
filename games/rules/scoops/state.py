"""The state of a game of Scoops: the finished rounds and the current one."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from games.engine.base import replaced
from games.engine.cards import Card, Reading
from games.engine.chance import Chance
from games.rules.scoops.contract import COFFEE, Contract, Kind, contract
from games.rules.scoops.moves import Assign, Options

Phase: TypeAlias = Literal["assign", "draw", "play", "over"]
Ending: TypeAlias = Literal["lay_down", "meld", "float", "count", "deck", "turns"]
"""How a round ends: won by a lay-down (C16), the last meld or float (C17) or the count in Coffee (C18), or
without a winner because the deck is empty (C13, C19) or the limit of turns is reached."""

IN_ORDER = Assign((0, 1), 2, 3)
"""The dice as they were rolled (C3)."""


@dataclass(frozen=True)
class Laid:
    """A group on the table; ``scoop`` if it was laid as a book of the special rank alone (C11)."""

    id: int
    seat: int
    kind: Kind
    cards: tuple[Card, ...]
    reading: Reading
    scoop: bool


@dataclass(frozen=True)
class Round:
    """The current round.

    ``seat`` is in play; ``turn`` counts from 1 (0 while dice are assigned). The newest card of a hand is the
    last, and so is the top card of the deck and of a pile. ``taken`` is a card from a discard pile that may
    not be discarded this turn (C15).
    """

    number: int
    start: int
    dice: tuple[int, ...]
    assigned: Assign | None
    hands: tuple[tuple[Card, ...], ...]
    deck: tuple[Card, ...]
    discards: tuple[tuple[Card, ...], ...]
    phase: Phase
    seat: int
    turn: int = 0
    melds: tuple[Laid, ...] = ()
    taken: Card | None = None
    knocker: int | None = None
    penalties: tuple[int, ...] = ()

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def hand(self) -> tuple[Card, ...]:
        """Return the hand of the seat in play."""
        return self.hands[self.seat]

    def hands_with(self, hand: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
        """Return the hands with another one of the seat in play."""
        return replaced(self.hands, self.seat, hand)

    @property
    def contract(self) -> Contract:
        """Return the contract of the dice; until they are assigned, in the order rolled."""
        dice, assigned = self.dice, self.assigned or IN_ORDER
        first, second = assigned.special
        return contract(dice[first] + dice[second], dice[assigned.rule], dice[assigned.goal])


@dataclass(frozen=True)
class Row:
    """A finished round: ``scores`` holds each seat's points of the round, including ``penalties``.

    ``counts`` holds the count of each hand, None for a seat that has left, if the round ended with the count
    in Coffee.
    """

    number: int
    contract: Contract
    ending: Ending
    winner: int | None
    knocker: int | None
    scores: tuple[int, ...]
    penalties: tuple[int, ...]
    counts: tuple[int | None, ...] | None
    melds: tuple[Laid, ...]


@dataclass(frozen=True)
class State:
    """A game: its options, the finished rounds and the current one.

    ``first`` started round 1; ``out`` lists the seats that have left. ``ended`` is the state at the end
    of the round before, when it was scored.
    """

    options: Options
    chance: Chance
    first: int
    round: Round
    rows: tuple[Row, ...] = ()
    out: tuple[int, ...] = ()
    ended: "State | None" = None

    @property
    def may_knock(self) -> tuple[int, ...]:
        """Return the seats that may knock before the next card is drawn, where any player may (C18)."""
        table = self.round
        discarded = table.phase == "draw" and any(table.discards)
        if not discarded or table.knocker is not None or table.contract.goal != COFFEE:
            return ()
        anybody = self.options.knocking == "anybody"
        return tuple(seat for seat in range(table.seats) if anybody and seat not in self.out)

    def totals(self) -> tuple[int, ...]:
        """Return the score of each seat with the penalties of the current round."""
        scored = [row.scores for row in self.rows]
        return tuple(map(sum, zip(self.round.penalties, *scored, strict=True)))

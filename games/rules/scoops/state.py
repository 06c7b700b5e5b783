"""The state of a game of Scoops: the rounds that are over, and the one that is played."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

from games.engine.cards import Card
from games.engine.chance import Chance
from games.engine.melds import Reading
from games.rules.scoops.contract import Contract, Kind, contract
from games.rules.scoops.moves import Assign, Options

T = TypeVar("T")

Phase: TypeAlias = Literal["assign", "draw", "play", "over"]
Ending: TypeAlias = Literal["lay_down", "meld", "float", "count", "deck", "turns"]
"""How a round ends: won by lay-down (C16), by the last meld or float (C17), by the count of Coffee (C18);
or without a winner, the deck empty (C13, C19) or the limit of turns reached."""

IN_ORDER = Assign((0, 1), 2, 3)
"""The dice as they were rolled (C3)."""


@dataclass(frozen=True)
class Laid:
    """A group on the table. ``scoop``: it was laid as a book wholly of the special rank (C11)."""

    id: int
    seat: int
    kind: Kind
    cards: tuple[Card, ...]
    reading: Reading
    scoop: bool


@dataclass(frozen=True)
class Round:
    """The round that is played.

    ``seat`` is the one to move, ``turn`` counts the round's turns from 1 (0 while dice are assigned). A hand
    is in the order in which its cards came; the top of the deck and of a pile is the last. ``taken`` is a
    card from a discard pile that must not be discarded this turn (C15).
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
        """Return how many seats play."""
        return len(self.hands)

    @property
    def hand(self) -> tuple[Card, ...]:
        """Return the hand of the seat to move."""
        return self.hands[self.seat]

    @property
    def contract(self) -> Contract:
        """Return what the dice ask for; while they are not assigned, as they were rolled."""
        dice, assigned = self.dice, self.assigned or IN_ORDER
        special_sum = sum(dice[index] for index in assigned.special)
        return contract(special_sum, dice[assigned.rule], dice[assigned.goal])


@dataclass(frozen=True)
class Row:
    """A finished round: ``scores`` holds each seat's points of the round, its ``penalties`` among them.

    ``counts`` is what each hand counted, where Coffee was counted.
    """

    number: int
    contract: Contract
    ending: Ending
    winner: int | None
    knocker: int | None
    scores: tuple[int, ...]
    penalties: tuple[int, ...]
    counts: tuple[int, ...] | None
    melds: tuple[Laid, ...]


@dataclass(frozen=True)
class State:
    """A whole game: what was agreed, the rounds that are over and the one that is played."""

    options: Options
    chance: Chance
    first: int
    round: Round
    rows: tuple[Row, ...] = ()

    def totals(self) -> tuple[int, ...]:
        """Return the score of each seat, penalties of this round included."""
        scored = [row.scores for row in self.rows]
        return tuple(map(sum, zip(self.round.penalties, *scored, strict=True)))


def replaced(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """Return the values with another one in one place."""
    return (*values[:place], value, *values[place + 1 :])

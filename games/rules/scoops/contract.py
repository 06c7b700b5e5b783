"""What four dice ask for: special, rule and goal (C3 to C6), and what a set is under them (C7 to C10)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final, Literal, TypeAlias

from games.engine.cards import SUITS, Card, pack, rank, suit
from games.engine.melds import Reading, RunOrder, run_readings, set_readings

Kind: TypeAlias = Literal["book", "run", "pair"]

ACES_LOW: Final = RunOrder("A23456789TJQK")


@dataclass(frozen=True)
class Rule:
    """A face of the rule die (C6): the order of a run's ranks, and which cards are wild.

    ``wild_suits`` are those in which the special rank is wild.
    """

    name: str
    order: RunOrder
    jokers_wild: bool = False
    wild_suits: str = ""


RULES: Final = (
    Rule("Vanilla", ACES_LOW),
    Rule("Cherry", RunOrder("23456789TJQKA")),
    Rule("Banana", RunOrder(ACES_LOW.ranks, wraps=True), jokers_wild=True),
    Rule("Raspberry", ACES_LOW, jokers_wild=True, wild_suits=SUITS),
    Rule("Strawberry", ACES_LOW, jokers_wild=True, wild_suits="DH"),
    Rule("Chocolate", RunOrder("A23456789T")),
)


@dataclass(frozen=True)
class Part:
    """One group that a goal asks for: of which kinds it may be, and of how many cards exactly."""

    kinds: tuple[Kind, ...]
    size: int


SET: Final[tuple[Kind, ...]] = ("book", "run")
PAIR: Final = Part(("pair",), 2)


@dataclass(frozen=True)
class Goal:
    """A face of the goal die (C16): what is laid all at once, and whether a discard ends it.

    Float and Coffee, which are not won at once, have no parts.
    """

    name: str
    asks: str
    parts: tuple[Part, ...] = ()
    discards: bool = False


BOWL: Final = Goal("Bowl", "three sets of exactly three", (Part(SET, 3),) * 3)
SHAKE: Final = Goal("Shake", "two sets of exactly four and a discard", (Part(SET, 4),) * 2, discards=True)
CONE: Final = Goal("Cone", "a set of four, a set of three and a pair", (Part(SET, 4), Part(SET, 3), PAIR))
SANDWICH: Final = Goal("Sandwich", "two pairs and a run of five", (Part(("run",), 5), PAIR, PAIR))
FLOAT: Final = Goal("Float", "a hand emptied by melds and floats")
COFFEE: Final = Goal("Coffee", "the lowest count after a knock", discards=True)

GOALS: Final = (BOWL, SHAKE, CONE, SANDWICH, FLOAT, COFFEE)

SPECIALS: Final[tuple[str | None, ...]] = (*"23456789TA", None)
"""The special rank of each sum of two dice, from 2 to 12 (C5)."""


@dataclass(frozen=True)
class Contract:
    """What a round is played for; ``special`` is a rank, or None where there is none."""

    special: str | None
    rule: Rule
    goal: Goal

    @cached_property
    def wild(self) -> frozenset[Card]:
        """Return the cards that may stand for others (C6)."""
        return frozenset(card for card in pack() if self._may_stand_in(card))

    def _may_stand_in(self, card: Card) -> bool:
        if not rank(card):
            return self.rule.jokers_wild
        return rank(card) == self.special and suit(card) in self.rule.wild_suits

    def is_wild(self, card: Card) -> bool:
        """Return whether the card may stand for another (C6)."""
        return card in self.wild

    def worth(self, card: Card) -> int:
        """Return what a card left in hand counts in Coffee: 2 for specials and wild cards, else 1 (C18)."""
        return 2 if card in self.wild or rank(card) == self.special else 1

    def is_scoop(self, kind: Kind, cards: Sequence[Card]) -> bool:
        """Return whether a laid group is a book wholly of the special rank (C11)."""
        return kind == "book" and all(rank(card) == self.special for card in cards)

    def reading(self, kind: Kind, cards: Sequence[Card]) -> Reading | None:
        """Return how the cards are read as a legal group of this kind, or None (C7 to C10).

        With at most one wild card a set has one reading only.
        """
        if len(cards) != 2 if kind == "pair" else len(cards) < 3:
            return None
        return next((reading for reading in self.readings(kind, cards) if allowed(reading)), None)

    def readings(self, kind: Kind, cards: Sequence[Card]) -> tuple[Reading, ...]:
        """Return every way to read the cards, however many of them are wild."""
        if kind == "run":
            return run_readings(cards, self.rule.order, self.is_wild)
        return set_readings(cards, self.is_wild)


def allowed(reading: Reading) -> bool:
    """Return whether at most one card is wild (C9), and none where jokers are the rank (C8)."""
    only_jokers = not reading.rank
    return len(reading.wild) <= (0 if only_jokers else 1)


@cache
def contract(special_sum: int, rule_die: int, goal_die: int) -> Contract:
    """Return the contract of two dice's sum (2 to 12) and two dice (1 to 6) (C5, C6, C16)."""
    return Contract(SPECIALS[special_sum - 2], RULES[rule_die - 1], GOALS[goal_die - 1])


def named(special: str | None, rule: str, goal: str) -> Contract:
    """Return the contract that a view speaks of: the special rank, and the names of rule and goal."""
    rule_die = 1 + [face.name for face in RULES].index(rule)
    goal_die = 1 + [face.name for face in GOALS].index(goal)
    return contract(2 + SPECIALS.index(special), rule_die, goal_die)

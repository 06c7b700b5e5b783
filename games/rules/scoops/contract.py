"""The contract of four dice: special, rule and goal (C3 to C6), and the sets it allows (C7 to C10)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final, Literal, TypeAlias

from games.engine.cards import (
    SMALLEST,
    SUITS,
    Card,
    Reading,
    RunOrder,
    pack,
    rank,
    run_readings,
    set_readings,
    suit,
)
from games.engine.messages import Message, plural, text

Kind: TypeAlias = Literal["book", "run", "pair"]

ACES_LOW: Final = RunOrder("A23456789TJQK")


@dataclass(frozen=True)
class Rule:
    """A face of the rule die (C6): the order of ranks in a run, and which cards are wild.

    The special rank is wild in ``wild_suits``.
    """

    name: str
    means: Message
    order: RunOrder
    jokers_wild: bool = False
    wild_suits: str = ""


RULES: Final = (
    Rule("Vanilla", text("aces low, nothing wild"), ACES_LOW),
    Rule("Cherry", text("aces high, nothing wild"), RunOrder("23456789TJQKA")),
    Rule(
        "Banana",
        text("jokers wild, runs go round the corner"),
        RunOrder(ACES_LOW.ranks, wraps=True),
        jokers_wild=True,
    ),
    Rule(
        "Raspberry", text("aces low, jokers and specials wild"), ACES_LOW, jokers_wild=True, wild_suits=SUITS
    ),
    Rule(
        "Strawberry",
        text("aces low, jokers and red specials wild"),
        ACES_LOW,
        jokers_wild=True,
        wild_suits="DH",
    ),
    Rule("Chocolate", text("aces low, nothing wild, no J, Q, K or joker in runs"), RunOrder("A23456789T")),
)


@dataclass(frozen=True)
class Part:
    """A group that a goal needs: the kinds that it may be, and its exact number of cards."""

    kinds: tuple[Kind, ...]
    size: int

    def counted(self, count: int) -> Message:
        """Return so many of such groups in words: ``2 sets of 3 cards``."""
        match self.kinds:
            case ("pair",):
                return plural("%(count)s pair", "%(count)s pairs", count)
            case ("run",):
                return plural(
                    "%(count)s run of %(size)s", "%(count)s runs of %(size)s", count, size=self.size
                )
            case _:
                # What Scoops calls a set is a book or a run (C7): another word than Scamper's in German.
                return plural(
                    "%(count)s set of %(size)s cards",
                    "%(count)s sets of %(size)s cards",
                    count,
                    size=self.size,
                )


SET: Final[tuple[Kind, ...]] = ("book", "run")
PAIR: Final = Part(("pair",), 2)


@dataclass(frozen=True)
class Goal:
    """A face of the goal die (C16): the groups to lay at once, and whether to discard with them.

    Float and Coffee have no parts, since they are not won by one lay-down.
    """

    name: str
    asks: Message
    parts: tuple[Part, ...] = ()
    discards: bool = False


BOWL: Final = Goal("Bowl", text("three sets of exactly three"), (Part(SET, 3),) * 3)
SHAKE: Final = Goal(
    "Shake", text("two sets of exactly four, then a discard"), (Part(SET, 4),) * 2, discards=True
)
CONE: Final = Goal(
    "Cone", text("a set of four, a set of three and a pair"), (Part(SET, 4), Part(SET, 3), PAIR)
)
SANDWICH: Final = Goal("Sandwich", text("two pairs and a run of five"), (Part(("run",), 5), PAIR, PAIR))
FLOAT: Final = Goal("Float", text("a hand emptied by laying sets and floating cards"))
COFFEE: Final = Goal("Coffee", text("the lowest count after a knock"), discards=True)

GOALS: Final = (BOWL, SHAKE, CONE, SANDWICH, FLOAT, COFFEE)

SPECIALS: Final[tuple[str | None, ...]] = (*"23456789TA", None)
"""The special rank of each sum of two dice, from 2 to 12 (C5)."""


@dataclass(frozen=True)
class Contract:
    """The contract of a round; ``special`` is a rank or None."""

    special: str | None
    rule: Rule
    goal: Goal

    @property
    def special_counts(self) -> Message | None:
        """Return what the special rank counts (C11, C18), None where no rank is special."""
        if self.special is None:
            return None
        if self.goal == COFFEE:
            return text("counts 2; a book of these wins 1 point more")
        return text("a book of these wins 1 point more")

    @cached_property
    def wild(self) -> frozenset[Card]:
        """Return the wild cards (C6)."""
        return frozenset(card for card in pack() if self._makes_wild(card))

    def _makes_wild(self, card: Card) -> bool:
        if not rank(card):
            return self.rule.jokers_wild
        return rank(card) == self.special and suit(card) in self.rule.wild_suits

    def is_wild(self, card: Card) -> bool:
        """Return whether the card is wild (C6)."""
        return card in self.wild

    def worth(self, card: Card) -> int:
        """Return the count of a card in Coffee: 2 for specials and wild cards, 1 for others (C18)."""
        return 2 if card in self.wild or rank(card) == self.special else 1

    def is_scoop(self, kind: Kind, cards: Sequence[Card]) -> bool:
        """Return whether a group is a book of the special rank alone (C11)."""
        return kind == "book" and all(rank(card) == self.special for card in cards)

    def reading(self, kind: Kind, cards: Sequence[Card]) -> Reading | None:
        """Return the reading of the cards as a legal group of this kind, or None (C7 to C10).

        With at most one wild card there is only one reading.
        """
        if len(cards) != 2 if kind == "pair" else len(cards) < SMALLEST:
            return None
        return next((reading for reading in self.readings(kind, cards) if allowed(reading)), None)

    def readings(self, kind: Kind, cards: Sequence[Card]) -> tuple[Reading, ...]:
        """Return all readings of the cards, with any number of wild ones."""
        if kind == "run":
            return run_readings(cards, self.rule.order, self.is_wild)
        return set_readings(cards, self.is_wild)


def allowed(reading: Reading) -> bool:
    """Return whether at most one card is wild (C9), and none in a book of jokers (C8)."""
    return len(reading.wild) <= (1 if reading.rank else 0)


def special_rank(special_sum: int) -> str | None:
    """Return the special rank of the sum of two dice, None for twelve (C5)."""
    return SPECIALS[special_sum - 2]


@cache
def contract(special_sum: int, rule_die: int, goal_die: int) -> Contract:
    """Return the contract for the sum of two dice (2 to 12) and two dice (1 to 6) (C5, C6, C16)."""
    return Contract(special_rank(special_sum), RULES[rule_die - 1], GOALS[goal_die - 1])


def named(special: str | None, rule: str, goal: str) -> Contract:
    """Return the contract from its parts in a view: the special rank and the names of rule and goal."""
    rule_die = 1 + [face.name for face in RULES].index(rule)
    goal_die = 1 + [face.name for face in GOALS].index(goal)
    return contract(2 + SPECIALS.index(special), rule_die, goal_die)

"""What a game of a club is: its seats, what is written for each deal, and the formula of its points.

A definition is data of bounded size. It stands whole in the opening of each game, so that a log can be
checked without anything else, and a later change of the club's game touches nothing that was played.
"""

from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from games.engine.messages import text
from games.engine.shapes import Between, Help, IsName, Label, Length, Matching

MOST_SEATS: Final = 10
MOST_DEALS: Final = 200
MOST_TERMS: Final = 12
MOST_CONDITIONS: Final = 6
MOST: Final = 100_000
"""The largest number that can be entered or stand in a formula."""
LIMIT: Final = 1_000_000
"""What no step of a formula may exceed, whatever is entered."""

Name: TypeAlias = Annotated[
    str, Matching("[a-z][a-z0-9_]{0,23}", "a name of small letters, digits and underscores, such as tricks")
]
Number: TypeAlias = Annotated[int, Between(-MOST, MOST)]
Words: TypeAlias = Annotated[str, Length(1, 60)]
Sentence: TypeAlias = Annotated[str, Length(0, 300)]

# ---- What is written -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Worth:
    """One of the values of a field, and the number that it stands for in the formula."""

    name: Words
    worth: Number


WRITERS: Final = (
    ("players", text("anybody at the table")),
    ("dealer", text("who deals")),
    ("winner", text("who wins the deal")),
    ("scorekeepers", text("only scorekeepers and organisers")),
)
"""Who of the seats may enter a field."""


OFTEN: Final = (("deal", text("once")), ("seat", text("for each player")), ("side", text("for each side")))
KINDS: Final = (
    ("number", text("a number")),
    ("choice", text("one of some values")),
    ("tick", text("yes or no")),
    ("player", text("a player")),
)


@dataclass(frozen=True)
class Written:
    """Something that is written down in each deal: once, or for each seat or side.

    A ``tick`` counts 1 or 0. A ``player`` counts 1 for the seat that is named and 0 for the others.
    """

    name: Annotated[Name, Help("its name in the formula, in the API and in exports")]
    title: Annotated[Words, Help("what stands above it on the card")]
    per: Annotated[
        Literal["deal", "seat", "side"],
        Help("whether it is written once, or for each"),
        Label("How often", OFTEN),
    ] = "seat"
    kind: Annotated[
        Literal["number", "choice", "tick", "player"],
        Help("whether it is typed, ticked or picked"),
        Label("What it is", KINDS),
    ] = "number"
    least: Number = 0
    most: Number = 1000
    values: Annotated[tuple[Worth, ...], Length(0, 20), Help("of a choice")] = ()
    by: Annotated[
        Literal["players", "dealer", "winner", "scorekeepers"],
        Help("who enters it; scorekeepers and organisers may always"),
        Label("Who enters it", WRITERS),
    ] = "players"
    optional: Annotated[
        bool, Help("whether it can be left out, which counts 0 or no"), Label("Can be left out")
    ] = False
    needed_with: Annotated[
        Name | None, Help("a field of the deal: where that is written, this cannot be left out")
    ] = None
    about: Annotated[Sentence, Help("what a scorekeeper has to know of it"), Label("Explanation")] = ""


# ---- The formula ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Term:
    """A number, or so many times a value that was written or worked out before."""

    times: Number
    of: Name | None = None


Sum: TypeAlias = Annotated[tuple[Term, ...], Length(0, MOST_TERMS)]


@dataclass(frozen=True)
class Adds:
    """A step that adds and subtracts."""

    name: Name
    sum: Sum


@dataclass(frozen=True)
class Multiplies:
    """A step that multiplies two values."""

    name: Name
    product: Annotated[tuple[Name, ...], Length(2, 2)]


@dataclass(frozen=True)
class RoundsUp:
    """A step that takes the least multiple of a value (1 or more) that is no less than another."""

    name: Name
    multiple_of: Name
    reaching: Name


@dataclass(frozen=True)
class Condition:
    """A value lies within bounds."""

    of: Name
    least: Number = -MOST
    most: Number = MOST


@dataclass(frozen=True)
class Case:
    """What counts if all conditions hold."""

    then: Sum
    when: Annotated[tuple[Condition, ...], Length(0, MOST_CONDITIONS)] = ()


@dataclass(frozen=True)
class Decides:
    """A step that takes the first case whose conditions hold; 0 if none does."""

    name: Name
    cases: Annotated[tuple[Case, ...], Length(1, 24)]


@dataclass(frozen=True)
class Gathers:
    """A step that goes over the table: the sum, the most or the least of a value among some seats.

    ``everybody`` and ``others`` count a side once; ``partners`` are the seats of the own side.
    """

    name: Name
    gather: Literal["sum", "most", "least"]
    of: Name
    among: Literal["everybody", "others", "partners"] = "everybody"


Step: TypeAlias = Adds | Multiplies | RoundsUp | Decides | Gathers


@dataclass(frozen=True)
class Check:
    """What must hold for each seat, and what is said where it does not."""

    of: Annotated[Name, Label("What is checked")]
    one_of: Annotated[tuple[Number, ...], Length(1, 12), Label("What it may be")]
    says: Annotated[str, Length(1, 200), Label("What is said otherwise")]


BUILT_IN: Final = ("table", "deal", "dealer", "sits_out")
"""What a formula knows besides: how many are at the table, the deal's number, 1 for who deals or sits out."""
RESERVED: Final = (*BUILT_IN, "type", "round", "replaces", "seats", "last")
"""Names that nothing that is written may have."""

_TITLE: Final = text("Just points")
_SUMMARY: Final = text("Each player’s points of a deal are written down as they are.")
_LEVEL: Final = (("share", text("they share the rank")), ("play_on", text("another deal")))
_SEVERAL: Final = (
    ("best", text("the best total wins")),
    ("in_turn", text("who comes first after the dealer wins")),
    ("play_on", text("one more deal, then the best total wins")),
)

# ---- The game ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Definition:
    """A card game as a club plays it; the defaults are a game in which just points are written."""

    title: Annotated[
        Annotated[str, Length(1, 60), IsName()], Help("The name of the game."), Label("Name of the game")
    ] = _TITLE
    summary: Annotated[Sentence, Help("How it is scored, in a few sentences.")] = _SUMMARY
    source: Annotated[Sentence, Help("Where its scoring comes from.")] = ""
    seats: Annotated[
        tuple[Annotated[int, Between(2, MOST_SEATS)], ...],
        Length(1, MOST_SEATS - 1),
        Help("How many can sit at a table."),
        Label("Players at a table"),
    ] = tuple(range(2, MOST_SEATS + 1))
    sides: Annotated[
        int,
        Between(0, 5),
        Help("Into how many sides a table is divided, partners facing each other; 0 where each plays alone."),
    ] = 0
    players: Annotated[
        int,
        Between(0, MOST_SEATS),
        Help("How many play a deal where more sit at the table: who deals sits out. 0 for all."),
        Label("Players of a deal"),
    ] = 0
    deals: Annotated[int, Between(1, MOST_DEALS), Help("How many deals a game has at most.")] = 12
    rounds_of_dealers: Annotated[
        int,
        Between(0, MOST_DEALS),
        Help("Where it is not 0, everybody deals so often, however many sit at the table."),
        Label("Deals of each dealer"),
    ] = 0
    target: Annotated[int, Between(0, MOST), Help("The total that ends a game; 0 for none.")] = 0
    level_at_target: Annotated[
        Literal["share", "play_on"],
        Help("Where the best total wins, this is for equal totals."),
        Label(
            "If the best are level at the target",
            _LEVEL,
        ),
    ] = "play_on"
    several_at_target: Annotated[
        Literal["best", "in_turn", "play_on"],
        Help("Who wins where more than one reaches the target in the same deal."),
        Label("If several reach the target in one deal", _SEVERAL),
    ] = "best"
    may_end: Annotated[
        bool,
        Help("Whether a deal can be written as the last one, for games by the clock."),
        Label("Ends by the clock"),
    ] = False
    low_wins: Annotated[bool, Help("Whether the lowest total wins."), Label("Lowest total wins")] = False
    fields: Annotated[tuple[Written, ...], Length(1, 12), Help("What is written for each deal.")] = (
        Written("points", text("Points"), least=-5_000, most=5_000),
    )
    steps: Annotated[tuple[Step, ...], Length(0, 24), Help("How points are worked out, step by step.")] = ()
    score: Annotated[Name, Help("The value that is a seat’s score of the deal.")] = "points"
    checks: Annotated[tuple[Check, ...], Length(0, 8), Help("What a deal must fulfil.")] = ()

    def teams(self, seats: int) -> tuple[int, ...]:
        """Return the side of each seat; each seat is one where nobody has a partner."""
        return tuple(seat % (self.sides or seats) for seat in range(seats))

    def dealt(self, seats: int) -> int:
        """Return how many deals a game has at a table, or the most that it can have."""
        return min(self.rounds_of_dealers * seats, MOST_DEALS) or self.deals


JUST_POINTS: Final = Definition()
"""A game in which just points are written."""


@dataclass(frozen=True)
class Options:
    """What a club chooses: the game, and how long it takes this time."""

    definition: Annotated[Definition, Help("The definition of the game.")] = JUST_POINTS
    rounds: Annotated[
        Annotated[int, Between(1, MOST_DEALS)] | None,
        Help(
            "How many deals are played, or at most; empty: as many as the rules of the game say. "
            "A deal is a row of the score card, at Cribbage a whole game to 121."
        ),
        Label("Deals"),
    ] = None

    def dealt(self, seats: int) -> int:
        """Return how many deals are played at a table, or the most that can be."""
        return self.rounds or self.definition.dealt(seats)

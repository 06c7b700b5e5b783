"""The table of a series: its parts counted by its rule."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Literal, TypeAlias

from games.engine.messages import Message
from league.apps.series.core.parts import Part
from league.apps.series.core.rule import Rule

Why: TypeAlias = Literal[
    "counts",
    "final",
    "absent",
    "not_best",
    "dropped",
    "not_declared",
    "too_old",
    "few_entries",
    "few_lists",
    "no_value",
]
"""Why a part counts for a person (the first three) or is left out."""


@dataclass(frozen=True)
class Span:
    """The days from the first to the last, with both, in which a person is ranked; None: still."""

    since: date
    until: date | None = None


@dataclass(frozen=True)
class Prize:
    """A prize that a person won, and when."""

    person: str
    on: date
    name: str


@dataclass(frozen=True)
class Facts:
    """What a club says of people: who is ranked and when, the evenings declared by each, and prizes.

    A part outside a person's spans is nothing to that person, whether played or not.
    """

    people: Mapping[str, Sequence[Span]]
    declared: Mapping[str, Collection[int]] = field(default_factory=dict)
    prizes: Sequence[Prize] = ()


@dataclass(frozen=True)
class Cell:
    """What a person has of a part. ``value`` is without the part's weight; None where there is none."""

    part: str
    value: Fraction | None
    why: Why

    @property
    def counts(self) -> bool:
        """Return whether it is in the total."""
        return self.why in ("counts", "final", "absent")


@dataclass(frozen=True)
class Tie:
    """How a row and a neighbour of the same total are told apart: by the ``nth`` best, None: they are not."""

    other: str
    nth: int | None = None
    own: Fraction | None = None
    theirs: Fraction | None = None


@dataclass(frozen=True)
class Reach:
    """What the next evening must be worth to take a place if those above don't improve.

    ``value`` None: to play is enough. Values are counted in steps: one step less is not enough.
    """

    place: int
    value: Fraction | None
    step: Fraction = Fraction(1)


@dataclass(frozen=True)
class Row:
    """A person's row. ``rank`` is None for who is not ranked; ``lacks`` says why, in sentences.

    ``cells`` are in the order of the parts, without those that the person has nothing of. ``played`` are
    those that could count, with so many different ``partners``.
    """

    person: str
    rank: int | None
    total: Fraction
    cells: tuple[Cell, ...]
    played: int
    partners: int
    bonus: Fraction = Fraction(0)
    lacks: tuple[Message, ...] = ()
    tie: Tie | None = None
    reach: Reach | None = None


@dataclass(frozen=True)
class Table:
    """The rows in their order: those with a rank, then the others, each by total. It is a total order."""

    rows: tuple[Row, ...]
    low_wins: bool = False


def check_parts(rule: Rule, parts: Sequence[Part]) -> None:
    """Raise `Illegal` for parts that the rule can't count together: where low scores win, and where high."""
    raise NotImplementedError


def table(rule: Rule, parts: Sequence[Part], facts: Facts) -> Table:
    """Return the table of parts in the order of their evenings.

    Who has played none of them is not in it. Raises what `check_parts` raises.
    """
    raise NotImplementedError

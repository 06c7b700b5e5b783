"""The contract of a tie-break: it gives each of several level entries a mark, and the best mark is first."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeAlias

from league.core.scoring import Rate, Reached, Record

Key: TypeAlias = tuple[Fraction, ...]
"""Numbers compared one after the other; more is better."""


@dataclass(frozen=True)
class Accounts:
    """What standings are computed from: records, how points are awarded, ranks by the format, and lots."""

    records: Mapping[str, Record]
    rate: Rate
    reached: Mapping[str, Reached]
    lots: Mapping[str, int]

    def points_key(self, points: Fraction) -> Fraction:
        """Return points as a number of which more is better."""
        return -points if self.rate.low_points_win else points


@dataclass(frozen=True)
class Mark:
    """An entry's value: the key to compare it by, and its text."""

    key: Key
    text: str


class Criterion(ABC):
    """A criterion that orders entries."""

    key: ClassVar[str]
    title: ClassVar[str]
    """The end of a sentence such as "ahead by …"."""
    summary: ClassVar[str]
    """What the value is, for organisers who choose a tie-break."""
    restarts: ClassVar[bool] = False
    """Whether it is applied again to entries that it leaves level."""

    @abstractmethod
    def marks(self, accounts: Accounts, group: Sequence[str]) -> Mapping[str, Mark] | None:
        """Return the mark of each entry of a level group, or None where it does not apply to this group."""


class OwnMark(Criterion):
    """A criterion whose mark does not depend on the entries that are level."""

    def marks(self, accounts: Accounts, group: Sequence[str]) -> Mapping[str, Mark] | None:
        return {entry: self.mark(accounts, accounts.records[entry]) for entry in group}

    @abstractmethod
    def mark(self, accounts: Accounts, record: Record) -> Mark:
        """Return an entry's mark."""

"""What an evening can be worth, and the least of it that is enough."""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm
from typing import Final

from league.apps.series.core.rule import Rule

_MOST: Final = 10**12
"""The most that an evening can be worth, beyond all that any game gives."""
_FINE: Final = 10
"""The greatest denominator of values that are told exactly; others are told in hundredths."""


@dataclass(frozen=True)
class Ladder:
    """The values that an evening can have, turned so that more is better: all in steps, or a few."""

    step: Fraction
    most: Fraction = Fraction(_MOST)
    few: tuple[Fraction, ...] = ()

    @property
    def top(self) -> int:
        """Return the number of the greatest value."""
        return len(self.few) - 1 if self.few else int(self.most / self.step)

    def value(self, rung: int) -> Fraction:
        """Return the value of a number."""
        return self.few[rung] if self.few else rung * self.step

    def rung(self, value: Fraction) -> int:
        """Return the number of the least value that is not below this one."""
        return bisect_left(self.few, value) if self.few else ceil(value / self.step)

    def lowest(self, worst: Fraction) -> int:
        """Return the number of the least value to think of for who had the worst value so far."""
        return 0 if self.few else self.rung(min(Fraction(0), worst))


def ladder_of(rule: Rule, parts: int) -> Ladder:
    """Return the ladder of a rule; where points count, in the ``parts`` of one that values so far have."""
    value, times = rule.value, Fraction(rule.value.times)
    if value.by == "places":
        few = sorted({Fraction(each) * times for each in (*value.places, value.rest)})
        return Ladder(Fraction(1, lcm(*(each.denominator for each in few))), few=tuple(few))
    if value.by == "beaten":
        return Ladder(Fraction(1, 10), most=100 * times)
    return Ladder(Fraction(1, parts if parts <= _FINE else 100))


def least(enough: Callable[[int], bool], guess: int, low: int, top: int) -> int | None:
    """Return the least number from low to top that is enough, as all greater ones are; None if none is.

    The nearer the guess, the fewer are tried.
    """
    if enough(low):
        return low
    bad, good, width = low, min(max(guess, low + 1), top), 1
    while not enough(good):
        if good >= top:
            return None
        bad, good, width = good, min(good + width, top), 2 * width
    width = 1
    while good - bad > 1:
        at = max(good - width, bad + 1)
        if enough(at):
            good, width = at, 2 * width
        else:
            bad, width = at, (good - at) // 2 or 1
    return good

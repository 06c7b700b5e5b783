"""What an evening can be worth, and the least of it that is enough."""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Final

from league.apps.series.core.rule import ABSOLUTE, Rule

_MOST: Final = Fraction(10**12)
"""The most that an evening can be worth, or lose, beyond all that any game gives."""
_ZERO: Final = Fraction(0)
_FINE: Final = 10
"""The greatest denominator of values that are told exactly; others are told in hundredths."""
_AWARDS: Final = {"two_winners": (10, 10), "one_winner": (6, 6), "individual": (6, 3)}
"""The lowest award of the top third, and by how much each better place has more."""
_TOP_THIRD: Final = 100


@dataclass(frozen=True)
class Ladder:
    """The values that an evening can have, turned so that more is better: all in steps, or a few.

    Below ``least``, if there is one, an evening is worth nothing.
    """

    step: Fraction = Fraction(1)
    worst: Fraction = _ZERO
    most: Fraction = _MOST
    few: tuple[Fraction, ...] = ()
    least: Fraction | None = None

    @cached_property
    def bottom(self) -> int:
        """Return the number of the worst value."""
        return 0 if self.few else self.rung(self.worst)

    @cached_property
    def top(self) -> int:
        """Return the number of the greatest value."""
        return len(self.few) - 1 if self.few else self.rung(self.most)

    def value(self, rung: int) -> Fraction:
        """Return the value of a number; the greatest need not be a whole number of steps."""
        return self.few[rung] if self.few else min(rung * self.step, self.most)

    def worth(self, rung: int) -> Fraction:
        """Return what the value of a number is worth."""
        return self.counted(self.value(rung))

    def counted(self, value: Fraction) -> Fraction:
        """Return what a value is worth."""
        return _ZERO if self.least is not None and value < self.least else value

    def rung(self, value: Fraction) -> int:
        """Return the number of the least value that is not below this one."""
        return bisect_left(self.few, value) if self.few else ceil(value / self.step)


def ladder_of(rule: Rule, parts: int, *, sign: int, negative: bool) -> Ladder:
    """Return the ladder of a rule; where points count, in the ``parts`` of one that values so far have.

    ``sign`` is -1 where low scores win. Scores below zero are thought of where there are ``negative`` ones.
    """
    value, times = rule.value, Fraction(rule.value.times)
    if value.by == "places":
        few = sorted({Fraction(each) * times for each in (*value.places, value.rest)})
        return Ladder(few=tuple(few))
    if value.by in _AWARDS:
        lowest, by = _AWARDS[value.by]
        awards = range(lowest, lowest + by * _TOP_THIRD, by)
        return Ladder(few=tuple(each * times for each in (_ZERO, *map(Fraction, awards))))
    if value.by == "beaten":
        return Ladder(Fraction(1, 100), most=100 * times)
    step = Fraction(1, parts if parts <= _FINE else 100)
    if value.by not in ABSOLUTE:
        return Ladder(step, most=Fraction(3, 2) * times if value.by == "acbl_club" else _MOST)
    if value.least is not None:
        return Ladder(step, least=Fraction(value.least) * times)
    if sign < 0:
        return Ladder(step, worst=-_MOST, most=_MOST if negative else _ZERO)
    return Ladder(step, worst=-_MOST if negative else _ZERO)


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

"""What people have of the parts of a series, which of it counts, and what it comes to.

Inside, values are integers over one denominator, turned so that more is better also where low scores win.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from itertools import accumulate
from typing import Literal, NamedTuple, TypeAlias

from league.apps.series.core.parts import Part, Place
from league.apps.series.core.rule import ABSOLUTE, Deduction, Rule
from league.apps.series.core.values import ZERO, entries, worth

# ---- What a club says of people ------------------------------------------------------------------


@dataclass(frozen=True)
class Span:
    """The days from the first to the last, with both, in which a person is ranked; None: still."""

    since: date = date.min
    until: date | None = None

    def holds(self, day: date) -> bool:
        """Return whether a day is one of them."""
        return self.since <= day and (self.until is None or day <= self.until)


@dataclass(frozen=True)
class Prize:
    """A prize that a person won, and when."""

    person: str
    on: date
    name: str


@dataclass(frozen=True)
class Facts:
    """What a club says of people: who is ranked and when, the evenings declared by each, and prizes.

    ``left_out`` are winners of other tables, each with the name of that.
    A part outside a person's spans is nothing to that person, whether played or not.
    """

    people: Mapping[str, Sequence[Span]]
    declared: Mapping[str, Collection[int]] = field(default_factory=dict)
    prizes: Sequence[Prize] = ()
    left_out: Sequence[tuple[str, str]] = ()

    def counts(self, person: str, day: date) -> bool:
        """Return whether a person is ranked on a day."""
        for span in self.people[person]:  # noqa: SIM110 -- a generator for each cell of a table is slow
            if span.holds(day):
                return True
        return False

    def evenings(self, person: str, most: int) -> Collection[int]:
        """Return the first evenings that a person declared, at most so many."""
        return sorted({*self.declared.get(person, ())})[:most]

    def deducted(self, deduction: Deduction, person: str, day: date) -> Fraction:
        """Return what the prizes that a person won before a day take off the value of an evening then."""
        since = months_before(day, deduction.months) if deduction.months else date.min
        won = sum(prize.person == person and since <= prize.on < day for prize in self.prizes)
        return Fraction(deduction.points) * won if won else ZERO


def months_before(day: date, months: int) -> date:
    """Return the same day so many months earlier, or the last of that month where it has no such day."""
    month = day.year * 12 + day.month - 1 - months
    last = _first(month + 1) - timedelta(days=1)
    return last.replace(day=min(day.day, last.day))


def _first(month: int) -> date:
    return date(month // 12, month % 12 + 1, 1)


# ---- What people have ----------------------------------------------------------------------------

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


@dataclass
class Person:
    """What a person has: a value of each part played, by index, or why it has none, and parts missed."""

    id: str
    values: dict[int, Fraction | Why] = field(default_factory=dict)
    missed: list[int] = field(default_factory=list)
    partners: set[str] = field(default_factory=set)
    places: dict[int, tuple[Place, int]] = field(default_factory=dict)
    """The place in each part, and of how many, where places and not points make the values."""


def people_of(rule: Rule, parts: Sequence[Part], facts: Facts, sign: int) -> list[Person]:
    """Return those who are ranked and have played, by id; ``sign`` is -1 where low scores win."""
    worth_of, reasons, by_place = worth(rule.value), barred(rule, parts), rule.value.by not in ABSOLUTE
    found = {person: Person(person) for person in sorted(facts.people)}
    declared = {person: facts.evenings(person, rule.count.declared) for person in found}

    def reason(person: str, at: int) -> Why | None:
        if not rule.count.declared or parts[at].final or parts[at].evening in declared[person]:
            return reasons[at]
        return "not_declared"

    for at, part in enumerate(parts):
        field, on = entries(part), part.on
        for share in part.shares:
            person = found.get(share.person)
            if person is None or not facts.counts(person.id, on):
                continue
            why = reason(person.id, at)
            value = None if why else worth_of(part, share)
            if value is None:
                person.values[at] = why or "no_value"
                continue
            person.partners |= share.partners
            if by_place:
                person.places[at] = Place(share.rank, share.level, share.own), field
            if facts.prizes:
                value -= sign * facts.deducted(rule.deduction, person.id, part.on)
            person.values[at] = value
    played = [person for person in found.values() if person.values]
    over = [at for at, part in enumerate(parts) if not (part.running or part.final)]
    for person in played if rule.absence.gives != "nothing" else ():
        person.missed += [
            at
            for at in over
            if at not in person.values
            and reason(person.id, at) is None
            and facts.counts(person.id, parts[at].on)
        ]
    return played


def barred(rule: Rule, parts: Sequence[Part]) -> list[Why | None]:
    """Return for each part why it counts for nobody, None where it may; finals always may."""
    count = rule.count
    last = max((part.on for part in parts), default=date.min)
    since = months_before(last, count.months) if parts and count.months else None
    lists = Counter(part.evening for part in parts)

    def reason(part: Part) -> Why | None:
        if part.final:
            return None
        if since and part.on <= since:
            return "too_old"
        if entries(part) < count.entries:
            return "few_entries"
        return "few_lists" if lists[part.evening] < count.lists else None

    return [reason(part) for part in parts]


# ---- What counts ---------------------------------------------------------------------------------


class Item(NamedTuple):
    """What a person has of the part at an index: those before others in this order are better."""

    lost: int
    at: int
    value: int
    weight: int = 1
    final: bool = False


@dataclass(frozen=True)
class Pile:
    """A person's items beside finals, the best first, and what the first 0, 1, 2, … of them come to.

    ``sums`` and ``weights`` have the finals in them. ``times`` greater than the values are those in the pile.
    ``finals`` are indexes of parts. From ``open`` on, others were dropped for good, in the order of that.
    """

    played: int
    others: Sequence[Item]
    finals: Sequence[int]
    sums: Sequence[int]
    weights: Sequence[int]
    times: int
    open: int


@dataclass(frozen=True)
class Counting:
    """How a rule counts values over a denominator; ``given`` is the fixed value of an absence.

    ``weights`` are those of the parts, by which absences count in the second edition.
    """

    rule: Rule
    denominator: int
    given: Fraction = ZERO
    weights: Sequence[int] = ()

    def scaled(self, value: Fraction) -> int:
        """Return a value whose denominator divides the one of all as an integer."""
        return value.numerator * self.denominator // value.denominator

    def items(self, values: Mapping[int, Fraction | Why], parts: Sequence[Part], sign: int) -> list[Item]:
        """Return the items of a person's values by their parts; ``sign`` turns low scores that win."""
        by_sum, common = self.rule.divide == "sum", sign * self.denominator
        return [
            Item(-scaled * weight if by_sum else -scaled, at, scaled, weight, part.final)
            for at, value in values.items()
            if isinstance(value, Fraction)
            for part in [parts[at]]
            for weight in [part.weight]
            for scaled in [value.numerator * common // value.denominator]
        ]

    def item(self, at: int, value: int, weight: int = 1, *, final: bool = False) -> Item:
        """Return an item; of a sum the best are those that add most, of an average those of most value."""
        return Item(-value * weight if self.rule.divide == "sum" else -value, at, value, weight, final)

    def pile(self, played: Sequence[Item], absent: Sequence[int] = ()) -> Pile:
        """Return what a person has with the parts played and the indexes of those missed."""
        times, items = self._with_absences(played, absent)
        finals = [item for item in items if item.final]
        left, gone = self._dropped([item for item in items if not item.final], played)
        others = [*sorted(left), *gone]
        sums, weights = sum(item.value * item.weight for item in finals), sum(item.weight for item in finals)
        return Pile(
            len(played),
            others,
            [item.at for item in finals],
            [*accumulate((item.value * item.weight for item in others), initial=sums)],
            [*accumulate((item.weight for item in others), initial=weights)],
            times,
            len(left),
        )

    def _dropped(
        self, others: Sequence[Item], played: Sequence[Item]
    ) -> tuple[Sequence[Item], Sequence[Item]]:
        """Return what was not dropped for good when a drop was earned, and what was, in the order of that.

        Of those of one value the later goes. Finals earn drops as all that is played does.
        """
        drops = self.rule.count.drops
        if not drops.every or drops.when == "end":
            return others, ()
        left, gone, by_part, so_far = list[Item](), list[Item](), {item.at: item for item in others}, 0
        came = {item.at for item in played}
        for at in sorted({*by_part, *came}):
            so_far += at in came
            if at in by_part:
                left.append(by_part[at])
            if left and drops.earned(so_far) > len(gone):
                gone.append(max(left))
                left.remove(gone[-1])
        return left, gone

    def kept(self, pile: Pile, more: int = 0) -> int:
        """Return how many items beside finals count where so many more are played."""
        count = len(pile.others) + more
        if self.rule.count.best:
            return min(count, self.rule.count.best)
        return max(0, count - self.rule.count.drops.earned(pile.played + more))

    def total(self, pile: Pile, more: Item | None = None) -> Fraction:
        """Return what a pile comes to, with the bonus; with one more item, where absences don't follow it."""
        kept = self.kept(pile, more is not None)
        if more and kept and (kept > pile.open or more < pile.others[kept - 1]):
            sum_, weight = (
                pile.sums[kept - 1] + more.value * more.weight,
                pile.weights[kept - 1] + more.weight,
            )
        else:
            sum_, weight = pile.sums[kept], pile.weights[kept]
        parts = self._divisor(weight, kept) * pile.times * self.denominator
        bonus, counted = self.bonus(pile.played + (more is not None)), Fraction(sum_, parts or 1)
        return counted + bonus if bonus else counted

    def missing(self, pile: Pile, total: Fraction) -> Fraction:
        """Return what one more item must be worth for a total if it counts and absences don't follow it."""
        before = max(0, self.kept(pile, 1) - 1)
        wanted = (total - self.bonus(pile.played + 1)) * self._divisor(pile.weights[before] + 1, before + 1)
        return wanted - Fraction(pile.sums[before], pile.times * self.denominator)

    def bonus(self, played: int) -> Fraction:
        """Return what attendance adds to the total."""
        bonus = self.rule.bonus
        if bonus.points == "0" or played < bonus.least:
            return ZERO
        return Fraction(bonus.points) * max(0, played - bonus.beyond)

    def average(self, played: Sequence[Item]) -> Fraction:
        """Return the average of what a person played."""
        times, sum_ = self._own(played)
        return Fraction(sum_, times * self.denominator)

    def _own(self, played: Sequence[Item]) -> tuple[int, int]:
        """Return how many a person played, and what they come to; from the second edition on by weight."""
        if self.rule.edition == 1:
            return len(played), sum(item.value for item in played)
        return sum(item.weight for item in played), sum(item.value * item.weight for item in played)

    def _absence(self, at: int, value: int) -> Item:
        return self.item(at, value, self.absent(self.weights[at]))

    def absent(self, weight: int) -> int:
        """Return how often an absence from a part of a weight counts: so often from the second edition on."""
        return weight if self.rule.edition > 1 else 1

    def _divisor(self, weight: int, kept: int) -> int:
        return 1 if self.rule.divide == "sum" else weight + self._zeros(kept)

    def _zeros(self, kept: int) -> int:
        return max(0, self.rule.over - kept)

    def divided(self, pile: Pile) -> tuple[int, int]:
        """Return how many an average has for what is missing, each 0, and by what it is divided."""
        if self.rule.divide == "sum":
            return 0, 0
        kept = self.kept(pile)
        return self._zeros(kept), self._divisor(pile.weights[kept], kept)

    def _with_absences(self, played: Sequence[Item], absent: Sequence[int]) -> tuple[int, Sequence[Item]]:
        """Return all items, and how many times greater their values are, for averages to be integers."""
        if not absent or (self.rule.absence.gives == "average" and not played):
            return 1, played
        if self.rule.absence.gives == "value":
            value = self.scaled(self.given)
            return 1, [*played, *(self._absence(at, value) for at in absent)]
        times, average = self._own(played)
        own = [self.item(each.at, each.value * times, each.weight, final=each.final) for each in played]
        return times, [*own, *(self._absence(at, average) for at in absent)]

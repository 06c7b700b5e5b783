"""The table of a series: its parts counted by its rule."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from functools import cached_property, partial
from itertools import groupby, takewhile, zip_longest
from math import lcm
from operator import itemgetter
from typing import Final, NamedTuple

from games.engine.messages import Message, plural, text
from games.engine.refusals import Illegal
from league.apps.series.core.counting import (
    Counting,
    Item,
    Person,
    Pile,
    Why,
    people_of,
)
from league.apps.series.core.counting import Facts as Facts
from league.apps.series.core.counting import Prize as Prize
from league.apps.series.core.counting import Span as Span
from league.apps.series.core.parts import Part, Place, Share
from league.apps.series.core.reaching import Ladder, ladder_of, least
from league.apps.series.core.rule import ABSOLUTE, RANKS_NEED_VALUES, Rule
from league.apps.series.core.values import ZERO, entries, worth

# ---- What is told --------------------------------------------------------------------------------

COUNTED: Final = ("counts", "final", "absent")


class Cell(NamedTuple):
    """What a person has of a part. ``value`` is without the ``weight``; None where there is none.

    ``place`` is that of so many in the ``field``, where that and not the points makes the value.
    """

    part: str
    value: Fraction | None
    why: Why
    weight: int = 1
    place: Place | None = None
    field: int = 0

    @property
    def counts(self) -> bool:
        """Return whether it is in the total."""
        return self.why in COUNTED


class Tally(NamedTuple):
    """How many values of a person count, count for absence and are left out; ``own`` by a part of a place."""

    inside: int
    absent: int
    outside: int
    own: int = 0


@dataclass(frozen=True)
class Tie:
    """How a row and ``others`` of the same total are told apart: by the ``nth`` best, None: they are not.

    ``own`` and ``theirs`` are what these are worth, None for who has fewer.
    """

    others: tuple[str, ...]
    nth: int | None = None
    own: Fraction | None = None
    theirs: tuple[Fraction | None, ...] = ()


@dataclass(frozen=True)
class Reach:
    """What the next part must be worth to come up, and the place taken, if those above don't improve.

    Where an absence is worth something (``away``) it is enough too if all others stay away.
    ``value`` None: to play is enough. Of other values the next worse one is not enough. Where places make
    values, ``rank`` is the last one that is worth as much in a ``field`` as large as the last; 0: none is.
    """

    place: int
    value: Fraction | None
    away: bool = False
    rank: int = 0
    field: int = 0


@dataclass(frozen=True)
class Row:
    """A person's row. ``rank`` is None for who is not ranked; ``lacks`` says why, in sentences.

    ``played`` are the parts that could count, with so many different ``partners``. An average has so many
    ``zeros`` for what is missing, and divides by ``divisor``.
    """

    person: str
    rank: int | None
    total: Fraction
    tally: Tally
    of_parts: Callable[[], Iterator[Cell]] = field(compare=False, repr=False)
    played: int
    partners: int
    bonus: Fraction = ZERO
    lacks: tuple[Message, ...] = ()
    ties: tuple[Tie, ...] = ()
    reach: Reach | None = None
    zeros: int = 0
    divisor: int = 0

    @cached_property
    def cells(self) -> Sequence[Cell]:
        """Return the cells in the order of the parts, without those that the person has nothing of.

        A table of many evenings is read far more often than what each person has of each of them.
        """
        return tuple(self.of_parts())


@dataclass(frozen=True)
class Table:
    """The rows in their order: those with a rank, then the others, each by total. It is a total order."""

    rows: tuple[Row, ...]
    low_wins: bool = False


def check_parts(rule: Rule, parts: Sequence[Part]) -> None:
    """Raise `Illegal` for parts that the rule can't count: low scores that would win by staying away."""
    directions = {part.low_wins for part in parts}
    if rule.value.by not in ABSOLUTE or True not in directions:
        return
    if len(directions) > 1:
        raise Illegal(
            text(
                "Low scores win on some evenings and high scores on others. Count the share of the field "
                "that was beaten, or points for places."
            )
        )
    enough = rule.divide == "mean" or 0 < rule.count.best <= rule.minimum.played
    if rule.over or rule.value.least is not None or not enough:
        raise Illegal(
            text(
                "Low scores win here, so who plays less would win. Count the average, the share of the field "
                "that was beaten, points for places, or the best evenings with a minimum of as many."
            )
        )


def table(rule: Rule, parts: Sequence[Part], facts: Facts, *, reaching: bool = True) -> Table:
    """Return the table of parts in the order of their evenings; ``reaching``: with what would help.

    Who has played none of them is not in it. Raises what `check_parts` raises, and `Illegal` for fractions
    that are too fine to be added.
    """
    reckoning, ranked, others = _entries(rule, parts, facts)
    rows = (
        *reckoning.ranked(ranked, others if reaching else None),
        *(reckoning.row(entry) for entry in others),
    )
    return Table(rows, low_wins=reckoning.sign < 0)


def places(rule: Rule, parts: Sequence[Part], facts: Facts) -> Mapping[str, tuple[int | None, Fraction]]:
    """Return rank and total of each person as `table` has them, in its order; raises as that does."""
    reckoning, ranked, others = _entries(rule, parts, facts)
    found = [(rank, entry) for rank, group in reckoning.groups(ranked) for entry in group]
    rows = [*found, *((None, entry) for entry in others)]
    return {entry.person.id: (rank, reckoning.sign * entry.placed.total) for rank, entry in rows}


def _entries(
    rule: Rule, parts: Sequence[Part], facts: Facts
) -> "tuple[_Reckoning, list[_Entry], list[_Entry]]":
    """Return how parts are counted, what those who are ranked have, the best first, and what others have."""
    counted = [part for part in parts if not rule.lists or part.list in rule.lists]
    check_parts(rule, counted)
    low = rule.value.by in ABSOLUTE and any(part.low_wins for part in counted)
    sign = -1 if low else 1
    people = people_of(rule, counted, facts, sign)
    reckoning = _reckoning(rule, counted, facts, people, sign)
    entries = [reckoning.entry(person) for person in people]
    ranked = sorted((entry for entry in entries if not entry.lacks), key=reckoning.level, reverse=True)
    others = sorted((entry for entry in entries if entry.lacks), key=lambda each: each.placed, reverse=True)
    return reckoning, ranked, others


# ---- The table in the making ---------------------------------------------------------------------


class _Placed(NamedTuple):
    """A person's total and all values, the best first; more is better."""

    total: Fraction
    best: list[int]


@dataclass(frozen=True)
class _Entry:
    """What a person has, as it is counted."""

    person: Person
    items: Sequence[Item]
    pile: Pile
    placed: _Placed
    lacks: tuple[Message, ...]


def _best(items: Sequence[Item]) -> list[int]:
    return sorted([item.value for item in items], reverse=True)


def _reckoning(
    rule: Rule, parts: Sequence[Part], facts: Facts, people: Sequence[Person], sign: int
) -> "_Reckoning":
    values = [value for each in people for value in each.values.values() if isinstance(value, Fraction)]
    common = _common({value.denominator for value in values})
    negative = any(share.points.numerator < 0 for part in parts for share in part.shares)
    ladder = ladder_of(rule, common, sign=sign, negative=negative)
    given = sign * Fraction(rule.absence.value)
    others = (*ladder.few, ladder.step, ladder.most, given, Fraction(rule.deduction.points))
    denominator = _common([common, *(number.denominator for number in others)])
    counting = Counting(rule, denominator, given, [*(part.weight for part in parts), 1])
    return _Reckoning(rule, parts, facts, counting, ladder, sign)


def _common(denominators: Iterable[int]) -> int:
    """Return the least number that all divide; raise `Illegal` for one of too many digits."""
    found = 1
    for each in denominators:
        found = lcm(found, each)
        if found > _FINEST:
            raise Illegal(text("These points have fractions that are too fine to be added: round them."))
    return found


_FINEST: Final = 10**1000
"""Exact totals stay short enough to be counted with and written down."""


_NOTHING: Final = text("No rank, as nothing counts yet.")


@dataclass(frozen=True)
class _Reckoning:
    """A rule that counts parts, with what is known of people; ``sign`` is -1 where low scores win."""

    rule: Rule
    parts: Sequence[Part]
    facts: Facts
    counting: Counting
    ladder: Ladder
    sign: int

    def entry(self, person: Person) -> _Entry:
        """Return what a person's parts come to."""
        counting = self.counting
        items = counting.items(person.values, self.parts, self.sign)
        pile = counting.pile(items, person.missed)
        lacks = tuple(_lacks(self.rule, self.facts, person, len(items)))
        if self.rule.edition >= RANKS_NEED_VALUES and not (pile.others or pile.finals):
            lacks = (_NOTHING, *lacks)
        return _Entry(person, items, pile, _Placed(counting.total(pile), _best(items)), lacks)

    def groups(self, ordered: Sequence[_Entry]) -> Iterator[tuple[int, Sequence[_Entry]]]:
        """Yield each rank with those who share it."""
        rank = 1
        for _, same in groupby(ordered, key=self.level):
            group = list(same)
            yield rank, group
            rank += len(group)

    def ranked(self, ordered: Sequence[_Entry], others: Sequence[_Entry] | None) -> Iterator[Row]:
        """Yield the rows of those who are ranked, in order; with what would help where ``others`` are given.

        Those are who is not ranked.
        """
        above = list[int]()
        best = () if others is None else self._best_from([*ordered, *others])
        for _, same in groupby(self.groups(ordered), key=lambda each: each[1][0].placed.total):
            level = list(same)
            for rank, group in level:
                apart = self._apart(group[0], [entry for at, each in level if at != rank for entry in each])
                for entry in group:
                    sharing = tuple(each.person.id for each in group if each is not entry)
                    ties = (*([Tie(sharing)] if sharing else []), *apart)
                    targets = _targets(best, above, entry) if best else iter(())
                    yield self.row(entry, rank, ties, self.reach(entry, targets))
                above.append(rank)

    def _best_from(self, entries: Sequence[_Entry]) -> Sequence[Sequence[tuple[_Placed, _Entry]]]:
        """Return for each entry the two that stand best of it and those behind, even if they stay away."""
        best, found = list[tuple[_Placed, _Entry]](), []
        for entry in reversed(entries):
            soon = self._soon(entry)
            if soon:
                best = sorted([*best, (soon, entry)], key=itemgetter(0), reverse=True)[:2]
            found.append(best)
        return found[::-1]

    def _soon(self, entry: _Entry) -> _Placed | None:
        """Return how a person stands, or after one more absence if that is better; None: not ranked."""
        now = None if entry.lacks else self.level(entry)
        away = self._given(entry) is not None and self._goes_on(entry)
        if not away or (entry.lacks and entry.lacks != (_NOTHING,)):
            return now
        pile = self.counting.pile(entry.items, [*entry.person.missed, len(self.parts)])
        soon = _Placed(self.counting.total(pile), self.level(entry).best)
        return max(now, soon) if now else soon

    @cached_property
    def _next(self) -> date:
        """Return the first day on which another part can be."""
        return max(part.on for part in self.parts) + timedelta(days=1)

    def _goes_on(self, entry: _Entry) -> bool:
        """Return whether another part can be one for a person."""
        return self.facts.counts(entry.person.id, self._next)

    def level(self, entry: _Entry) -> _Placed:
        """Return what those who share a rank have in common."""
        return _Placed(entry.placed.total, []) if self.rule.ties == "shared" else entry.placed

    def row(
        self, entry: _Entry, rank: int | None = None, ties: tuple[Tie, ...] = (), reach: Reach | None = None
    ) -> Row:
        """Return a person's row."""
        return Row(
            entry.person.id,
            rank,
            self.sign * entry.placed.total,
            self._tally(entry),
            partial(self._cells, entry),
            len(entry.items),
            len(entry.person.partners),
            self.sign * self.counting.bonus(entry.pile.played),
            entry.lacks,
            ties,
            reach,
            *self.counting.divided(entry.pile),
        )

    def _chosen(self, pile: Pile) -> set[int]:
        return {*pile.finals, *(item.at for item in pile.others[: self.counting.kept(pile)])}

    def _tally(self, entry: _Entry) -> Tally:
        chosen, missed = self._chosen(entry.pile), entry.person.missed
        away = len(chosen.intersection(missed))
        have = len(entry.items) + (0 if self._given(entry) is None else len(missed))
        own = sum(place.own for place, _field in entry.person.places.values())
        return Tally(len(chosen) - away, away, have - len(chosen), own)

    def _cells(self, entry: _Entry) -> Iterator[Cell]:
        values, chosen = entry.person.values, self._chosen(entry.pile)
        out: Why = "dropped" if self.rule.count.drops.every else "not_best"
        given, places = self._given(entry), entry.person.places
        missed = () if given is None else entry.person.missed
        for at in sorted([*values, *missed]):
            part, value = self.parts[at], values.get(at, given)
            if not isinstance(value, Fraction):
                yield Cell(part.key, None, value or "no_value")
                continue
            played: Why = "final" if part.final else "counts"
            why = out if at not in chosen else played if at in values else "absent"
            weight = part.weight if at in values else self.counting.absent(part.weight)
            yield Cell(part.key, value, why, weight, *places.get(at, ()))

    def _given(self, entry: _Entry) -> Fraction | None:
        """Return what an absence is worth to a person, None for nothing."""
        match self.rule.absence.gives:
            case "value":
                return self.sign * self.counting.given
            case "average" if entry.items:
                return self.sign * self.counting.average(entry.items)
            case _:
                return None

    def _apart(self, own: _Entry, others: Sequence[_Entry]) -> Sequence[Tie]:
        """Return what tells a person from others of the same total, by the best that does."""
        found = dict[int, list[_Entry]]()
        for other in others:
            pairs = enumerate(zip_longest(own.placed.best, other.placed.best))
            found.setdefault(next(at for at, (mine, theirs) in pairs if mine != theirs), []).append(other)
        return [
            Tie(
                tuple(each.person.id for each in level),
                at + 1,
                self._shown(own, at),
                tuple(self._shown(each, at) for each in level),
            )
            for at, level in sorted(found.items())
        ]

    def _shown(self, entry: _Entry, at: int) -> Fraction | None:
        """Return what the best of an index is worth, None for who has fewer."""
        best = entry.placed.best
        return Fraction(self.sign * best[at], self.counting.denominator) if at < len(best) else None

    def reach(self, entry: _Entry, targets: Iterator[tuple[int, _Placed]]) -> Reach | None:
        """Return what another part must be worth for the next better place, and the place that it takes.

        ``targets`` are the better places, the nearest first, each with what has to be reached. The place
        can be a better one still, as ties may be won against several.
        """
        most = self.rule.count.declared
        all_declared = most and len(self.facts.evenings(entry.person.id, most)) == most
        place, target = next(targets, (0, None))
        if target is None or all_declared or not self._goes_on(entry):
            return None
        ladder, taken = self.ladder, self.facts.deducted(self.rule.deduction, entry.person.id, self._next)

        def enough(rung: int, target: _Placed = target) -> bool:
            return self._reaches(entry, ladder.worth(rung) - taken, target)

        guess = self.counting.missing(entry.pile, target.total) + taken
        found = least(enough, ladder.rung(guess), ladder.bottom, ladder.top)
        if found is None:
            return None
        for better, further in targets:
            if not enough(found, further):
                break
            place, target = better, further
        value = None if found == ladder.bottom else self.sign * ladder.value(found)
        away, scale = self.rule.absence.gives != "nothing", self._scale
        if value is None or not scale:
            return Reach(place, value, away)

        def as_good(worth: Fraction, target: _Placed = target) -> bool:
            return self._reaches(entry, ladder.counted(worth) - taken, target)

        return Reach(place, value, away, len([*takewhile(as_good, scale)]), len(scale))

    @cached_property
    def _scale(self) -> Sequence[Fraction]:
        """Return what each place of a field as large as the last is worth, empty where points are."""
        if self.rule.value.by in ABSOLUTE:
            return ()
        worth_of, last = worth(self.rule.value), self.parts[-1]
        earned = (worth_of(last, Share("", ZERO, rank)) for rank in range(1, entries(last) + 1))
        return [each for each in earned if each is not None]

    def _reaches(self, entry: _Entry, worth: Fraction, target: _Placed) -> bool:
        """Return whether a person with another part of a worth stands as well as this."""
        counting = self.counting
        more = counting.item(len(self.parts), counting.scaled(worth))
        if entry.person.missed and self.rule.absence.gives == "average":
            total = counting.total(counting.pile([*entry.items, more], entry.person.missed))
        else:
            total = counting.total(entry.pile, more)
        if total != target.total or self.rule.ties == "shared":
            return total >= target.total
        return _best([*entry.items, more]) >= target.best


def _targets(
    best: Sequence[Sequence[tuple[_Placed, _Entry]]], above: Sequence[int], entry: _Entry
) -> Iterator[tuple[int, _Placed]]:
    """Yield the places above a person, the nearest first, with the best of those who can have it."""
    for place in reversed(above):
        target = next((one for one, of in best[place - 1] if of is not entry), None)
        if target is None:
            return
        yield place, target


def _lacks(rule: Rule, facts: Facts, person: Person, played: int) -> Iterator[Message]:
    """Yield what a person lacks to be ranked."""
    least_played, least_partners = rule.minimum.played, rule.minimum.partners
    if played < least_played and rule.unit == "list":
        yield plural(
            "%(count)d more list is needed for a rank.",
            "%(count)d more lists are needed for a rank.",
            least_played - played,
        )
    elif played < least_played:
        yield plural(
            "%(count)d more evening is needed for a rank.",
            "%(count)d more evenings are needed for a rank.",
            least_played - played,
        )
    if len(person.partners) < least_partners:
        yield plural(
            "%(count)d more partner is needed for a rank.",
            "%(count)d more partners are needed for a rank.",
            least_partners - len(person.partners),
        )
    won = {prize.name for prize in facts.prizes if prize.person == person.id}
    for name in rule.without:
        if name in won:
            yield text("No rank, as the winner of this prize: %(prize)s.", prize=name)
    for winner, table_ in facts.left_out:
        if winner == person.id:
            yield text("No rank, as a winner of another table: %(table)s.", table=table_)

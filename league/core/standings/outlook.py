"""The best and the worst final rank that each entry can still reach in a stage.

These are bounds, not forecasts: they hold whatever the remaining results are. They do not include what an
organiser may still decide: adjustments, rulings, late entries, a return.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import takewhile
from math import lcm
from typing import TypeAlias

from league.core import formats, scoring
from league.core.drawing.draw import stage_sizes
from league.core.records import ZERO, Rate, Record, total
from league.core.standings import ranking
from league.core.standings.rows import Order, Placed
from league.core.standings.tie_breaks import EXPELLED, PLACEMENT, Accounts, Criterion
from league.core.state.competition import Competition, Entry, Stage


@dataclass(frozen=True)
class Outlook:
    """The best and the worst rank in the group that an entry can still reach."""

    best: int
    worst: int


@dataclass(frozen=True)
class Span:
    """The fewest and the most points that are possible."""

    low: Fraction
    high: Fraction


_Points: TypeAlias = dict[int, list[Fraction]]
"""Points by round."""


def outlook(
    state: Competition, number: int, order: Order | None = None, accounts: Accounts | None = None
) -> Mapping[str, Outlook] | None:
    """Return the outlook of each entry of a stage, or None where results are unbounded (scores, open play).

    A caller who has them gives the order and the accounts after the last published round. Raises `Illegal`
    where the stage has not begun.
    """
    stage = state.stage_numbered(number)
    format_ = formats.of(stage.plan)
    # A cup's play-off can be for its own ranks.
    playing_off = format_.has_brackets and stage.open_round
    if settled(state, stage) and not playing_off:
        ranks = list((order or ranking.order(state, number)).ranks())
        shared = Counter((group, rank) for group, _entry, rank in ranks)
        return {entry: Outlook(rank, rank + shared[group, rank] - 1) for group, entry, rank in ranks}
    if format_.open_tables:
        return None
    accounts = accounts or ranking.accounts_of(state, stage, len(stage.shown_rounds))
    if accounts.reached:
        return _by_reach(state, stage, accounts)
    if stage.plan.scoring.by == "score" and not stage.plan.scoring.match_points:
        return None
    return _by_points(state, stage, accounts, format_.rounds(state, stage))


def settled(state: Competition, stage: Stage) -> bool:
    """Return whether no round of a stage is left to play, apart from play-offs for the next one."""
    rounds = formats.of(stage.plan).rounds(state, stage)
    playing = stage.open_round and not stage.open_round.play_off
    played = len(stage.rounds) >= rounds and not playing
    return state.over or (played and not stage.to_come())


# ---- By the format's ranks -----------------------------------------------------------------------


def _by_reach(state: Competition, stage: Stage, accounts: Accounts) -> dict[str, Outlook]:
    """Return the outlook where the format gives ranks: what it leaves to an entry, or those of its class."""
    format_ = formats.of(stage.plan)
    possible, playing = format_.possible(state, stage), format_.still_in(state, stage) or ()
    outlooks: dict[str, Outlook] = {}
    for group in stage.groups:
        found: dict[str, Outlook] = {}
        classes: dict[int, list[str]] = {}
        for entry in group:
            classes.setdefault(accounts.reached[entry].rank, []).append(entry)
        for rank, entries in classes.items():
            found |= _within(stage, accounts, rank, entries, playing)
        found |= {entry: Outlook(*possible[entry]) for entry in group if entry in possible}
        gone = [found[entry] for entry in group if entry in accounts.last]
        outlooks |= {entry: _without(each, gone) for entry, each in found.items()} if gone else found
        outlooks |= _put_out(group, accounts)
    return outlooks


def _without(each: Outlook, gone: Sequence[Outlook]) -> Outlook:
    """Return an outlook without those who come last: who surely was ahead is not any more."""
    ahead = sum(other.best < each.best for other in gone)
    return Outlook(each.best - ahead, each.worst - sum(other.worst <= each.worst for other in gone))


def _within(
    stage: Stage, accounts: Accounts, rank: int, entries: Sequence[str], playing: Container[str]
) -> dict[str, Outlook]:
    """Return the outlook of those of one rank by the format; who plays no more is ranked by what lasts."""
    by = [] if any(entry in playing for entry in entries) else _lasting(stage, accounts, entries)
    found, first = dict[str, Outlook](), rank
    for level in levelled(ranking.ordered(accounts, entries, by)):
        last = first + len(level) - 1
        found |= dict.fromkeys(level, Outlook(first, last))
        first = last + 1
    return found


def levelled(placed: Sequence[Placed]) -> list[list[str]]:
    """Return those in order whom nothing separates together."""
    found: list[list[str]] = []
    for each in placed:
        if each.divide or not found:
            found.append([])
        found[-1].append(each.entry)
    return found


def _lasting(stage: Stage, accounts: Accounts, entries: Sequence[str]) -> list[Criterion]:
    """Return the first criteria by which entries that play no more stay in order, whatever others play."""
    records = [accounts.records[entry] for entry in entries]
    if scoring.fixed_points(accounts.rate, stage.plan.scoring.absent) != 0:
        return []
    by = [each for each in ranking.criteria(stage) if each not in (EXPELLED, PLACEMENT)]

    def lasts(each: Criterion) -> bool:
        filled = (each.fills_in(accounts, record) for record in records if record.away or record.voided)
        return each.lasts and not any(filled)

    return [*takewhile(lasts, by)]


def _put_out(group: Sequence[str], accounts: Accounts) -> dict[str, Outlook]:
    """Return the outlook of those of a group who come last: they were expelled, or never came."""
    out = [entry for entry in group if entry in accounts.last]
    return dict.fromkeys(out, Outlook(len(group) - len(out) + 1, len(group)))


# ---- By points -----------------------------------------------------------------------------------


def _by_points(state: Competition, stage: Stage, accounts: Accounts, rounds: int) -> dict[str, Outlook]:
    course = _course(state, stage, rounds)
    known = {entry.id: entry for entry in state.entries}
    spans = {entry: _span(course, known[entry], accounts.records[entry]) for entry in stage.entries}
    outlooks: dict[str, Outlook] = {}
    for entries in stage.groups:
        outlooks |= _put_out(entries, accounts)
        group = [entry for entry in entries if entry not in accounts.last]
        # Equal spans are one object as a rule, and fractions take long to compare.
        different = list({id(spans[entry]): spans[entry] for entry in group}.values())
        ends = _whole([each for span in different for each in (span.low, span.high)])
        whole = {
            id(span): at for span, at in zip(different, zip(ends[::2], ends[1::2], strict=True), strict=True)
        }
        of_group = [whole[id(spans[entry])] for entry in group]
        # Nobody is ahead of or behind themselves, for no span's low end is above its high one.
        lows, highs = sorted(low for low, _ in of_group), sorted(high for _, high in of_group)
        found = {
            (low, high): Outlook(
                1 + len(group) - bisect_right(lows, high), len(group) - bisect_left(highs, low)
            )
            for low, high in {*of_group}
        }
        outlooks |= {entry: found[ends_of] for entry, ends_of in zip(group, of_group, strict=True)}
    return outlooks


def _whole(numbers: Sequence[Fraction]) -> list[int]:
    """Return whole numbers in the proportions of these, which are compared many times as fast."""
    common = lcm(*(number.denominator for number in numbers))
    return [number.numerator * (common // number.denominator) for number in numbers]


@dataclass(frozen=True)
class _Course:
    """What is known of a stage's rounds, the same for all entries.

    ``each`` are the points possible for one result, of which a round brings ``results``. ``undecided`` are
    the entries of each published round at a table without a result. ``known`` are the spans of entries that
    played all their rounds, by their points and the number of rounds that can still change them.
    """

    stage: Stage
    rounds: int
    rate: Rate
    each: Span
    results: int
    undecided: Sequence[frozenset[str]]
    known: dict[tuple[int, int, int], Span] = field(default_factory=dict)

    @cached_property
    def unsettled(self) -> Sequence[tuple[int, bool]]:
        """Return the published rounds that can still change points, each with whether it is closed."""
        shown = list(zip(self.stage.rounds, self.undecided, strict=False))[: self.rounds]
        closed = [(each.number, each.status == "closed", undecided) for each, undecided in shown]
        return [(number, over) for number, over, undecided in closed if undecided or not over]

    @cached_property
    def unpublished(self) -> range:
        """Return the rounds to come."""
        return range(len(self.undecided) + 1, self.rounds + 1)

    @cached_property
    def for_round(self) -> Span:
        """Return the points possible for a round."""
        return Span(self.each.low * self.results, self.each.high * self.results)


def _course(state: Competition, stage: Stage, rounds: int) -> _Course:
    rate = scoring.rate_of(state, stage)
    undecided = [
        frozenset(entry for table in each.tables if not table.decided for entry in table.entries)
        for each in stage.shown_rounds
    ]
    span, results = _table_span(state, stage, rate), _results_a_round(state, stage)
    return _Course(stage, rounds, rate, span, results, undecided)


def _span(course: _Course, entry: Entry, record: Record) -> Span:
    """Return the fewest and the most points that an entry can have at the end."""
    open_rounds = _open_rounds(course, entry, record)
    if not course.rate.scoring.best and all(line.kind == "played" for line in record.lines):
        return _plain_span(course, record.points, len(open_rounds))
    return _general_span(course, record, open_rounds)


def _general_span(course: _Course, record: Record, open_rounds: Sequence[int]) -> Span:
    lows, highs = _round_sums(course, record, len(open_rounds) * course.results)
    for number in open_rounds:
        lows.setdefault(number, []).append(min(ZERO, course.for_round.low))
        highs.setdefault(number, []).append(course.for_round.high)
    given = [record.carried, *(each.points for each in record.adjustments)]
    best = course.rate.scoring.best
    return Span(_best_sum(given, lows, best), _best_sum(given, highs, best))


def _plain_span(course: _Course, points: Fraction, more: int) -> Span:
    """Return the span of an entry all of whose points stay, and to which so many rounds add some."""
    key = points.numerator, points.denominator, more
    if key not in course.known:
        low, high = min(ZERO, course.for_round.low), course.for_round.high
        course.known[key] = Span(points + more * low, points + more * high)
    return course.known[key]


def _open_rounds(course: _Course, entry: Entry, record: Record) -> list[int]:
    """Return the rounds that can still change the entry's points."""
    at_tables = {line.round for line in record.lines} if course.unsettled else frozenset()
    open_rounds = [
        number
        for number, closed in course.unsettled
        if entry.id in course.undecided[number - 1] or not (closed or number in at_tables)
    ]
    stage = course.stage.number
    return [*open_rounds, *(number for number in course.unpublished if entry.takes_part((stage, number)))]


def _results_a_round(state: Competition, stage: Stage) -> int:
    """Return how many results an entry can have in a round: boards times games at a table."""
    tables = [table for each in stage.shown_rounds for table in each.tables]
    games = max((1 if table.match else len(table.games) for table in tables), default=1)
    return scoring.boards(state, stage) * (1 if stage.plan.scoring.match_points else max(1, games))


def _table_span(state: Competition, stage: Stage, rate: Rate) -> Span:
    """Return the points possible for one result, or for a policy that replaces it."""
    sizes = {rate.parties(size) for size in stage_sizes(state.opening, stage.plan)} | {rate.size}
    if rate.match_points:
        return Span(min(rate.match_points), max(rate.match_points))
    if rate.scoring.by == "win":
        return Span(ZERO, max(Fraction(1), Fraction(max(sizes), rate.size)))
    values = [value for size in sizes for value in scoring.place_values(rate, size)]
    return Span(min(values), max(values))


def _round_sums(course: _Course, record: Record, more: int) -> tuple[_Points, _Points]:
    """Return the fewest and the most points that the present lines can have at the end.

    ``more`` is the number of results still possible.
    """
    lows, highs = _Points(), _Points()
    average: Span | None = None
    for line in record.lines:
        low = high = line.points
        if line.kind != "played":
            average = average or _average_span(record, course.each, more)
            times = course.results if line.table is None else 1
            low, high = min(low, average.low * times), max(high, average.high * times)
        lows.setdefault(line.round, []).append(low)
        highs.setdefault(line.round, []).append(high)
    return lows, highs


def _average_span(record: Record, each: Span, more: int) -> Span:
    """Return what an entry's average can become: a policy may give it to a line without a result."""
    played = [line.points for line in record.lines if line.kind == "played"]
    if not played:
        return each
    count, total = len(played) + more, sum(played, ZERO)
    return Span((total + more * each.low) / count, (total + more * each.high) / count)


def _best_sum(given: Sequence[Fraction], by_round: _Points, best: int) -> Fraction:
    """Return the points given and those of the rounds, or of the best so many of them."""
    if best:
        sums = sorted((total(points) for points in by_round.values()), reverse=True)[:best]
    else:
        sums = [points for each in by_round.values() for points in each]
    return total([*given, *sums])

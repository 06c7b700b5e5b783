"""The best and the worst final rank that each entry can still reach in a stage.

These are bounds, not forecasts: they hold whatever the remaining results are. They do not include what an
organiser may still decide: adjustments, rulings, late entries, a return.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from league.core import formats, scoring
from league.core.drawing.sizes import stage_sizes
from league.core.scoring import ZERO, Rate, Record
from league.core.standings import ranking
from league.core.standings.tie_breaks import Accounts
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


def outlook(state: Competition, number: int) -> Mapping[str, Outlook] | None:
    """Return the outlook of each entry of a stage, or None where results are unbounded (scores, open play).

    Raises `Illegal` where the stage has not begun.
    """
    stage = state.stage_numbered(number)
    format_ = formats.find(stage.plan.format)
    accounts = ranking.accounts_of(state, stage, len(stage.rounds))
    if settled(state, stage):
        rows = ranking.standings(state, number)
        shared = Counter((row.group, row.rank) for row in rows)
        return {row.entry: Outlook(row.rank, row.rank + shared[row.group, row.rank] - 1) for row in rows}
    if format_.open_tables:
        return None
    if accounts.reached:
        return _by_reach(stage, accounts)
    if stage.plan.scoring.by == "score":
        return None
    return _by_points(state, stage, accounts, format_.rounds(state, stage))


def settled(state: Competition, stage: Stage) -> bool:
    """Return whether no round of a stage is left to play, apart from play-offs for the next one."""
    rounds = formats.find(stage.plan.format).rounds(state, stage)
    playing = stage.open_round and not stage.open_round.play_off
    played = len(stage.rounds) >= rounds and not playing
    return state.over or (played and not stage.to_come())


# ---- By the format's ranks -----------------------------------------------------------------------


def _by_reach(stage: Stage, accounts: Accounts) -> dict[str, Outlook]:
    """Return the outlook where the format gives ranks: an entry can only pass those of the same rank."""
    outlooks: dict[str, Outlook] = {}
    for group in stage.groups:
        ranks = {entry: accounts.reached[entry].rank for entry in group}
        level = Counter(ranks.values())
        outlooks |= {entry: Outlook(rank, rank + level[rank] - 1) for entry, rank in ranks.items()}
    return outlooks


# ---- By points -----------------------------------------------------------------------------------


def _by_points(state: Competition, stage: Stage, accounts: Accounts, rounds: int) -> dict[str, Outlook]:
    course = _course(state, stage, rounds)
    spans = {entry: _span(course, state.entry(entry), accounts.records[entry]) for entry in stage.entries}
    outlooks: dict[str, Outlook] = {}
    for group in stage.groups:
        # Nobody is ahead of or behind themselves, for no span's low end is above its high one.
        lows = sorted(spans[entry].low for entry in group)
        highs = sorted(spans[entry].high for entry in group)
        for entry in group:
            ahead = len(group) - bisect_right(lows, spans[entry].high)
            behind = bisect_left(highs, spans[entry].low)
            outlooks[entry] = Outlook(1 + ahead, len(group) - behind)
    return outlooks


@dataclass(frozen=True)
class _Course:
    """What is known of a stage's rounds, the same for all entries.

    ``each`` are the points possible for one result, of which a round brings ``results``. ``undecided`` are
    the entries of each published round at a table without a result.
    """

    stage: Stage
    rounds: int
    rate: Rate
    each: Span
    results: int
    undecided: Sequence[Container[str]]


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
    each, results = course.each, course.results
    open_rounds = _open_rounds(course, entry, record)
    lows, highs = _round_sums(record, each, len(open_rounds) * results, results)
    for number in open_rounds:
        lows[number] = lows.get(number, ZERO) + min(ZERO, each.low * results)
        highs[number] = highs.get(number, ZERO) + each.high * results
    fixed = record.points - sum((line.points for line in record.lines if line.counts), ZERO)
    best = course.rate.scoring.best
    return Span(fixed + _best_sum(lows, best), fixed + _best_sum(highs, best))


def _open_rounds(course: _Course, entry: Entry, record: Record) -> list[int]:
    """Return the rounds that can still change the entry's points."""
    stage, known = course.stage, {line.round for line in record.lines}
    numbers = []
    for number in range(1, course.rounds + 1):
        closed = number <= len(stage.rounds) and stage.rounds[number - 1].status == "closed"
        shown = number <= len(course.undecided)
        coming = number not in known if shown else entry.takes_part((stage.number, number))
        undecided = shown and entry.id in course.undecided[number - 1]
        if undecided or (not closed and coming):
            numbers.append(number)
    return numbers


def _results_a_round(state: Competition, stage: Stage) -> int:
    """Return how many results an entry can have in a round: boards times games at a table."""
    games = max((len(table.games) for each in stage.shown_rounds for table in each.tables), default=1)
    return scoring.boards(state) * max(1, games)


def _table_span(state: Competition, stage: Stage, rate: Rate) -> Span:
    """Return the points possible for one result, or for a policy that replaces it."""
    sizes = stage_sizes(state.opening, stage.plan)
    if rate.scoring.by == "win":
        return Span(ZERO, max(Fraction(1), Fraction(max(sizes), rate.size)))
    values = [value for size in (*sizes, rate.size) for value in scoring.place_values(rate, size)]
    return Span(min(values), max(values))


def _round_sums(
    record: Record, each: Span, more: int, results: int
) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """Return, by round, the fewest and the most points that the present lines can have at the end.

    ``more`` is the number of results still possible, ``results`` the most in a round.
    """
    played = [line.points for line in record.lines if line.kind == "played"]
    average = _average_span(played, each, more)
    lows: dict[int, Fraction] = {}
    highs: dict[int, Fraction] = {}
    for line in record.lines:
        span = Span(line.points, line.points) if line.kind == "played" else average
        times = results if line.table is None else 1
        lows[line.round] = lows.get(line.round, ZERO) + min(line.points, span.low * times)
        highs[line.round] = highs.get(line.round, ZERO) + max(line.points, span.high * times)
    return lows, highs


def _average_span(played: Sequence[Fraction], each: Span, more: int) -> Span:
    """Return what an entry's average can become: a policy may give it to a line without a result."""
    if not played:
        return each
    count, total = len(played) + more, sum(played, ZERO)
    return Span((total + more * each.low) / count, (total + more * each.high) / count)


def _best_sum(sums: Mapping[int, Fraction], best: int) -> Fraction:
    kept = sorted(sums.values(), reverse=True)
    return sum(kept[:best] if best else kept, ZERO)

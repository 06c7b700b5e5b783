"""From records to a table in total order, each row with its rank explained.

The order is that of the criteria: the place that the format gives, points, the stage's tie-breaks, and last
the lot from the log's seed, so that it is total and the same however the entries are listed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from league import formats, scoring
from league.competition.state import Competition, Stage
from league.scoring import NOWHERE
from league.tie_breaks import BY_KEY, LOT, PLACEMENT, POINTS, Accounts, Criterion, Mark


@dataclass(frozen=True)
class Row:
    """A line of the standings.

    ``tiebreaks`` are values as written, None where a tie-break could not be asked. ``decided_by`` is the
    tie-break between this row and the one above (below, for the first) of those level with it, or None.
    ``movement`` is how many places it has risen since the round before, None where it was not there.
    """

    rank: int
    entry: str
    group: int
    played: int
    points: Fraction
    tiebreaks: Mapping[str, str | None]
    decided_by: str | None
    explanation: str
    movement: int | None


@dataclass(frozen=True)
class Divide:
    """What put two neighbours in their order: a criterion and the values of both."""

    criterion: Criterion
    above: str
    below: str


@dataclass(frozen=True)
class Placed:
    """An entry in its place, and what divides it from the one above (None for the first)."""

    entry: str
    divide: Divide | None


# ---- Standings of a stage ------------------------------------------------------------------------


def standings(state: Competition, number: int, through: int | None = None) -> tuple[Row, ...]:
    """Return the rows of a stage, group after group, over its published rounds or those up to ``through``.

    Raises `Illegal` where the stage has not begun.
    """
    stage = state.stage_numbered(number)
    last = through if through is not None else len(stage.shown_rounds)
    earlier = _standings(state, stage, last - 1, ()) if last > 1 else ()
    return _standings(state, stage, last, earlier)


def standings_by_round(state: Competition, number: int) -> Sequence[tuple[Row, ...]]:
    """Return the rows of a stage after each of its published rounds, or as it begins where there is none.

    Each is what `standings` returns; raises `Illegal` where the stage has not begun.
    """
    stage = state.stage_numbered(number)
    told: list[tuple[Row, ...]] = []
    for last in range(1, len(stage.shown_rounds) + 1):
        told.append(_standings(state, stage, last, told[-1] if told else ()))
    return told or [_standings(state, stage, 0, ())]


def _standings(state: Competition, stage: Stage, through: int, before: Sequence[Row]) -> tuple[Row, ...]:
    accounts = accounts_of(state, stage, through)
    earlier = {row.entry: row.rank for row in before}
    return tuple(
        row
        for at, group in enumerate(stage.groups, 1)
        for row in _rows(state, stage, at, group, accounts, earlier)
    )


def final_order(state: Competition) -> tuple[str, ...]:
    """Return everybody who played in the order in which the competition leaves them, the winner first.

    Who reached a later stage stands before all others. Groups that are equals are merged rank by rank,
    divisions follow each other.
    """
    order: dict[str, None] = {}
    for stage in reversed(state.stages):
        intake = stage.plan.intake
        divisions = intake.divide == "stack" or intake.source == "promotion"
        rows = sorted(
            standings(state, stage.number),
            key=lambda row: (row.group, row.rank) if divisions else (row.rank, row.group),
        )
        order |= dict.fromkeys(row.entry for row in rows)
    return tuple(order)


def accounts_of(state: Competition, stage: Stage, through: int) -> Accounts:
    """Return what the standings of a stage after a round are made from."""
    return Accounts(
        records=scoring.records(state, stage, through),
        pay=scoring.rate(state, stage),
        reached=formats.find(stage.plan.format).reached(state, stage, through),
        lots=lots(state, stage),
    )


def lots(state: Competition, stage: Stage) -> Mapping[str, int]:
    """Return each entry's lot, 1 first. Who comes late changes nothing between the others."""
    drawn = sorted(
        (next(state.chance.words(f"lot {stage.number} {entry}")), entry) for entry in stage.entries
    )
    return {entry: at for at, (_, entry) in enumerate(drawn, 1)}


def criteria(stage: Stage) -> tuple[Criterion, ...]:
    """Return what a stage's entries are put in order by, first things first."""
    chosen = [BY_KEY[key] for key in stage.plan.tie_breaks if key != LOT.key]
    return (PLACEMENT, POINTS, *chosen, LOT)


def _rows(
    state: Competition,
    stage: Stage,
    group: int,
    entries: Sequence[str],
    accounts: Accounts,
    earlier: Mapping[str, int],
) -> Iterator[Row]:
    placed = ordered(accounts, entries, criteria(stage))
    names = {entry.id: entry.name for entry in state.entries}
    rank = 0
    for level in _levels(placed):
        values = _values(accounts, [each.entry for each in level], stage.plan.tie_breaks)
        for at, each in enumerate(level):
            rank += 1
            record = accounts.records[each.entry]
            yield Row(
                rank=rank,
                entry=each.entry,
                group=group,
                played=record.played,
                points=record.points,
                tiebreaks=values[each.entry],
                decided_by=_deciding(level, at).criterion.key if len(level) > 1 else None,
                explanation=_explained(names, accounts, level, at),
                movement=earlier[each.entry] - rank if each.entry in earlier else None,
            )


# ---- Order ---------------------------------------------------------------------------------------


def ordered(accounts: Accounts, entries: Sequence[str], by: Sequence[Criterion]) -> tuple[Placed, ...]:
    """Return the entries in their order with what divides each from the one above.

    The last of the criteria must tell any two entries apart.
    """
    return tuple(_ordered(accounts, sorted(entries), by))


def _ordered(accounts: Accounts, level: Sequence[str], by: Sequence[Criterion]) -> list[Placed]:
    if len(level) < 2:
        return [Placed(entry, None) for entry in level]
    first, rest = by[0], by[1:]
    marks = first.marks(accounts, level)
    classes = _classes(level, marks)
    if marks is None or len(classes) == 1:
        return _ordered(accounts, level, rest)
    placed: list[Placed] = []
    for members in classes:
        inner = _ordered(accounts, members, by if first.restarts else rest)
        placed.extend(_joined(placed, inner, first, marks))
    return placed


def _classes(level: Sequence[str], marks: Mapping[str, Mark] | None) -> list[list[str]]:
    """Return the entries of equal mark together, the best first."""
    if marks is None:
        return [list(level)]
    best_first = sorted(level, key=lambda entry: marks[entry].key, reverse=True)
    return [list(members) for _, members in groupby(best_first, key=lambda entry: marks[entry].key)]


def _joined(
    placed: Sequence[Placed], inner: Sequence[Placed], by: Criterion, marks: Mapping[str, Mark]
) -> Sequence[Placed]:
    """Return a class as it follows those placed: its first is divided from them by the criterion."""
    if not placed:
        return inner
    top = inner[0].entry
    divide = Divide(by, marks[placed[-1].entry].text, marks[top].text)
    return [Placed(top, divide), *inner[1:]]


# ---- Words ---------------------------------------------------------------------------------------


def _levels(placed: Sequence[Placed]) -> Iterator[list[Placed]]:
    """Yield the entries that are level on placement and points."""
    level: list[Placed] = []
    for each in placed:
        if level and each.divide and each.divide.criterion in (PLACEMENT, POINTS):
            yield level
            level = []
        level.append(each)
    if level:
        yield level


def _values(
    accounts: Accounts, level: Sequence[str], keys: Sequence[str]
) -> Mapping[str, dict[str, str | None]]:
    """Return the tie-break values, as written, of entries level on points."""
    values: dict[str, dict[str, str | None]] = {entry: {} for entry in level}
    for key in keys:
        marks = BY_KEY[key].marks(accounts, level)
        for entry in level:
            values[entry][key] = marks[entry].text if marks else None
    return values


def _deciding(level: Sequence[Placed], at: int) -> Divide:
    """Return what divides one of several level entries from the one above; the first, from the one below."""
    divide = level[max(at, 1)].divide
    assert divide is not None
    return divide


def _explained(names: Mapping[str, str], accounts: Accounts, level: Sequence[Placed], at: int) -> str:
    """Return the sentence that says why an entry stands where it does."""
    entry = level[at].entry
    words = accounts.reached.get(entry, NOWHERE).words
    reached = f"{words}. " if words else ""
    points = _counted(accounts.records[entry].points)
    if len(level) == 1:
        return f"{reached}Alone on {points}."
    others = [each.entry for each in level if each.entry != entry]
    company = names[others[0]] if len(others) == 1 else f"{len(others)} others"
    return f"{reached}Level with {company} on {points}; {_compared(names, level, at)}."


def _compared(names: Mapping[str, str], level: Sequence[Placed], at: int) -> str:
    divide = _deciding(level, at)
    by = divide.criterion.title
    if at == 0:
        return f"ahead of {names[level[1].entry]} by {by} ({divide.above} to {divide.below})"
    return f"behind {names[level[at - 1].entry]} by {by} ({divide.below} to {divide.above})"


def _counted(points: Fraction) -> str:
    return f"{points} point" if 0 < points <= 1 else f"{points} points"

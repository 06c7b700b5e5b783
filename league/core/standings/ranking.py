"""The standings of a stage: its entries in a total order, with an explanation of each rank.

The criteria are the rank that the format gives, points, the stage's tie-breaks, and last a lot. Lots are
drawn when the stage closes: until then entries that are level on everything share a rank.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise, repeat

from games.engine.messages import Message, plural, text
from league.core import formats, scoring
from league.core.scoring import NOWHERE
from league.core.standings.tie_breaks import BY_KEY, LOT, PLACEMENT, POINTS, Accounts, Criterion, Key, Mark
from league.core.state.competition import Competition, Stage


@dataclass(frozen=True)
class Row:
    """A row of the standings.

    Entries that nothing separates share a ``rank``; the next one has as many ranks more. ``tiebreaks`` are
    values as text, None where a tie-break does not apply. ``decided_by`` is the tie-break that separates this
    row from the level row above (below, for the first), None without a level row or where they share a rank.
    ``movement`` is by how many ranks it rose since the round before, None where it was not there.
    """

    rank: int
    entry: str
    group: int
    played: int
    points: Fraction
    tiebreaks: Mapping[str, str | None]
    decided_by: str | None
    explanation: Message
    movement: int | None


@dataclass(frozen=True)
class Divide:
    """What decided the order of two neighbours: a criterion and the values of both."""

    criterion: Criterion
    above: str
    below: str


@dataclass(frozen=True)
class Placed:
    """An entry in the order, and what separates it from the one above: None for the first, and where nothing
    does."""

    entry: str
    divide: Divide | None


# ---- Standings of a stage ------------------------------------------------------------------------


def standings(state: Competition, number: int, through: int | None = None) -> tuple[Row, ...]:
    """Return the rows of a stage, group after group, after its published rounds or those up to ``through``.

    Raises `Illegal` where the stage has not begun.
    """
    stage = state.stage_numbered(number)
    last = through if through is not None else len(stage.shown_rounds)
    earlier = _standings(state, stage, last - 1, ()) if last > 1 else ()
    return _standings(state, stage, last, earlier)


def standings_by_round(
    state: Competition, number: int, first: int = 1
) -> Sequence[tuple[int, tuple[Row, ...]]]:
    """Return what `standings` returns after each published round from the first on, with the round's number.

    Before a stage's first round there is one element, with the number 0. Raises `Illegal` where the stage has
    not begun.
    """
    stage = state.stage_numbered(number)
    rounds = range(first, len(stage.shown_rounds) + 1) or range(1)
    rows = _standings(state, stage, first - 1, ()) if first > 1 else ()
    by_round = []
    for last in rounds:
        rows = _standings(state, stage, last, rows)
        by_round.append((last, rows))
    return by_round


def _standings(state: Competition, stage: Stage, through: int, before: Sequence[Row]) -> tuple[Row, ...]:
    accounts = accounts_of(state, stage, through)
    earlier = {row.entry: row.rank for row in before}
    return tuple(
        row
        for group, entries in enumerate(stage.groups, 1)
        for row in _rows(state, stage, group, entries, accounts, earlier)
    )


def final_order(state: Competition) -> tuple[str, ...]:
    """Return all entries that played, in the final order of the competition, the winner first."""
    return tuple(entry for _place, entry in final_places(state))


def final_places(state: Competition) -> tuple[tuple[int, str], ...]:
    """Return the final place of each entry that played, the winner first; places count from 1 and are shared.

    Entries of a later stage come before all others. Groups of equal level are merged rank by rank, and those
    of one rank share a place; divisions follow each other.
    """
    places: dict[str, int] = {}
    for stage in reversed(state.stages):
        intake = stage.plan.intake
        divisions = intake.divide == "stack" or intake.source == "promotion"

        def level(row: Row, apart: bool = divisions) -> tuple[int, ...]:
            return (row.group, row.rank) if apart else (row.rank,)

        new = [row for row in standings(state, stage.number) if row.entry not in places]
        for _level, rows in groupby(sorted(new, key=lambda row: (level(row), row.group)), key=level):
            place = len(places) + 1
            places |= {row.entry: place for row in rows}
    return tuple((place, entry) for entry, place in places.items())


def accounts_of(state: Competition, stage: Stage, through: int) -> Accounts:
    """Return what the standings of a stage after a round are computed from."""
    return Accounts(
        records=scoring.records(state, stage, through),
        rate=scoring.rate_of(state, stage),
        reached=formats.of(stage.plan).reached(state, stage, through),
        lots=lots(stage, through),
        rounds=len([each for each in stage.shown_rounds if each.number <= through]),
        boards=scoring.boards(state),
    )


def lots(stage: Stage, through: int) -> Mapping[str, int]:
    """Return each entry's lot, 1 first, once they are drawn; none for the standings of earlier rounds."""
    if stage.lots is None or through < len(stage.shown_rounds):
        return {}
    return {entry: lot for lot, entry in enumerate(stage.lots.order, 1)}


def criteria(stage: Stage) -> tuple[Criterion, ...]:
    """Return the criteria that order a stage's entries, the first one first."""
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
    order = {entry.id: place for place, entry in enumerate(state.entries)}
    placed = ordered(accounts, sorted(entries, key=order.__getitem__), criteria(stage))
    names = {entry.id: entry.name for entry in state.entries}
    rank = above = 0
    for level in _levels(placed):
        values = _values(accounts, [each.entry for each in level], stage.plan.tie_breaks)
        for each, same in zip(level, _same_ranks(level), strict=True):
            above += 1
            rank = above if each.divide or above == 1 else rank
            divide = _deciding(level, same)
            record = accounts.records[each.entry]
            yield Row(
                rank=rank,
                entry=each.entry,
                group=group,
                played=record.played,
                points=record.points,
                tiebreaks=_with_deciding(values[each.entry], divide, first=not same.start),
                decided_by=divide.criterion.key if divide else None,
                explanation=_explained(names, accounts, level, each.entry, same),
                movement=earlier[each.entry] - rank if each.entry in earlier else None,
            )


# ---- Order ---------------------------------------------------------------------------------------


def ordered(accounts: Accounts, entries: Sequence[str], by: Sequence[Criterion]) -> tuple[Placed, ...]:
    """Return the entries in order, each with what separates it from the one above.

    Entries that no criterion separates keep the order in which they are given.
    """
    return tuple(_ordered(accounts, entries, by))


def _ordered(accounts: Accounts, level: Sequence[str], by: Sequence[Criterion]) -> list[Placed]:
    if len(level) < 2 or not by:
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
    """Return classes of entries with equal marks, the best first."""
    if marks is None:
        return [list(level)]
    # Fewer keys than entries have to be compared.
    classes: dict[Key, list[str]] = {}
    for entry in level:
        classes.setdefault(marks[entry].key, []).append(entry)
    return [classes[key] for key in sorted(classes, reverse=True)]


def _joined(
    placed: Sequence[Placed], inner: Sequence[Placed], by: Criterion, marks: Mapping[str, Mark]
) -> Sequence[Placed]:
    """Return a class with the criterion that separates its first entry from those already placed."""
    if not placed:
        return inner
    top = inner[0].entry
    divide = Divide(by, marks[placed[-1].entry].text, marks[top].text)
    return [Placed(top, divide), *inner[1:]]


# ---- Explanations --------------------------------------------------------------------------------


def _levels(placed: Sequence[Placed]) -> Iterator[list[Placed]]:
    """Yield lists of entries with the same rank by the format and the same points."""
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
    """Return the tie-break values, as text, of entries that are level on points."""
    values: dict[str, dict[str, str | None]] = {entry: {} for entry in level}
    for key in keys:
        marks = BY_KEY[key].marks(accounts, level)
        for entry in level:
            values[entry][key] = marks[entry].text if marks else None
    return values


def _with_deciding(
    values: Mapping[str, str | None], divide: Divide | None, *, first: bool
) -> Mapping[str, str | None]:
    """Return the values with the one that decided, which may apply only to a part of the level group."""
    if divide is None or values.get(divide.criterion.key, "") is not None:
        return values
    return {**values, divide.criterion.key: divide.above if first else divide.below}


def _same_ranks(level: Sequence[Placed]) -> Iterator[range]:
    """Yield for each entry the places of those that nothing separates from it, itself included."""
    firsts = [0, *(at for at in range(1, len(level)) if level[at].divide), len(level)]
    for first, after in pairwise(firsts):
        yield from repeat(range(first, after), after - first)


def _deciding(level: Sequence[Placed], same: range) -> Divide | None:
    """Return what separates those of a rank from the ones above, or the first ones from those below."""
    if same.start:
        return level[same.start].divide
    return level[same.stop].divide if same.stop < len(level) else None


def _explained(
    names: Mapping[str, str], accounts: Accounts, level: Sequence[Placed], entry: str, same: range
) -> Message:
    """Return the sentence that says why an entry has its rank."""
    rank = _rank_explained(names, _counted(accounts.records[entry].points), level, entry, same)
    reached = accounts.reached.get(entry, NOWHERE).words
    return text("%(reached)s. %(rank)s", reached=reached, rank=rank) if reached else rank


def _rank_explained(
    names: Mapping[str, str], points: Message, level: Sequence[Placed], entry: str, same: range
) -> Message:
    compared = _compared(names, level, same) if len(level) > 1 else ""
    match len(level) - 1:
        case 0:
            return text("Alone on %(points)s.", points=points)
        case 1:
            (other,) = (each.entry for each in level if each.entry != entry)
            return text(
                "Level with %(name)s on %(points)s; %(compared)s.",
                name=names[other],
                points=points,
                compared=compared,
            )
        case count:
            return plural(
                "Level with %(count)s other on %(points)s; %(compared)s.",
                "Level with %(count)s others on %(points)s; %(compared)s.",
                count,
                points=points,
                compared=compared,
            )


def _compared(names: Mapping[str, str], level: Sequence[Placed], same: range) -> Message:
    divide = _deciding(level, same)
    if divide is None:
        return text("nothing separates them until lots are drawn")
    by = Message(divide.criterion.title, {})
    above, below = str(divide.above), str(divide.below)
    if same.start:
        name = names[level[same.start - 1].entry]
        compared = text(
            "behind %(name)s by %(by)s (%(own)s to %(other)s)", name=name, by=by, own=below, other=above
        )
    else:
        name = names[level[same.stop].entry]
        compared = text(
            "ahead of %(name)s by %(by)s (%(own)s to %(other)s)", name=name, by=by, own=above, other=below
        )
    if len(same) == 1:
        return compared
    return text("%(compared)s; lots will separate those of this rank", compared=compared)


def _counted(points: Fraction) -> Message:
    return plural("%(points)s point", "%(points)s points", 1 if 0 < points <= 1 else 2, points=str(points))

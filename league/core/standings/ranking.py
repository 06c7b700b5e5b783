"""The standings of a stage: its entries in a total order, with an explanation of each rank.

The criteria are expulsion, the rank that the format gives, points, the stage's tie-breaks, and last a lot.
Lots are drawn when the stage closes: until then entries that are level on everything share a rank.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, product, repeat
from typing import Final

from games.engine.messages import Message, both, text
from league.core import formats, scoring
from league.core.events import DECISIONS, Event
from league.core.records import NOWHERE, Reached, Record
from league.core.standings.notes import notes, table_sizes
from league.core.standings.rows import (
    DID_NOT_PLAY,
    NOT_YET,
    WAS_EXPELLED,
    Divide,
    Order,
    Placed,
    Ranked,
    Row,
    levels,
    rows,
)
from league.core.standings.tie_breaks import (
    BY_KEY,
    EXPELLED,
    LOT,
    PLACEMENT,
    POINTS,
    Accounts,
    Criterion,
    Key,
    Mark,
)
from league.core.state.competition import Competition, Entry, Stage
from league.core.state.entries import Point

# ---- Standings of a stage ------------------------------------------------------------------------


def standings(state: Competition, number: int, through: int | None = None) -> tuple[Row, ...]:
    """Return the rows of a stage, group after group, after its published rounds or those up to ``through``.

    Raises `Illegal` where the stage has not begun.
    """
    stage = state.stage_numbered(number)
    last = through if through is not None else len(stage.shown_rounds)
    names = {entry.id: entry.name for entry in state.entries}
    before = order(state, number, last - 1).ranks() if last > 1 else ()
    earlier = {entry: rank for _group, entry, rank in before}
    return tuple(rows(order(state, number, last), names, earlier))


def order(state: Competition, number: int, through: int | None = None) -> Order:
    """Return the order of a stage's entries after its published rounds or those up to ``through``.

    Raises `Illegal` where the stage has not begun.
    """
    stage = state.stage_numbered(number)
    return order_by(
        state, stage, accounts_of(state, stage, len(stage.shown_rounds) if through is None else through)
    )


def order_by(state: Competition, stage: Stage, accounts: Accounts) -> Order:
    """Return the order of a stage's entries by its accounts; before the last round of those who had come."""
    at, now = (stage.number, accounts.rounds), accounts.rounds == len(stage.shown_rounds)
    entered = {entry.id: place for place, entry in enumerate(state.entries) if now or entry.came(at)}
    keys, by = stage.plan.tie_breaks, criteria(stage)
    notes_on = partial(notes, opening=state.opening, keys=keys, sizes=table_sizes(stage, accounts.rate))
    came = ([entry for entry in group if entry in entered] for group in stage.groups)
    level = (ordered(accounts, sorted(group, key=entered.__getitem__), by) for group in came)
    groups = (tuple(_ranked(accounts, placed, keys, notes_on)) for placed in level)
    return Order(keys, tuple(groups))


def rungs(state: Competition) -> Mapping[str, int]:
    """Return the rank of each entry that takes part in the stage now, where the format alone ranks them."""
    stage = state.stage
    if stage is None or not (format_ := formats.of(stage.plan)).ranked_by():
        return {}
    through = len(stage.shown_rounds)
    reached = format_.reached(state, stage, through)
    here = {entry.id for entry in state.entries if entry.takes_part((stage.number, max(through, 1)))}
    return {entry: each.rank for entry, each in reached.items() if entry in here}


def final_order(state: Competition) -> tuple[str, ...]:
    """Return all entries that played, in the final order of the competition, the winner first."""
    return tuple(entry for _place, entry in final_places(state))


def final_places(state: Competition) -> tuple[tuple[int, str], ...]:
    """Return the final place of each entry of a stage, the winner first; places count from 1 and are shared.

    Entries of a later stage come before all others. Groups of equal level are merged rank by rank, and those
    of one rank share a place; divisions follow each other. Who was expelled or never came to a table is last.
    """
    return placed(
        [
            (
                stage.plan.intake.divide == "stack" or stage.plan.intake.source == "promotion",
                [*order(state, stage.number).ranks()],
            )
            for stage in reversed(state.stages)
        ],
        gone(state),
    )


def gone(state: Competition) -> frozenset[str]:
    """Return the entries that took no part in the end: expelled, or they never came to a table."""
    return expelled(state) | never_came(state)


def expelled(state: Competition) -> frozenset[str]:
    """Return the entries that an organiser put out."""
    return frozenset(entry.id for entry in state.entries if entry.expelled)


def left_after(state: Competition, stage: Stage, through: int) -> Mapping[str, str]:
    """Return who had "withdrawn" or was "expelled" by the end of a stage's round; after the last, now."""
    if through >= len(stage.shown_rounds):
        gone = (entry for entry in state.entries if entry.status == "withdrawn")
        return {entry.id: "expelled" if entry.expelled else "withdrawn" for entry in gone}
    at, at_once = (stage.number, through), formats.of(stage.plan).open_tables
    left = ((entry.id, entry.left(at, at_once=at_once)) for entry in state.entries)
    return {entry: how for entry, how in left if how}


def did_not_play(state: Competition, stage: Stage, through: int) -> frozenset[str]:
    """Return who had come to no table by a stage's round; before the end of all only who had left."""
    latest, after = through >= len(stage.shown_rounds), (stage.number, through + 1)
    if latest and state.status == "finished":
        return never_came(state)
    left = left_after(state, stage, through)
    out = frozenset(entry for entry in left if not state.entry(entry).takes_part(after))
    return out and out & never_came(state, None if latest else (stage.number, through))


def never_came(state: Competition, until: Point | None = None) -> frozenset[str]:
    """Return the entries that came to no table, up to a round: they were absent, rested, or no-shows.

    On a ladder those are only who has left it, since the sixth edition of scoring: the rung is the rank.
    """
    rounds = [(stage.number, each) for stage in state.stages for each in stage.shown_rounds]
    tables = [
        table
        for number, each in rounds
        if not until or (number, each.number) <= until
        for table in each.tables
    ]
    came = {entry for table in tables for entry in table.entries if table.outcome_of.get(entry) != "no_show"}
    last_of = {entry: stage for stage in state.stages for entry in stage.entries}
    holds = {each for each, stage in last_of.items() if came and _keeps_rung(state.entry(each), stage)}
    return frozenset(entry.id for entry in state.entries) - came - holds


def _keeps_rung(entry: Entry, stage: Stage) -> bool:
    kept = stage.plan.editions.rung_is_rank and formats.of(stage.plan).ranked_by()
    return bool(kept) and entry.takes_part((stage.number, max(len(stage.shown_rounds), 1)))


def drawn_by_lot(state: Competition) -> frozenset[str]:
    """Return the entries whose final place only a lot decided, in the last stage that each of them played."""
    by_lot = set[str]()
    for stage in state.stages:
        by_lot = (by_lot - {*stage.entries}) | order(state, stage.number).by_lot()
    return frozenset(by_lot)


def placed(
    stages: Sequence[tuple[bool, Sequence[tuple[int, str, int]]]], last: Container[str] = ()
) -> tuple[tuple[int, str], ...]:
    """Return places as `final_places` does, from the stages, the last one first.

    Of each stage come whether its groups are divisions, and the group, entry and rank of each of its rows.
    The entries that are ``last`` come after all others.
    """
    places: dict[str, int] = {}
    for behind, (divisions, ranked) in product((False, True), stages):

        def level(row: tuple[int, str, int], apart: bool = divisions) -> tuple[int, ...]:
            group, _entry, rank = row
            return (group, rank) if apart else (rank,)

        new = [row for row in ranked if row[1] not in places and (row[1] in last) == behind]
        for _level, equal in groupby(sorted(new, key=lambda row: (level(row), row[0])), key=level):
            place = len(places) + 1
            places |= {entry: place for _group, entry, _rank in equal}
    return tuple((place, entry) for entry, place in places.items())


def accounts_of(state: Competition, stage: Stage, through: int) -> Accounts:
    """Return what the standings of a stage after a round are computed from."""
    records = scoring.records(state, stage, through)
    return Accounts(
        records=records,
        rate=scoring.rate_of(state, stage),
        reached=formats.of(stage.plan).reached(state, stage, through),
        lots=lots(stage, through),
        rounds=len([each for each in stage.shown_rounds if each.number <= through]),
        boards=scoring.boards(state, stage),
        edition=stage.plan.editions.scoring,
        last=_last(state, stage, through, records),
    )


def _last(state: Competition, stage: Stage, through: int, records: Mapping[str, Record]) -> Mapping[str, str]:
    """Return who comes last whatever was played, with why."""
    edition, last = stage.plan.editions.scoring, dict[str, str]()
    if edition >= scoring.NOT_YET_LAST and stage.plan.scoring.average:
        last |= {entry: NOT_YET for entry, record in records.items() if not record.played}
    over = state.status == "finished" and through == len(stage.shown_rounds)
    if edition >= (scoring.NEVER_CAME_LAST if over else scoring.LEFT_LAST):
        last |= dict.fromkeys(did_not_play(state, stage, through), DID_NOT_PLAY)
    if edition >= scoring.EXPELLED_LAST:
        left = left_after(state, stage, through).items()
        last |= dict.fromkeys([entry for entry, how in left if how == "expelled"], WAS_EXPELLED)
    return last


def lots(stage: Stage, through: int) -> Mapping[str, int]:
    """Return each entry's lot, 1 first, once they are drawn; none for the standings of earlier rounds."""
    if stage.lots is None or through < len(stage.shown_rounds):
        return {}
    return {entry: lot for lot, entry in enumerate(stage.lots.order, 1)}


def criteria(stage: Stage) -> tuple[Criterion, ...]:
    """Return the criteria that order a stage's entries, the first one first."""
    chosen = [BY_KEY[key] for key in stage.plan.tie_breaks if key != LOT.key]
    return (EXPELLED, PLACEMENT, POINTS, *chosen, LOT)


def _ranked(
    accounts: Accounts,
    placed: Sequence[Placed],
    keys: Sequence[str],
    notes_on: Callable[[Accounts, Record], tuple[Message, ...]],
) -> Iterator[Ranked]:
    """Yield the entries of a group in order with what was counted for each."""
    for level in levels(placed):
        values = _values(accounts, [each.entry for each in level], keys)
        for each, own in zip(level, values, strict=True):
            record = accounts.records[each.entry]
            how = accounts.reached.get(each.entry, NOWHERE)
            how = Reached(words=accounts.last[each.entry]) if each.entry in accounts.last else how
            told = notes_on(accounts, record)
            yield Ranked(
                *(each.entry, each.divide, record.played, record.points, how.words, own, told, how.against)
            )


def _values(
    accounts: Accounts, level: Sequence[str], keys: Sequence[str]
) -> Iterator[tuple[str | None, ...]]:
    """Yield the tie-break values, as text, of each of the entries that are level on points."""
    if not keys:
        return repeat((), len(level))
    columns = (BY_KEY[key].marks(accounts, level) for key in keys)
    texts = ([marks[entry].text if marks else None for entry in level] for marks in columns)
    return zip(*texts, strict=True)


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


# ---- Entries that are level when a stage closes --------------------------------------------------

MOST_NAMED: Final = 6
"""The most names in a sentence; of more it says how many they are."""


@dataclass(frozen=True)
class Level:
    """Entries of a group that share the ranks ``first`` to ``last`` as long as no lots are drawn."""

    group: int
    first: int
    entries: tuple[str, ...]

    @property
    def last(self) -> int:
        """Return the last of the ranks."""
        return self.first + len(self.entries) - 1


def levels_of(state: Competition, stage: Stage) -> tuple[Level, ...]:
    """Return the entries of a stage whose ranks lots would decide now; none once these are drawn."""
    return () if stage.lots else tuple(_levels(state, stage))


def _levels(state: Competition, stage: Stage) -> Iterator[Level]:
    ranks = order(state, stage.number).ranks()
    for (group, rank), level in groupby(ranks, key=lambda row: (row[0], row[2])):
        entries = tuple(entry for _group, entry, _rank in level)
        if len(entries) > 1:
            yield Level(group, rank, entries)


def lots_to_draw(state: Competition, stage: Stage, level: Level) -> Message:
    """Return the sentence that says who is level on which ranks, and that lots decide."""
    told = _told(state, level)
    return text("Group %(group)d: %(told)s", group=level.group, told=told) if len(stage.groups) > 1 else told


def _told(state: Competition, level: Level) -> Message:
    first, last, count = level.first, level.last, len(level.entries)
    if count > MOST_NAMED:
        return text(
            "%(count)d entries are level on ranks %(first)d to %(last)d, and no tie-break separates them: "
            "lots decide.",
            count=count,
            first=first,
            last=last,
        )
    names = both([state.entry(entry).name for entry in level.entries])
    if count == 2:
        return text(
            "%(names)s are level on ranks %(first)d and %(last)d, and no tie-break separates them: "
            "a lot decides.",
            names=names,
            first=first,
            last=last,
        )
    return text(
        "%(names)s are level on ranks %(first)d to %(last)d, and no tie-break separates them: lots decide.",
        names=names,
        first=first,
        last=last,
    )


# ---- What events change --------------------------------------------------------------------------


def first_changed(state: Competition, events: Iterable[Event]) -> Mapping[int, int]:
    """Return for each stage the first round after which its standings may differ since before the events.

    A decision about a table changes those after its round and later ones, any other event may change all.
    A stage without standings that differ is left out.
    """
    first: dict[int, int] = {}
    for event in events:
        if event.type not in DECISIONS:
            return {stage.number: 1 for stage in state.stages}
        for stage in state.stages:
            for each in stage.rounds:
                if each.tables.get(vars(event)["table"]):
                    first[stage.number] = min(each.number, first.get(stage.number, each.number))
    return first

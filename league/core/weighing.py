"""The cost of a seating that was not necessarily drawn: it shows what an exchange of seats would change."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from games.engine.jsontypes import JsonObject
from games.engine.values import replace
from league.core import formats
from league.core.drawing.cost import costs, report
from league.core.drawing.draw import DrawnTable
from league.core.drawing.history import History, history_of
from league.core.drawing.least_cost import total
from league.core.state.competition import Competition, Round, Stage


@dataclass(frozen=True)
class Weighed:
    """A seating's cost (see `league.core.drawing.cost`), its report, and the entries with a second bye."""

    cost: int
    report: JsonObject
    resting_again: tuple[str, ...]


def weighed(state: Competition, stage: Stage, proposal: Round) -> Weighed:
    """Return the cost of the tables of a proposed round, exchanged seats included."""
    history = history_of(stage)
    levels = formats.of(stage.plan).levels(state, stage)
    tables = tuple(_drawn(proposal))
    cost = sum(_cost(state, history, group, levels) for group in _by_group(tables))
    again = tuple(entry for entry in proposal.byes if history.byes[entry])
    return Weighed(cost, report(history, tables, proposal.byes, levels), again)


def weighed_exchanges(
    state: Competition, stage: Stage, proposal: Round, entry: str
) -> tuple[Weighed, Mapping[str, Weighed]]:
    """Return what a proposed round costs, and what it would after each exchange of an entry's seat.

    The exchanges are by the other entry: those at another table of the group, or with a bye in it. Only two
    tables change in each, so all take little more time than one. The reports after an exchange have figures
    that are at least those of the draw before it; they tell what becomes worse.
    """
    return _Exchanges(state, stage, proposal).of(entry)


class _Exchanges:
    """The exchanges of seats in a proposed round."""

    def __init__(self, state: Competition, stage: Stage, proposal: Round) -> None:
        self.state, self.byes = state, proposal.byes
        self.before = weighed(state, stage, proposal)
        self.history = history_of(stage)
        self.levels = formats.of(stage.plan).levels(state, stage)
        self.group_of = {entry: number for number, entries in enumerate(stage.groups, 1) for entry in entries}
        self.table_of = {entry: table for table in _drawn(proposal) for entry in table.entries}
        self.longest = {
            number: max(len(table.entries) for table in tables)
            for number, tables in groupby(_drawn(proposal), key=lambda table: table.group)
        }

    def of(self, entry: str) -> tuple[Weighed, Mapping[str, Weighed]]:
        partners = [other for other in (*self.table_of, *self.byes) if self._possible(entry, other)]
        return self.before, {other: self._after(entry, other) for other in partners}

    def _possible(self, one: str, other: str) -> bool:
        here, there = self.table_of.get(one), self.table_of.get(other)
        return here != there and self.group_of[one] == self.group_of[other]

    def _after(self, one: str, other: str) -> Weighed:
        partner = {one: other, other: one}
        tables = [self.table_of[entry] for entry in (one, other) if entry in self.table_of]
        moved = [
            replace(table, entries=tuple(partner.get(each, each) for each in table.entries))
            for table in tables
        ]
        byes = tuple(partner.get(each, each) for each in self.byes)
        cost = self.before.cost + self._cost(moved) - self._cost(tables)
        again = tuple(entry for entry in byes if self.history.byes[entry])
        return Weighed(cost, self._report(tables, moved), again)

    def _cost(self, tables: Sequence[DrawnTable]) -> int:
        entries = [entry for table in tables for entry in table.entries]
        prices = costs(self.state, self.history, entries, self.levels)
        index = {entry: number for number, entry in enumerate(entries)}
        short = (table for table in tables if len(table.entries) < self.longest[table.group])
        seated = [[index[entry] for entry in table.entries] for table in tables]
        return total(replace(prices, short=[0] * len(entries)), seated) + sum(
            prices.short[index[entry]] for table in short for entry in table.entries
        )

    def _report(self, tables: Sequence[DrawnTable], moved: Sequence[DrawnTable]) -> JsonObject:
        before: Mapping[str, Any] = self.before.report
        here, after = (self._figures(seating) for seating in (tables, moved))
        worst = {
            name: max(before[name], after[name]) for name in ("most_meetings", "spread") if name in before
        }
        first = [max(before["first_seats"][0], after["first_seats"][0]), before["first_seats"][1]]
        repeats = before["repeats"] + after["repeats"] - here["repeats"]
        return {**before, **worst, "repeats": repeats, "first_seats": first}

    def _figures(self, tables: Sequence[DrawnTable]) -> Mapping[str, Any]:
        return report(self.history, tables, (), self.levels)


def _drawn(proposal: Round) -> Iterator[DrawnTable]:
    """Yield the tables; of several boards the first, because all have the same entries."""
    for table in proposal.tables:
        if table.board == 1:
            yield DrawnTable(table.entries, table.group, table.label)


def _by_group(tables: Sequence[DrawnTable]) -> list[list[DrawnTable]]:
    groups: dict[int, list[DrawnTable]] = {}
    for table in tables:
        groups.setdefault(table.group, []).append(table)
    return list(groups.values())


def _cost(
    state: Competition,
    history: History,
    tables: Sequence[DrawnTable],
    levels: Mapping[str, int] | None,
) -> int:
    entries = [entry for table in tables for entry in table.entries]
    index = {entry: number for number, entry in enumerate(entries)}
    seated = [[index[entry] for entry in table.entries] for table in tables]
    return total(costs(state, history, entries, levels), seated)

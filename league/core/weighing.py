"""A draw as it is after seats were exchanged or entries have left: its seating, its cost and its report."""

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine.jsontypes import JsonObject
from games.engine.messages import Message, both, plural, text
from games.engine.values import replace
from league.core import formats
from league.core.drawing.bracket import by_match
from league.core.drawing.cost import (
    NO_RULES,
    PARTNERS,
    History,
    SidesAt,
    costs,
    history_of,
    partners_again,
    report,
)
from league.core.drawing.draw import DrawnTable, boards_of, stage_sizes, table_sizes
from league.core.drawing.drawing import ALONE_HAS_BYE, engine_of
from league.core.drawing.least_cost import total
from league.core.drawing.wishes import Rules, at_matches, figures_of_tables, numbered, rules_of
from league.core.state.competition import Competition, Entry, Point, Round, Seat, Stage, Table, Tables
from league.core.state.cut_offs import FixedTable, Wishes
from league.core.state.rooms import Rooms
from league.core.state.updates import doubled, with_round


@dataclass(frozen=True)
class Weighed:
    """A seating's cost (see `league.core.drawing.cost`), its report, and the entries with a second bye."""

    cost: int
    report: JsonObject
    resting_again: tuple[str, ...]


def weighed(state: Competition, stage: Stage, proposal: Round) -> Weighed:
    """Return the cost of the tables of a proposed round, exchanged seats included."""
    sides_at = _sides_at(state, stage)
    history = history_of(stage, sides_at)
    levels = formats.of(stage.plan).levels(state, stage)
    tables, rules = tuple(_drawn(proposal)), _rules(state, stage, proposal)
    cost = sum(_cost(state, history, group, levels, rules) for group in _by_group(tables))
    cost += _partners(history, sides_at, tables)
    again = tuple(entry for entry in proposal.byes if history.byes[entry])
    return Weighed(cost, _report(state, stage, proposal), again)


def _rules(state: Competition, stage: Stage, proposal: Round) -> Rules:
    """Return the wishes that counted in the draw of a round, of those who play in it."""
    if not (proposal.origins and engine_of(stage.plan).knows_wishes):
        return NO_RULES
    entries = {entry for table in proposal.tables for entry in table.entries}
    last = formats.of(stage.plan).rounds(state, stage)
    return rules_of(_wishes(proposal).between, entries, proposal.number, last)


def _sides_at(state: Competition, stage: Stage) -> SidesAt:
    return engine_of(stage.plan).sides_at(state.opening)


def _partners(history: History, sides_at: SidesAt, tables: Sequence[DrawnTable]) -> int:
    """Return what it costs that partners at tables were it before."""
    return PARTNERS * partners_again(history, sides_at, [table.entries for table in tables])


def _wishes(proposal: Round) -> Wishes:
    return proposal.origins[-1].cut_off.wishes


def _fixed(state: Competition, proposal: Round) -> Sequence[FixedTable]:
    return at_matches(_wishes(proposal).tables, boards_of(state.opening), proposal.rooms)


def _report(state: Competition, stage: Stage, proposal: Round) -> JsonObject:
    levels, tables = formats.of(stage.plan).levels(state, stage), tuple(_drawn(proposal))
    rules = _rules(state, stage, proposal)
    sides_at = _sides_at(state, stage)
    told = report(history_of(stage, sides_at), tables, proposal.byes, levels, rules, sides_at)
    fixed = _fixed(state, proposal) if proposal.origins else ()
    return {**told, **figures_of_tables(tables, fixed)}


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
        self.sides_at = _sides_at(state, stage)
        self.history = history_of(stage, self.sides_at)
        self.levels = formats.of(stage.plan).levels(state, stage)
        self.rules = _rules(state, stage, proposal)
        self.group_of = {entry: number for number, entries in enumerate(stage.groups, 1) for entry in entries}
        self.table_of = {entry: table for table in _drawn(proposal) for entry in table.entries}
        self.longest = {
            tables[0].group: max(len(table.entries) for table in tables)
            for tables in _by_group([*_drawn(proposal)])
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
        cost += _partners(self.history, self.sides_at, moved) - _partners(self.history, self.sides_at, tables)
        again = tuple(entry for entry in byes if self.history.byes[entry])
        return Weighed(cost, self._report(tables, moved), again)

    def _cost(self, tables: Sequence[DrawnTable]) -> int:
        entries = [entry for table in tables for entry in table.entries]
        prices = costs(self.state, self.history, entries, self.levels, rules=self.rules.among(entries))
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
        wishes = {}
        if "wishes" in before:
            kept, broken = before["wishes"]
            more = self._broken(moved) - self._broken(tables)
            wishes = {"wishes": [kept - more, broken + more]}
        if "partners" in before:
            (gone, _), (come, most) = (each.get("partners", (0, 0)) for each in (here, after))
            again = before["partners"][0] + come - gone
            wishes = {**wishes, "partners": [again, max(before["partners"][1], most)]}
        return {**before, **worst, **wishes, "repeats": repeats, "first_seats": first}

    def _broken(self, tables: Sequence[DrawnTable]) -> int:
        return len([*self.rules.broken([table.entries for table in tables])])

    def _figures(self, tables: Sequence[DrawnTable]) -> Mapping[str, Any]:
        return report(self.history, tables, (), self.levels, sides_at=self.sides_at)


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
    rules: Rules,
) -> int:
    entries = [entry for table in tables for entry in table.entries]
    index = {entry: number for number, entry in enumerate(entries)}
    seated = [[index[entry] for entry in table.entries] for table in tables]
    sizes = [*map(len, seated)]
    here = rules.among(entries)
    return total(costs(state, history, entries, levels, rules=here, sizes=sizes), seated)


# ---- Entries that leave after the draw -----------------------------------------------------------


def reseated(state: Competition) -> Competition:
    """Return the state with the unpublished round as its draw left it, without entries that do not play.

    Who has left since the cut-off leaves a smaller table; where that is too small for the game, or has one
    entry left, the others at it have byes. So nobody else's table depends on it. Substitutes take over the
    seats. The report is that of the draw as it then is.
    """
    stage, pending = state.stage, state.pending
    drawn = stage.drawn_round if stage else None
    if stage is None or drawn is None or pending is None:
        return state
    if state.entries is pending.frozen.entries:
        return _told(state, stage, drawn, drawn.placed, drawn.placed_byes)
    at, fewest = (stage.number, drawn.number), 2 if stage.plan.editions.draws >= ALONE_HAS_BYE else 1
    here = {entry.id: entry for entry in state.entries if entry.plays(at)}
    tables: list[Table] = []
    byes = dict.fromkeys(entry for entry in drawn.placed_byes if entry in here)
    for table in drawn.placed:
        seats = tuple(
            _now_seated(seat, pending.frozen.entry(seat.entry), here[seat.entry], at)
            for seat in table.seats
            if seat.entry in here
        )
        if len(seats) in state.opening.seats and len({seat.entry for seat in seats}) >= fewest:
            tables.append(replace(table, seats=seats))
        else:
            byes |= dict.fromkeys(seat.entry for seat in seats)
    return _told(state, stage, drawn, tables, tuple(byes))


def in_rooms(state: Competition, rooms: Rooms) -> Competition:
    """Return the state with the unpublished round in other rooms, whose numbers fixed tables have again."""
    stage, drawn = state.stage, state.drawn_round
    if stage is None or drawn is None:
        return state
    state = reseated(with_round(state, stage, replace(drawn, rooms=rooms)))
    now = state.drawn_round
    if not (now and now.report):
        return state
    return with_round(state, stage, replace(now, report=_report(state, stage, now)))


def _now_seated(seat: Seat, then: Entry, now: Entry, at: Point) -> Seat:
    """Return a seat with the player who has the same place in the line-up now."""
    return Seat(seat.entry, now.lineup(at)[then.lineup(at).index(seat.player)])


def _told(
    state: Competition, stage: Stage, drawn: Round, tables: Sequence[Table], byes: tuple[str, ...]
) -> Competition:
    """Return the state with the drawn round's tables and byes, and with the report on them.

    The tables of entries with a fixed table have its number again.
    """
    if drawn.origins:
        matches = {boards[0].id: boards for boards in by_match(tables)}
        firsts = numbered([boards[0] for boards in matches.values()], _fixed(state, drawn))
        tables = [board for first in firsts for board in matches[first.id]]
    now = replace(drawn, tables=Tables(tables), byes=byes)
    if drawn.report and _seating(now) != _seating(drawn):
        now = replace(now, report=_report(state, stage, now))
    return with_round(state, stage, now)


def _seating(drawn: Round) -> tuple[object, ...]:
    return [table.entries for table in drawn.tables], drawn.byes


def left_since_draw(state: Competition) -> Sequence[Message]:
    """Return who has left since the round was drawn, and how the others could sit if it were drawn again."""
    stage, drawn = state.stage, state.drawn_round
    if stage is None or drawn is None:
        return ()
    was = {*drawn.placed_byes, *(entry for table in drawn.placed for entry in table.entries)}
    now = {*drawn.byes, *(entry for table in drawn.tables for entry in table.entries)}
    if not (gone := was - now):
        return ()
    names = [entry.name for entry in state.entries if entry.id in gone]
    left = text("%(names)s left after the draw: check the tables, or draw again.", names=both(names))
    better = _if_drawn_again(state, stage, drawn)
    return (left, better) if better else (left,)


def arrived_since_draw(state: Competition) -> Sequence[Entry]:
    """Return who checked in, was marked as present, entered or returned since the round was drawn."""
    stage, drawn, pending = state.stage, state.drawn_round, state.pending
    if stage is None or drawn is None or pending is None:
        return ()
    here, before = (stage.number, drawn.number), pending.frozen.entries
    early = (entry for entry in state.entries if (was := before.get(entry.id)) and was.joins_after(here))
    return latecomers(state, here, {entry.id for entry in early})


def latecomers(state: Competition, here: Point, early: Container[str] = ()) -> Sequence[Entry]:
    """Return who came for the round after one and could play in that one, but for the ``early`` ones."""
    late = (entry for entry in state.entries if entry.id not in early and entry.joins_after(here))
    return [entry for entry in late if not doubled(state, entry.players, here, entry.id)]


def _if_drawn_again(state: Competition, stage: Stage, drawn: Round) -> Message | None:
    """Return how many byes a new draw would save, None where none, or where the format fixes who meets."""
    if not formats.of(stage.plan).late_entries:
        return None
    allowed, sizes = stage_sizes(state.opening, stage.plan), list[int]()
    seated = {*drawn.byes, *(entry for table in drawn.tables for entry in table.entries)}
    for group in stage.groups:
        sizes += table_sizes(len(seated.intersection(group)), allowed, stage.plan.table_size)
    byes = len(seated) - sum(sizes)
    if byes >= len(drawn.byes):
        return None
    counts = sorted(Counter(sizes).items(), reverse=True)
    told = [
        plural(
            "%(count)d table of %(size)s",
            "%(count)d tables of %(size)s",
            count,
            size=state.opening.sized(size),
        )
        for size, count in counts
    ]
    tables = both(told)
    return plural(
        "%(count)d entry has a bye now; a new draw would make %(tables)s.",
        "%(count)d entries have a bye now; a new draw would make %(tables)s.",
        len(drawn.byes),
        tables=tables,
    )

"""The one stated cost of a draw, and the report of what a draw cost.

Two at one table cost, for each time they met before, twice `REPEAT` (so that the sum of meetings squared is
what a draw keeps low), `MATES` if they are of one affiliation, the square of the distance of their scores
where a format pairs equals, and `BEGUN` times the product of how much both have begun too often (or too
seldom), for one of them must do so again. Sitting at a short table costs twice `SHORT` for each short table
before. Repeats, short tables and mates stand so far apart that no exchange of two entries trades a greater
fault for lesser ones.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from games.engine.jsontypes import Json, JsonObject
from league.competition.state import Competition
from league.formats.base import DrawnTable
from league.formats.history import History
from league.formats.seating import Costs

REPEAT: Final = 10**9
SHORT: Final = 10**7
MATES: Final = 10**6
BEGUN: Final = 40


def costs(
    state: Competition, remembered: History, entries: Sequence[str], levels: Mapping[str, int] | None = None
) -> Costs:
    """Return what each two of the entries, by their place in the list, cost at one table.

    ``levels`` are standings as whole numbers, equals alike; without them scores do not matter.
    """
    affiliation = {entry.id: entry.affiliation for entry in state.entries}
    mates = [affiliation[entry] for entry in entries]
    begun = [remembered.begun_too_often(entry) for entry in entries]
    level = [levels[entry] if levels else 0 for entry in entries]
    met = [remembered.opponents[entry] for entry in entries]
    rows = [[0] * len(entries) for _ in entries]
    for one, other in combinations(range(len(entries)), 2):
        cost = (level[one] - level[other]) ** 2 + 2 * REPEAT * met[one][entries[other]]
        if mates[one] and mates[one] == mates[other]:
            cost += MATES
        if begun[one] * begun[other] > 0:
            cost += BEGUN * begun[one] * begun[other]
        rows[one][other] = rows[other][one] = cost
    return Costs(rows, [2 * SHORT * remembered.short[entry] for entry in entries], REPEAT)


def report(
    remembered: History,
    tables: Sequence[DrawnTable],
    byes: Sequence[str],
    levels: Mapping[str, int] | None = None,
) -> JsonObject:
    """Return how good a draw is, in numbers for organiser and players.

    ``repeats``: pairs that meet again; ``most_meetings``: the most that any two will have met; ``sizes``: how
    many tables of each size; ``byes``: entries without a table; ``first_seats``: the most and the fewest
    times that anybody will have begun. With levels also ``spread``: the widest table's distance between its
    best and its last, in hundredths of that between the leader and the last of the field.
    """
    pairs = [pair for table in tables for pair in combinations(table.entries, 2)]
    meetings = [remembered.opponents[one][other] + 1 for one, other in pairs]
    sizes = Counter(len(table.entries) for table in tables)
    told: dict[str, Json] = {
        "repeats": sum(count > 1 for count in meetings),
        "most_meetings": max(meetings, default=0),
        "sizes": {str(size): sizes[size] for size in sorted(sizes)},
        "byes": len(byes),
        "first_seats": _first_seats(remembered, tables),
    }
    if levels:
        told["spread"] = _spread(tables, levels)
    return told


def _first_seats(remembered: History, tables: Sequence[DrawnTable]) -> list[int]:
    begun = [
        remembered.begun[entry] + (place == 0)
        for table in tables
        for place, entry in enumerate(table.entries)
    ]
    return [max(begun, default=0), min(begun, default=0)]


def _spread(tables: Sequence[DrawnTable], levels: Mapping[str, int]) -> int:
    field = max(levels.values()) - min(levels.values())
    widest = max((_width(table, levels) for table in tables), default=0)
    return 100 * widest // field if field else 0


def _width(table: DrawnTable, levels: Mapping[str, int]) -> int:
    own = [levels[entry] for entry in table.entries]
    return max(own) - min(own)

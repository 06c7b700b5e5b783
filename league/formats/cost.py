"""The one stated cost of a draw, and the report of what a draw cost.

Two at one table cost, for each time they met before, twice `REPEAT` (so that the sum of meetings squared is
what a draw keeps low), `MATES` if they are of one affiliation, and the square of the distance of their scores
where a format pairs equals. Sitting at a short table costs twice `SHORT` for each short table before. The
weights stand so far apart that no number of lesser faults outweighs a greater one in fields of usual size.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from games.engine.jsontypes import JsonObject
from league.competition.state import Competition, Stage
from league.formats.history import History, history
from league.formats.seating import Costs

REPEAT: Final = 10**9
SHORT: Final = 10**7
MATES: Final = 10**6


def costs(
    state: Competition, remembered: History, entries: Sequence[str], levels: Mapping[str, int] | None = None
) -> Costs:
    """Return what each two of the entries, by their place in the list, cost at one table.

    ``levels`` are standings as whole numbers, equals alike; without them only repeats and mates count.
    """
    affiliation = {entry.id: entry.affiliation for entry in state.entries}
    rows = [[0] * len(entries) for _ in entries]
    for (one, first), (other, second) in combinations(enumerate(entries), 2):
        cost = 2 * REPEAT * remembered.meetings(first, second)
        if affiliation[first] and affiliation[first] == affiliation[second]:
            cost += MATES
        if levels:
            cost += (levels[first] - levels[second]) ** 2
        rows[one][other] = rows[other][one] = cost
    return Costs(rows, [2 * SHORT * remembered.short[entry] for entry in entries])


def report(stage: Stage, tables: Sequence[Sequence[str]], byes: Sequence[str]) -> JsonObject:
    """Return how good a draw is, in numbers for organiser and players.

    ``repeats``: pairs that meet again; ``most_meetings``: the most that any two will have met;
    ``sizes``: how many tables of each size; ``byes``: entries without a table.
    """
    remembered = history(stage)
    meetings = [
        remembered.meetings(one, other) + 1 for table in tables for one, other in combinations(table, 2)
    ]
    sizes = Counter(map(len, tables))
    return {
        "repeats": sum(count > 1 for count in meetings),
        "most_meetings": max(meetings, default=0),
        "sizes": {str(size): sizes[size] for size in sorted(sizes)},
        "byes": len(byes),
    }

"""Whole competitions with random results, for tests of all formats."""

from collections import Counter
from itertools import combinations
from typing import Any

from games.engine.chance import Chance
from league.core import formats
from league.core.state.competition import Competition, Round, Stage
from league.core.state.plan import Placing, StagePlan
from league.core.verbs.results import ResultRecorded
from tests.core import deciding as commands
from tests.core.committed import committed
from tests.core.crosstable import HEAD, after, plan, started
from tests.core.ids import uid

CUPS = ("knockout", "double_elimination")
RESULTS = Chance(b"results")


def names(count: int) -> str:
    return " ".join(f"P{number}" for number in range(count))


def competition(count: int, plan: StagePlan, seed: int = 0, **changes: Any) -> Competition:
    return started(names(count), plan, root=committed(seed), **changes)


def planned(key: str, rounds: int, size: int = 4) -> StagePlan:
    """A stage of a format; a cup has as many rounds as it needs, a double elimination tables of two."""
    asked = 0 if key in CUPS else rounds
    return plan(format=key, rounds=asked, table_size=2 if key == "double_elimination" else size)


def drawn(state: Competition) -> Competition:
    return after(state, *commands.draw(state))


def finished_round(state: Competition) -> Competition:
    """The state with the drawn round published, every table played with a result by lot, and closed."""
    assert state.stage and state.stage.open_round
    tables = state.stage.open_round.tables
    state = after(state, *commands.publish(state, games={table.id: [uid(table.id)] for table in tables}))
    for table in tables:
        ranks = RESULTS.shuffled(table.id, range(1, len(table.seats) + 1))
        placings = tuple(Placing(seat, rank, 20 - rank) for seat, rank in enumerate(ranks))
        state = after(state, ResultRecorded(table.id, uid(table.id), HEAD, "finished", placings))
    return after(state, *commands.close_round(state))


def played_out(state: Competition) -> Competition:
    """The state after all rounds of the stage that runs."""
    stage = stage_of(state)
    while len(stage.rounds) < formats.of(stage.plan).rounds(state, stage):
        state = finished_round(drawn(state))
        stage = stage_of(state)
    return state


def stage_of(state: Competition) -> Stage:
    assert state.stage
    return state.stage


def last_round(state: Competition) -> Round:
    return stage_of(state).rounds[-1]


def pairs(state: Competition) -> Counter[frozenset[str]]:
    """How often each two have met in the stage."""
    return Counter(
        frozenset(pair)
        for each in stage_of(state).rounds
        for table in each.tables
        for pair in combinations(table.entries, 2)
    )


def sizes(each: Round) -> list[int]:
    return sorted((len(table.entries) for table in each.tables), reverse=True)

"""The best and worst final ranks are bounds for every course of the remaining rounds."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.chance import Chance
from league.core import formats
from league.core.standings import outlook, ranking
from league.core.state.competition import Competition
from league.core.state.plan import Placing, Scoring
from league.core.verbs.presence import Absent
from league.core.verbs.results import ResultRecorded
from tests.core import deciding as commands
from tests.core.crosstable import HEAD, after, plan, played, published, result, started, table_at
from tests.core.formats.played import competition, drawn, stage_of
from tests.core.ids import uid


def ranks_by_name(state: Competition) -> dict[str, tuple[int, int]]:
    found = outlook.outlook(state, 1)
    assert found is not None
    return {state.entry(entry).name: (each.best, each.worst) for entry, each in found.items()}


# Duels, three rounds    1  2   after two of three
# Ann                    1  1   2 to 3
# Ben                    0  1   1 to 2
# Cem                    1  0   1 to 2
# Dana                   0  0   0 to 1
ROUNDS = ("Ann > Ben; Cem > Dana", "Ann > Cem; Ben > Dana")


def test_before_the_last_round_some_ranks_are_out_of_reach() -> None:
    state = played(started("Ann Ben Cem Dana", plan(table_size=2)), *ROUNDS)
    assert ranks_by_name(state) == {"Ann": (1, 3), "Ben": (1, 4), "Cem": (1, 4), "Dana": (2, 4)}


def test_a_decided_table_narrows_the_outlook_during_a_round() -> None:
    state = played(started("Ann Ben Cem Dana", plan(table_size=2)), *ROUNDS)
    state = published(state, "Ann > Dana; Ben > Cem")
    state = after(state, result(table_at(state, "Ann", "Dana"), "Ann > Dana"))
    assert ranks_by_name(state) == {"Ann": (1, 1), "Ben": (2, 3), "Cem": (2, 3), "Dana": (4, 4)}


def test_after_the_last_round_every_rank_is_certain() -> None:
    state = played(started("Ann Ben Cem Dana", plan(table_size=2)), *ROUNDS, "Ann > Dana; Ben > Cem")
    assert ranks_by_name(state) == {"Ann": (1, 1), "Ben": (2, 2), "Cem": (3, 3), "Dana": (4, 4)}


def test_eliminated_entries_have_the_ranks_left_as_their_outlook() -> None:
    state = competition(8, plan(format="knockout", rounds=0, table_size=2))
    state = by_lot(drawn(state), Chance(b"one"))
    in_order = sorted(ranks_by_name(state).values())
    assert in_order[:4] == [(1, 4)] * 4
    assert [best >= 5 and worst <= 8 for best, worst in in_order[4:]] == [True] * 4


@pytest.mark.parametrize("changes", [{"format": "ladder"}, {"scoring": Scoring(by="score")}])
def test_unbounded_results_have_no_outlook(changes: dict[str, Any]) -> None:
    assert outlook.outlook(started("Ann Ben", plan(**changes)), 1) is None


def by_lot(state: Competition, chance: Chance, share: int = 100) -> Competition:
    """The state after the drawn round is published and a share of its tables played, all of them: closed."""
    tables = state.stages[0].rounds[-1].tables
    state = after(state, *commands.publish(state, games={table.id: [uid(table.id)] for table in tables}))
    for table in tables[: len(tables) * share // 100]:
        scores = [chance.below(f"{table.id} {seat}", 4) for seat in range(len(table.seats))]
        ranks = [1 + sum(other > own for other in scores) for own in scores]
        placings = tuple(map(Placing, range(len(scores)), ranks, scores))
        state = after(state, ResultRecorded(table.id, uid(table.id), HEAD, "finished", placings))
    return after(state, *commands.close_round(state)) if share == 100 else state


@given(
    key=st.sampled_from(["rounds", "round_robin", "swiss", "knockout"]),
    count=st.integers(3, 9),
    size=st.integers(2, 4),
    by=st.sampled_from(["place", "win"]),
    fair=st.booleans(),
    best=st.integers(0, 3),
    bye=st.sampled_from(["win", "average", "none"]),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=120)
def test_every_final_rank_is_within_all_earlier_outlooks(
    key: str, count: int, size: int, by: Any, fair: bool, best: int, bye: Any, seed: int
) -> None:
    chance = Chance(seed.to_bytes(8, "big"))
    paid = Scoring(by=by, fair=fair, best=best, bye=bye)
    rounds = 0 if key == "knockout" else 3
    state = competition(count, plan(format=key, rounds=rounds, table_size=size, scoring=paid), seed)
    outlooks = [outlook.outlook(state, 1)]
    while len(stage_of(state).rounds) < formats.find(key).rounds(state, stage_of(state)):
        state = drawn(state)
        if chance.below(f"away {len(outlooks)}", 3) == 0:
            state = after(state, Absent(stage_of(state).entries[0], len(stage_of(state).rounds)))
        outlooks.append(outlook.outlook(by_lot(state, chance, 50), 1))
        state = by_lot(state, chance)
        outlooks.append(outlook.outlook(state, 1))
    state = after(state, *commands.draw_lots(state))
    final = {row.entry: row.rank for row in ranking.standings(state, 1)}
    for each in outlooks:
        assert each is not None
        for entry, rank in final.items():
            assert each[entry].best <= rank <= each[entry].worst

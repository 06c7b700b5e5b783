"""Swiss draws compared with a reference implementation: py4swiss, which pairs by FIDE's Dutch rules.

It also balances colours, which card games do not have; so its pairings are valid draws here, but never
cheaper by our cost.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from games.engine.chance import Chance
from league.core import formats, scoring
from league.core.drawing.cost import costs, history_of
from league.core.drawing.least_cost import total
from league.core.state.competition import Competition
from tests.core.crosstable import plan
from tests.core.formats.played import competition, drawn, last_round, stage_of
from tests.core.test_outlook import by_lot

engines = pytest.importorskip("py4swiss.engines", reason="py4swiss has no wheel for this machine")

MARKS = {1: "1", 0.5: "=", 0: "0"}


def tournament_report(state: Competition, rounds: int) -> str:
    """The history as a TRF (FIDE Handbook C.04 A, annex 2): entries by number, who sat first has white."""
    numbers = {entry: number for number, entry in enumerate(stage_of(state).entries, 1)}
    lines = [f"XXR {rounds}"]
    for entry, number in numbers.items():
        record = scoring.records(state, stage_of(state))[entry]
        played = "".join(
            f"  {numbers[opponent]:4} {colour} {mark}" for opponent, colour, mark in games(state, entry)
        )
        lines.append(
            f"001 {number:4}      {entry[:33]:33} 1500{'':28}{float(record.points):4.1f} {number:4}{played}"
        )
    return "\n".join(lines) + "\n"


def games(state: Competition, entry: str) -> Iterator[tuple[str, str, str]]:
    record = scoring.records(state, stage_of(state))[entry]
    for line, each in zip(record.lines, stage_of(state).rounds, strict=True):
        (meeting,) = line.meetings
        first = any(table.entries[0] == entry for table in each.tables)
        yield meeting.opponent, "w" if first else "b", MARKS[float(meeting.share)]


def reference(state: Competition, rounds: int, folder: Path) -> list[list[str]]:
    """The pairs that py4swiss proposes for the next round."""
    from py4swiss.trf import TrfParser

    file = folder / "report.trf"
    file.write_text(tournament_report(state, rounds))
    entries = stage_of(state).entries
    found = engines.DutchEngine.generate_pairings(TrfParser.parse(file, strict=True))
    return [[entries[pair.white - 1], entries[pair.black - 1]] for pair in found]


def price(state: Competition, tables: Sequence[Sequence[str]]) -> int:
    """What tables cost by our own cost."""
    stage = stage_of(state)
    playing = sorted(stage.entries)
    levels = formats.find("swiss").levels(state, stage)
    weighed = costs(state, history_of(stage), playing, levels)
    return total(weighed, [[playing.index(entry) for entry in table] for table in tables])


@pytest.mark.parametrize(("count", "rounds"), [(8, 4), (14, 6), (24, 5)])
@pytest.mark.parametrize("seed", range(3))
def test_a_draw_costs_no_more_than_the_reference_and_neither_repeats_a_pair(
    count: int, rounds: int, seed: int, tmp_path: Path
) -> None:
    chance = Chance(bytes([seed]))
    state = competition(count, plan(format="swiss", rounds=rounds, table_size=2), seed)
    for _ in range(rounds - 1):
        state = by_lot(drawn(state), chance)
        theirs = reference(state, rounds, tmp_path)
        met = history_of(stage_of(state)).opponents
        assert not any(met[one][other] for one, other in theirs)
        ours = last_round(drawn(state))
        assert ours.report["repeats"] == 0
        assert price(state, [table.entries for table in ours.tables]) <= price(state, theirs)

"""Draws follow from the log and its seed: in every process, and for everyone who checks them."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import pytest

from games.engine.refusals import Illegal
from league.core import events, formats, verifier
from league.core.events import Event
from league.core.state.competition import Competition
from league.core.verbs.draw import Drawn
from league.core.verbs.stages import StageStarted
from league.ops.folders import TOP
from tests.core import deciding as commands
from tests.core.crosstable import after, enter, opening, plan
from tests.core.formats.played import competition, drawn, finished_round, planned

DRAWS: Final = """
from league.core import formats
from tests.core.formats.played import competition, drawn, finished_round, last_round, planned
for key in ("rounds", "round_robin", "swiss", "knockout", "double_elimination"):
    for size in (2, 3):
        state = competition(11, planned(key, 3, size))
        state = drawn(finished_round(drawn(state)))
        print(key, last_round(state).byes, [table.seats for table in last_round(state).tables])
"""


def test_another_process_draws_the_same() -> None:
    answer = {
        subprocess.run(
            [sys.executable, "-c", DRAWS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=TOP,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert [text.count("Seat(") > 50 for text in answer] == [True]


def a_log() -> list[Event]:
    log: list[Event] = [opening(plan(format="swiss", table_size=2))]
    for name in ("Ann", "Ben", "Cem", "Dana", "Eva"):
        log.extend(enter(events.fold(log), name))
    log.extend(commands.start(events.fold(log)))
    log.extend(commands.draw(events.fold(log)))
    return log


def test_the_draws_of_an_honest_log_are_verified() -> None:
    assert verifier.verified(a_log()) == events.fold(a_log())


def test_a_draw_that_does_not_follow_from_the_seed_is_reported() -> None:
    *log, draw = a_log()
    assert isinstance(draw, Drawn)
    one, other = draw.tables
    swapped = replace(draw, tables=(replace(one, seats=other.seats), replace(other, seats=one.seats)))
    with pytest.raises(Illegal, match="draw is not the one"):
        verifier.verified([*log, swapped])


def test_groups_that_do_not_follow_from_the_seed_are_reported() -> None:
    *log, groups, _, _ = a_log()
    assert isinstance(groups, StageStarted)
    with pytest.raises(Illegal, match="groups are not those"):
        verifier.verified([*log, replace(groups, groups=(groups.groups[0][::-1],))])


def second_draw(state: Competition) -> tuple[Competition, Drawn]:
    """A second round that is to be drawn, and its honest draw."""
    state = finished_round(drawn(state))
    cut_off, event = commands.draw(state)
    assert isinstance(event, Drawn)
    return after(state, cut_off), event


def with_pairs(event: Drawn, order: Sequence[int]) -> Drawn:
    """The draw with the entries of its first two tables seated anew."""
    seats = [seat for table in event.tables[:2] for seat in table.seats]
    pairs = [seats[order[0]], seats[order[1]]], [seats[order[2]], seats[order[3]]]
    tables = tuple(
        replace(table, seats=tuple(pair)) for table, pair in zip(event.tables, pairs, strict=False)
    )
    return replace(event, tables=(*tables, *event.tables[2:]))


@pytest.mark.parametrize("order", [(1, 0, 2, 3), (2, 1, 0, 3), (3, 1, 2, 0), (2, 3, 0, 1)])
def test_another_draw_of_duels_is_refused(order: tuple[int, ...]) -> None:
    state, event = second_draw(competition(11, plan(format="swiss", table_size=2)))
    assert verifier.verdict(state, event) == "given"
    assert verifier.verdict(state, with_pairs(event, order)) == "different"


def test_a_draw_in_which_another_entry_has_the_bye_is_refused() -> None:
    state, event = second_draw(competition(11, plan(format="swiss", table_size=2)))
    (rests,), ((entry, _), other) = event.byes, event.tables[0].seats
    seat = (rests, state.entry(rests).players[0])
    tables = (replace(event.tables[0], seats=(seat, other)), *event.tables[1:])
    assert verifier.verdict(state, replace(event, tables=tables, byes=(entry,))) == "different"


@pytest.mark.parametrize("key", [each.key for each in formats.BY_KEY.values() if not each.open_tables])
def test_a_draw_reads_back_from_the_log(key: str) -> None:
    state = finished_round(drawn(competition(9, planned(key, 4))))
    drawing = commands.draw(state)
    assert after(state, *(events.read(events.write(event)) for event in drawing)) == after(state, *drawing)

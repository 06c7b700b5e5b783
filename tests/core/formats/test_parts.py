"""Brackets in parts: each fits, and together they have every match."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from league.core import formats
from league.core.formats.base import Bracket
from league.core.formats.parts import parts
from league.core.state.plan import Intake
from tests.core.crosstable import plan, started
from tests.core.formats.played import stage_of

PAIRS, COLUMNS = 8, 5


def drawn(format_: str, entries: int) -> tuple[Bracket, ...]:
    names = " ".join(f"P{at:02}" for at in range(entries))
    cup = plan(format=format_, rounds=0, table_size=2, intake=Intake(seeding="order"))
    state = started(names, cup)
    stage = stage_of(state)
    return formats.of(cup).brackets(state, stage, {entry.id: entry.name for entry in state.entries})


def in_parts(format_: str, entries: int) -> Iterator[tuple[Bracket, list[Bracket]]]:
    for bracket in drawn(format_, entries):
        yield bracket, list(parts(bracket, PAIRS, COLUMNS))


@pytest.mark.parametrize("format_", ["knockout", "double_elimination"])
@pytest.mark.parametrize("entries", [2, 5, 11, 16, 24, 33, 64, 100])
def test_every_part_fits_and_its_matches_never_overlap(format_: str, entries: int) -> None:
    for _whole, found in in_parts(format_, entries):
        for part in found:
            assert 1 <= len(part.columns) <= COLUMNS
            for column in part.columns:
                assert 1 <= len(column.matches) <= PAIRS
                edges = [(match.centre - 1, match.centre + 1) for match in column.matches]
                assert edges[0][0] >= 0
                assert all(one[1] < other[0] for one, other in pairwise(edges))


@pytest.mark.parametrize("format_", ["knockout", "double_elimination"])
@pytest.mark.parametrize("entries", [2, 5, 11, 16, 24, 33, 64, 100])
def test_the_parts_have_every_match_and_lines_to_all_that_are_led_to(format_: str, entries: int) -> None:
    for whole, found in in_parts(format_, entries):
        columns = [column for part in found for column in part.columns]
        for column in whole.columns:
            its = [each for each in columns if each.title == column.title]
            slots = {match.slots for each in its for match in each.matches}
            assert slots == {match.slots for match in column.matches}
        for part in found:
            for one, other in pairwise(part.columns):
                for match in other.matches:
                    led = [one.matches[feeder].centre for feeder in match.feeders]
                    assert not led or match.centre == pytest.approx(sum(led) / len(led))


def test_parts_begin_where_they_are_asked_to() -> None:
    (bracket,) = drawn("knockout", 32)
    (part,) = parts(bracket, PAIRS, COLUMNS, begin=2)
    assert [str(column.title) for column in part.columns] == ["Quarter-finals", "Semi-finals", "Final"]
    assert part.columns[0].matches[0].centre == 1

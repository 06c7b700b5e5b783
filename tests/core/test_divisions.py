"""Promotion and relegation as tables of cases: `Abc Def` are two divisions of three, each best first.

An entry that has left is written small, a newcomer is N. Capital letters are entries that play on.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.lines import Division, Line, line_at, members, next_divisions
from league.core.state.competition import Placement
from league.core.state.stages import Move, sentence
from league.core.state.values import LineRule


def season(
    before: str,
    up: int,
    down: int,
    *,
    placed: Mapping[str, int] | None = None,
    fill: Literal["promote", "keep"] = "promote",
    sizes: Sequence[int] = (),
    level: str = "",
    rule: LineRule = "lots",
) -> tuple[Move, ...]:
    """The moves after a season; ``level`` are entries that are level, decided by ``rule``."""
    groups = before.split()
    divisions = []
    for number, group in enumerate(groups, 1):
        ranks = {entry: rank for rank, entry in enumerate(group, 1) if entry.isupper()}
        classes = list(_classes(ranks, level))
        promoted = up if number > 1 else 0

        def line(places: int, classes: Sequence[str] = classes) -> Line:
            return line_at(classes, places, rule)

        size = sizes[number - 1] if number <= len(sizes) else len(group)
        divisions.append(
            Division(
                ranks,
                line(promoted) if number > 1 else None,
                line(max(promoted, len(ranks) - down)) if number < len(groups) else None,
                size if number < len(groups) else None,
            )
        )
    placements = {entry: Placement(entry, group, "won the cup") for entry, group in (placed or {}).items()}
    return next_divisions(divisions, "N", placements, fill)


def _classes(ranks: Mapping[str, int], level: str) -> Sequence[str]:
    tied = "".join(entry for entry in ranks if entry in level)
    singles = [entry if entry not in tied else tied for entry in ranks]
    return list(dict.fromkeys(singles))


def after(moves: Sequence[Move], count: int) -> str:
    return " ".join("".join(group) for group in members(moves, count))


def why(moves: Sequence[Move]) -> str:
    """The reasons other than the usual ones, by entry."""
    usual = ("promoted", "relegated", "stays", "new")
    return ", ".join(f"{move.entry} {move.why}" for move in moves if move.why not in usual)


@pytest.mark.parametrize(
    ("before", "up", "down", "divisions", "reasons"),
    [
        pytest.param("ABCD EFGH", 1, 1, "ABCE DFGHN", "", id="one up, one down"),
        pytest.param("ABCD EFGH IJKL", 2, 2, "ABEF CDIJ GHKLN", "", id="two up, two down"),
        pytest.param("ABCD EFGH", 0, 0, "ABCD EFGHN", "", id="nobody moves"),
        # Division 2 has three: its first two are promoted, which leaves one to relegate. Two come down and
        # two would come up, so the last of those promoted stays below.
        pytest.param("ABC DEF GHI", 2, 2, "ADE BCG FHIN", "H no_place", id="overlap in a division of three"),
        pytest.param(
            "ABC DEF GHI", 3, 3, "DEF ABC GHIN", "G no_place, H no_place, I no_place", id="all move"
        ),
        pytest.param("ABCD EF GHIJ", 2, 1, "ABEF CD GHIJN", "C surplus, G no_place, H no_place", id="of two"),
        pytest.param(
            "ABCD EFGH IJKL", 2, 1, "ABEF CDIJ GHKLN", "C surplus, G surplus", id="more up than down"
        ),
        pytest.param("ABCD EFGH IJKL", 1, 2, "ABEF CDIJ GHKLN", "F next_best, J next_best", id="more down"),
        pytest.param("ABCd EFGH IJKL", 1, 1, "ABEF CGIJ HKLN", "F next_best, J next_best", id="one has left"),
        pytest.param("aBCD EFGH", 1, 1, "BCEF DGHN", "F next_best", id="the winner has left"),
        pytest.param("ABcd EF", 1, 1, "ABEF N", "B kept, F next_best", id="too few below: fewer go down"),
        pytest.param("Abcd E", 1, 1, "AE N", "A kept", id="nobody is left to fill it"),
        pytest.param("ABCD efgh", 1, 1, "ABCD N", "D kept", id="an empty division below"),
    ],
)
def test_divisions_keep_their_sizes(before: str, up: int, down: int, divisions: str, reasons: str) -> None:
    moves = season(before, up, down)
    assert after(moves, len(before.split())) == divisions
    assert why(moves) == reasons


@pytest.mark.parametrize(
    ("before", "divisions", "reasons"),
    [
        pytest.param("ABCd EFGH", "ABCE FGHN", "C kept", id="one relegated fewer"),
        pytest.param("ABcd EFGH", "ABEF GHN", "B kept, F next_best", id="then the next best"),
    ],
)
def test_a_plan_may_keep_those_relegated_first(before: str, divisions: str, reasons: str) -> None:
    moves = season(before, 1, 1, fill="keep")
    assert after(moves, 2) == divisions
    assert why(moves) == reasons


@pytest.mark.parametrize(
    ("sizes", "divisions", "reasons"),
    [
        pytest.param((6,), "ABCEFG DHN", "F next_best, G next_best", id="bigger"),
        pytest.param((2,), "AE BCDFGHN", "B surplus, C surplus", id="smaller"),
    ],
)
def test_a_division_gets_the_size_that_the_plan_gives(
    sizes: tuple[int, ...], divisions: str, reasons: str
) -> None:
    moves = season("ABCD EFGH", 1, 1, sizes=sizes)
    assert after(moves, 2) == divisions
    assert why(moves) == reasons


@pytest.mark.parametrize(
    ("placed", "divisions", "reasons"),
    [
        pytest.param({"H": 1}, "ABCEH DFGN", "H placed", id="up: a place more"),
        pytest.param({"D": 1}, "ABCDE FGHN", "D placed", id="not relegated: a place more"),
        pytest.param({"A": 2}, "BCEF ADGHN", "A placed, F next_best", id="down: its place is filled"),
        pytest.param({"E": 1}, "ABCE DFGHN", "E placed", id="where it goes anyway"),
        pytest.param({"E": 2}, "ABCF DEGHN", "E placed, F next_best", id="not promoted: the next best is"),
        pytest.param({"N": 1}, "ABCEN DFGH", "N placed", id="a newcomer"),
        pytest.param({"Z": 1}, "ABCE DFGHN", "", id="one that has left"),
    ],
)
def test_the_organiser_s_placements_come_first(placed: dict[str, int], divisions: str, reasons: str) -> None:
    moves = season("ABCD EFGH", 1, 1, placed=placed)
    assert after(moves, 2) == divisions
    assert why(moves) == reasons


@pytest.mark.parametrize(
    ("level", "rule", "divisions"),
    [
        pytest.param("EF", "all", "ABCEF DGHN", id="all are promoted: the division grows"),
        pytest.param("CD", "all", "ABCDE FGHN", id="all stay: the division grows"),
        pytest.param("EF", "lots", "ABCE DFGHN", id="lots"),
    ],
)
def test_a_tie_on_the_line_is_decided_as_the_stage_says(level: str, rule: LineRule, divisions: str) -> None:
    assert after(season("ABCD EFGH", 1, 1, level=level, rule=rule), 2) == divisions


def test_each_entry_is_told_why_it_goes_where_it_goes() -> None:
    moves = season("ABCd EFGH", 1, 1, placed={"H": 1}, level="EF")
    assert [str(sentence(move)) for move in moves] == [
        "Stays in division 1: rank 1.",
        "Stays in division 1: rank 2.",
        "Relegated: rank 3 of division 1.",
        "Promoted: rank 1 of division 2. Level with 1 other on the last place: lots decided.",
        "Promoted to fill division 1: next best, rank 2 of division 2.",
        "Stays in division 2: rank 3.",
        "Placed by the organiser in group 1: won the cup",
        "New: begins in the last division.",
    ]


def lettered(sizes: Sequence[int]) -> str:
    """Divisions of these sizes."""
    letters = iter("ABCDEFGHIJKLMOPQRSTUVWXYZ")
    return " ".join("".join(next(letters) for _ in range(size)) for size in sizes)


@given(
    st.lists(st.integers(2, 6), min_size=2, max_size=4),
    st.integers(0, 3),
    st.integers(0, 3),
    st.sampled_from(["promote", "keep"]),
    st.sets(st.sampled_from("ABCDEFGHIJKLMOPQRSTUVWXYZ"), max_size=3),
)
def test_everybody_has_one_place_and_moves_by_one_division_at_most(
    sizes: list[int], up: int, down: int, fill: Literal["promote", "keep"], left: set[str]
) -> None:
    before = lettered(sizes)
    present = "".join(entry.lower() if entry in left else entry for entry in before)
    moves = season(present, up, down, fill=fill)
    assert sorted(move.entry for move in moves) == sorted([*filter(str.isupper, present), "N"])
    assert all(abs(move.group - move.before) <= 1 for move in moves if move.before)
    assert all(1 <= move.group <= len(sizes) for move in moves)
    for number, size in enumerate(sizes[:-1], 1):
        came_down = sum(move.before == number - 1 and move.group == number for move in moves)
        assert sum(move.group == number for move in moves) <= max(size, came_down)


@given(
    st.integers(2, 4).flatmap(lambda count: st.lists(st.integers(4, 6), min_size=count, max_size=count)),
    st.integers(0, 2),
    st.integers(0, 2),
    st.sampled_from(["promote", "keep"]),
)
def test_divisions_that_nobody_leaves_keep_their_sizes(
    sizes: list[int], up: int, down: int, fill: Literal["promote", "keep"]
) -> None:
    moves = season(lettered(sizes), up, down, fill=fill)
    after_it = [sum(move.group == number for move in moves) for number in range(1, len(sizes) + 1)]
    assert after_it == [*sizes[:-1], sizes[-1] + 1]

"""Prizes: read from lines, and awarded by the final ranking."""

from typing import Any

import pytest

from games.engine.refusals import Malformed
from league.core.details import Award, FinalRank, Prize, as_lines, awards, check, from_lines

LINES = "1: a cup\n2-3: a medal\nBest newcomer: wine = Anna"
CUP, MEDAL, WINE = (
    Prize("a cup", 1, 1),
    Prize("a medal", 2, 3),
    Prize("wine", category="Best newcomer", winner="Anna"),
)


def test_lines_are_prizes_and_prizes_are_lines() -> None:
    assert from_lines(f"\n{LINES}\n\n") == (CUP, MEDAL, WINE)
    assert as_lines((CUP, MEDAL, WINE)) == LINES


@pytest.mark.parametrize(
    "line", ["a cup", "1:", ": a cup", "3-2: a medal", "0: a cup", "1: a cup = Anna", "1: " + "x" * 201]
)
def test_a_line_that_is_no_prize_is_named(line: str) -> None:
    with pytest.raises(Malformed) as refused:
        from_lines(f"1: a cup\n{line}")
    assert "Line 2" in refused.value.errors["prizes"][0]


@pytest.mark.parametrize("prize", [Prize("x"), Prize("x", 1, 1, "y"), Prize("x", 3, 2)])
def test_a_prize_is_for_places_or_for_a_category(prize: Prize) -> None:
    with pytest.raises(Malformed):
        check([CUP, prize])


@pytest.mark.parametrize(
    ("ranking", "cup", "medal"),
    [
        ([], Award(CUP), Award(MEDAL)),
        (
            [(1, "Ann"), (2, "Ben"), (3, "Cleo"), (4, "Dora")],
            Award(CUP, ("Ann",)),
            Award(MEDAL, ("Ben", "Cleo")),
        ),
        (
            [(1, "Ann"), (1, "Ben"), (3, "Cleo")],
            Award(CUP, ("Ann", "Ben"), level=True, first=1, last=2),
            Award(MEDAL, ("Ann", "Ben", "Cleo"), level=True, first=1, last=2),
        ),
        (
            [(1, "Ann"), (2, "Ben"), (3, "Cleo"), (3, "Dora")],
            Award(CUP, ("Ann",)),
            Award(MEDAL, ("Ben", "Cleo", "Dora"), level=True, first=3, last=4),
        ),
        (
            [(1, "Ann", True), (2, "Ben", True), (3, "Cleo")],
            Award(CUP, ("Ann",), by_lot=("Ann",)),
            Award(MEDAL, ("Ben", "Cleo"), by_lot=("Ben",)),
        ),
    ],
)
def test_places_win_and_ties_are_told(ranking: list[tuple[Any, ...]], cup: Award, medal: Award) -> None:
    assert awards([CUP, MEDAL], [FinalRank(*each) for each in ranking]) == (cup, medal)


def test_a_category_is_won_by_whom_an_organiser_names() -> None:
    assert awards([WINE, Prize("jam", category="Youth")], [FinalRank(1, "Ben")]) == (
        Award(WINE, ("Anna",)),
        Award(Prize("jam", category="Youth")),
    )

"""The report on a draw in sentences."""

from fractions import Fraction
from typing import Any

import pytest

from league.core.state.cut_offs import CutOff, Source
from league.words import draw_reports

DRAWN: dict[str, Any] = {
    "repeats": 0,
    "most_meetings": 1,
    "sizes": {"3": 1, "4": 2},
    "byes": 0,
    "first_seats": [1, 0],
    "spread": 0,
}


def test_all_figures_are_reported_in_order() -> None:
    assert draw_reports.sentences(DRAWN) == (
        "2 tables of 4, 1 table of 3.",
        "Nobody has a bye.",
        "Nobody meets the same opponent again.",
        "Nobody has gone first more than once.",
    )


ALLOTTED = (
    " Who plays at a shorter table is chosen first, among those who did so least often; "
    "another choice may have allowed fewer."
)


@pytest.mark.parametrize(("changes", "sentence"), [
    ({"sizes": {}}, "No table."),
    ({"byes": 1}, "1 entry has a bye."),
    ({"byes": 2}, "2 entries have a bye."),
    (
        {"repeats": 1, "most_meetings": 2, "sizes": {"4": 3}},
        "1 pair meets again; no two entries will have met more than 2 times.",
    ),
    (
        {"repeats": 6, "most_meetings": 3},
        "6 pairs meet again; no two entries will have met more than 3 times." + ALLOTTED,
    ),
    ({"partners": [0, 1]}, "Nobody has the same partner again."),
    (
        {"partners": [2, 2]},
        "2 pairs play together again; no two will have been partners more than 2 times.",
    ),
    ({"wishes": [2, 0]}, "The wishes of all 2 pairs for this draw are kept."),
    (
        {"wishes": [2, 1]},
        "The wish of 1 pair is not kept. Where not all can be, those low in the standings go without.",
    ),
    ({"tables": [1, 0]}, "1 entry sits at its fixed table."),
    (
        {"tables": [1, 1]},
        "1 entry does not sit at its fixed table: somebody else at it has a lower number, or it is not "
        "set up.",
    ),
    ({"first_seats": [2, 2]}, "All entries have gone first equally often."),
    ({"first_seats": [1, 1]}, "All entries have gone first equally often."),
    ({"first_seats": [3, 1]}, "Entries have gone first between 1 and 3 times."),
    ({"first_seats": [2, 0]}, "Entries have gone first between 0 and 2 times."),
])  # fmt: skip
def test_each_figure_has_a_sentence(changes: dict[str, Any], sentence: str) -> None:
    assert sentence in draw_reports.sentences({**DRAWN, **changes})


@pytest.mark.parametrize(
    ("apart", "sentence"),
    [
        (Fraction(0), "At each table all entries have equal points."),
        (Fraction(5, 2), "Two entries at one table are at most 2½ apart in points."),
    ],
)
def test_how_far_points_are_apart_is_told_in_points(apart: Fraction, sentence: str) -> None:
    assert draw_reports.sentences(DRAWN, apart=apart)[-1] == sentence
    assert "points" not in " ".join(draw_reports.sentences(DRAWN))


@pytest.mark.parametrize(
    ("changes", "seating", "why"),
    [
        ({}, "given", "filled by an order"),
        ({}, "standing", "filled by an order"),
        ({"wishes": [2, 0]}, "", "Wishes come first"),
        ({"sizes": {"4": 3}, "wishes": [2, 0]}, "", "Wishes come first"),
    ],
)
def test_why_some_meet_again_is_said_as_it_was(changes: dict[str, Any], seating: Any, why: str) -> None:
    report = {**DRAWN, "repeats": 6, "most_meetings": 3, **changes}
    filled_by = CutOff(0, "round", 1, seating=seating) if seating else None
    told = " ".join(draw_reports.sentences(report, filled_by=filled_by))
    assert why in told
    assert ("shorter table" in told) is (not seating and len(report["sizes"]) > 1)


@pytest.mark.parametrize(
    ("seating", "by", "how"),
    [
        ("standing", Source(), "by the standings"),
        ("given", Source("series", "Cup"), "by the year’s table (Cup)"),
        ("given", Source("evening", "Thursday"), "by the last evening (Thursday)"),
        ("given", Source("rating"), "by the ratings"),
        ("given", Source(), "by another order"),
    ],
)
def test_by_which_order_tables_are_filled_is_said(seating: Any, by: Source, how: str) -> None:
    cut_off = CutOff(0, "round", 1, seating=seating, by=by)
    told = draw_reports.sentences(DRAWN, filled_by=cut_off)
    assert f"The tables are filled {how}, the best at table 1." in told
    first, *_ = draw_reports.sentences({"tables": (1, 0)}, filled_by=cut_off)
    assert first.startswith(f"The tables are filled {how}. A table at which somebody always sits")


def test_a_missing_figure_has_no_sentence() -> None:
    assert draw_reports.sentences({}) == ()

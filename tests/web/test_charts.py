"""Values as points of a line chart."""

from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from league.queries.pictures import Bracket, Match, Race, Runner, Slot, StageColumn, Stop, Way, Ways
from league.web.charts import HEIGHT, WIDTH, bracket_chart, line_chart, race_chart, ways_chart


def test_the_line_runs_from_the_left_edge_to_the_right_within_its_band() -> None:
    chart = line_chart([10, 30, 20], [10, 10, 10])
    assert (chart.low, chart.high) == (0, 40)
    assert (
        chart.line == f"0.0,{HEIGHT * 0.75:.1f} {WIDTH / 2:.1f},{HEIGHT / 4:.1f} {WIDTH:.1f},{HEIGHT / 2:.1f}"
    )
    assert chart.band.split()[0] == f"0.0,{HEIGHT / 2:.1f}"
    assert chart.band.split()[-1] == f"0.0,{HEIGHT:.1f}"


def test_equal_values_without_a_band_are_a_horizontal_line() -> None:
    assert line_chart([5, 5], [0, 0]).line == f"0.0,0.0 {WIDTH:.1f},0.0"


# ---- Pictures of a competition -------------------------------------------------------------------


def runner(rank: int, *points: int) -> Runner:
    return Runner(f"Runner {rank}", rank, tuple(map(Fraction, points)))


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=30))
def test_the_names_of_a_race_never_overlap(points: list[int]) -> None:
    ordered = sorted(points, reverse=True)
    race = Race(1, (1, 2), tuple(runner(rank, 0, each) for rank, each in enumerate(ordered, 1)), False)
    chart = race_chart(race)
    heights = [line.label for line in chart.leaders]
    assert all(below - above >= 19.9 for above, below in pairwise(heights))
    assert all(-1 <= height <= chart.height for height in heights)
    assert len(chart.leaders) + len(chart.others) == len(points)


def test_the_lead_of_a_race_is_on_top_also_where_the_fewest_points_lead() -> None:
    for fewest, first, last in ((False, 9, 1), (True, 1, 9)):
        chart = race_chart(Race(1, (1, 2), (runner(1, 5, first), runner(2, 5, last)), fewest))
        assert chart.leaders[0].end < chart.leaders[1].end


def test_the_matches_of_a_bracket_never_overlap_and_lead_to_one() -> None:
    slots = (Slot("A"), Slot("B"))
    rounds = (
        tuple(Match("", slots, centre) for centre in (1.0, 3.8, 6.6, 9.4)),
        (Match("", slots, 2.4), Match("", slots, 8.0)),
        (Match("", slots, 5.2), Match("third place", slots, 9.0)),
    )
    chart = bracket_chart(Bracket(1, True, rounds, 10.4))
    for _left, boxes in chart.rounds:
        assert all(one.top + one.height < other.top for one, other in pairwise(boxes))
        assert all(box.top + box.height <= chart.height for box in boxes)
    assert len(chart.lines) == 6


def test_ways_lead_up_and_down_and_their_names_do_not_overlap() -> None:
    column = StageColumn("Season", True, (0, 1))
    ways = Ways(
        (column, column),
        (
            Way("Ann", (Stop(1, 1, 1, 0), Stop(2, 2, 1, 1))),
            Way("Ben", (Stop(1, 2, 1, 1), Stop(2, 1, 1, 0))),
        ),
    )
    chart = ways_chart(ways)
    assert [line.parts[0][0] for line in chart.lines] == ["down", "up"]
    assert len({(label.before, label.top) for label in chart.labels}) == 4
    assert [(name, [stop.rank for stop, _ in stops if stop]) for name, stops in ways.table] == [
        ("Ann", [1, 1]),
        ("Ben", [1, 1]),
    ]

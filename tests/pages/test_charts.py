"""A course of figures as points of a line."""

from league.views.charts import HEIGHT, WIDTH, course


def test_the_line_runs_from_the_left_edge_to_the_right_within_its_band() -> None:
    told = course([10, 30, 20], [10, 10, 10])
    assert (told.low, told.high) == (0, 40)
    assert (
        told.line == f"0.0,{HEIGHT * 0.75:.1f} {WIDTH / 2:.1f},{HEIGHT / 4:.1f} {WIDTH:.1f},{HEIGHT / 2:.1f}"
    )
    assert told.band.split()[0] == f"0.0,{HEIGHT / 2:.1f}"
    assert told.band.split()[-1] == f"0.0,{HEIGHT:.1f}"


def test_a_level_course_without_a_band_is_a_level_line() -> None:
    assert course([5, 5], [0, 0]).line == f"0.0,0.0 {WIDTH:.1f},0.0"

"""Values as points of a line chart."""

from league.web.charts import HEIGHT, WIDTH, line_chart


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

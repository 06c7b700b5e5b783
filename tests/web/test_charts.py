"""The geometry of brackets, and of ways through the stages."""

from itertools import pairwise

from league.core.formats.base import Bracket, Column, Match, Slot
from league.queries.pictures import StageColumn, Stop, Way, Ways
from league.web.standings import bracket_chart, ways_chart


def test_the_matches_of_a_bracket_never_overlap_and_lead_to_one() -> None:
    slots = (Slot("A"), Slot("B"))
    rounds = (
        tuple(Match(slots, centre) for centre in (1.0, 3.8, 6.6, 9.4)),
        (Match(slots, 2.4, feeders=(0, 1)), Match(slots, 8.0, feeders=(2, 3))),
        (Match(slots, 5.2, feeders=(0, 1)), Match(slots, 9.0, "third place")),
    )
    chart = bracket_chart(Bracket(tuple(Column("Round", matches) for matches in rounds)))
    for _left, _title, boxes in chart.columns:
        assert all(one.top + one.height < other.top for one, other in pairwise(boxes))
        assert all(box.top + box.height <= chart.height for box in boxes)
    assert len(chart.lines) == 6


def test_ways_lead_up_and_down_and_their_names_do_not_overlap() -> None:
    column = StageColumn("Season", True, (0, 1))
    ways = Ways(
        (column, column),
        (
            Way("Ann", (Stop(1, 1, 1, 0), Stop(2, 2, 1, 1))),
            Way("Ben", (Stop(1, 2, 1, 1), Stop(2, 1, 1, 0)), bot=True),
        ),
    )
    chart = ways_chart(ways)
    assert [line.parts[0][0] for line in chart.lines] == ["down", "up"]
    assert {label.name for label in chart.labels} == {"Ann", "Ben (bot)"}
    assert len({(label.before, label.top) for label in chart.labels}) == 4
    assert [(way.name, [stop.rank for stop, _ in stops if stop]) for way, stops in ways.table] == [
        ("Ann", [1, 1]),
        ("Ben", [1, 1]),
    ]

"""Overviews of a competition: cross tables, and reports on draws."""

from tests.api.desks import Desk
from tests.api.web import EVERYBODY, ROOT, assert_problem, get
from tests.factories import Cast


def test_a_cross_table_shows_each_meeting_from_both_sides(cast: Cast, desk: Desk) -> None:
    desk.does("draw")
    desk.does("publish")
    desk.plays(cast)
    answer = desk.reads("cross-table/?stage=1")
    (group,) = answer["groups"]
    assert [(row["entry"]["name"], row["points"], row["cells"]) for row in group["rows"]] == [
        ("Petra Plum", "1", [None, ["1"]]),
        ("Paul Pike", "0", [["0"], None]),
    ]
    assert answer["as_of"] == desk.reads("")["seq"]


def test_a_stage_that_has_not_begun_has_no_cross_table(cast: Cast) -> None:
    assert_problem(EVERYBODY.get(f"{ROOT}{Desk(cast).path}/cross-table/"), 404, "not_found")


def test_a_published_draw_has_a_report_in_sentences(cast: Cast, desk: Desk) -> None:
    desk.does("draw")
    assert desk.reads("rounds/")["results"] == []
    (drawn,) = get(f"{desk.path}/rounds/", desk.olga)["results"]
    assert drawn["summary"][:2] == ["1 table of 2.", "Nobody has a bye."]
    desk.does("publish")
    assert desk.reads("rounds/")["results"][0]["summary"] == drawn["summary"]

"""When a round must be finished, counted from its publication."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from games.engine.refusals import Malformed
from league.core import course
from tests.core.crosstable import plan

WEEK = 7 * 24


@pytest.mark.parametrize(
    ("hours", "zone", "now", "until"),
    [
        (WEEK, "UTC", "2026-06-02T18:00:00", "2026-06-09T18:00:00"),
        (WEEK, "Europe/Dublin", "2026-03-24T19:00:00", "2026-03-31T18:00:00"),
        (WEEK, "Europe/Dublin", "2026-10-20T18:20:00", "2026-10-27T20:00:00"),
        (2, "Europe/Dublin", "2026-03-29T00:30:00", "2026-03-29T03:00:00"),
        (WEEK + 2, "Asia/Kathmandu", "2026-06-02T10:50:00", "2026-06-09T13:15:00"),
        (WEEK, "Asia/Kathmandu", "2026-06-02T13:15:00.900", "2026-06-09T13:15:00"),
    ],
)
def test_days_lead_to_the_same_time_of_day_in_the_zone(hours: int, zone: str, now: str, until: str) -> None:
    planned = course.planned_deadline(
        plan(hours=hours), datetime.fromisoformat(now).replace(tzinfo=UTC), zone
    )
    assert planned is not None
    assert datetime.fromisoformat(planned) == datetime.fromisoformat(until).replace(tzinfo=UTC)


@pytest.mark.parametrize("until", ["9999-12-31T23:59:59Z", "2200-01-01T00:00:00Z"])
def test_a_deadline_is_never_after_2199(until: str) -> None:
    with pytest.raises(Malformed, match="2199"):
        course.read_deadline(until, datetime(2026, 6, 2, tzinfo=UTC))


@pytest.mark.parametrize(
    ("wall", "zone", "instants", "asked"),
    [
        ("2026-06-02T18:00", "Europe/Dublin", ["17:00"], ""),
        ("2026-03-29T01:30", "Europe/Dublin", [], "forward. Choose 00:59 or 02:00."),
        ("2026-10-25T01:30", "Europe/Dublin", ["00:30", "01:30"], "back. Choose 00:59 or 02:00."),
        ("2026-10-25T01:00", "Europe/Dublin", ["00:00", "01:00"], "back. Choose 00:59 or 02:00."),
        ("2027-09-05T00:30", "America/Santiago", [], "forward. Choose 2027-09-04 23:59 or 01:00."),
        ("2026-10-04T02:10", "Australia/Lord_Howe", [], "forward. Choose 01:59 or 02:30."),
        ("2026-10-25T01:30", "Asia/Kathmandu", ["19:45"], ""),
    ],
)
def test_a_time_that_clocks_do_not_show_once_is_asked_about_with_the_nearest(
    wall: str, zone: str, instants: list[str], asked: str
) -> None:
    given = datetime.fromisoformat(wall), ZoneInfo(zone)
    assert [f"{at:%H:%M}" for at in course.instants(*given)] == instants
    assert str(course.unclear(*given) or "").endswith(asked)
    assert bool(course.unclear(*given)) == bool(asked)

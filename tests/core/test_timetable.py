"""The timetable of an evening, made from what an organiser said and how long rounds took."""

from datetime import UTC, datetime
from typing import Any

import pytest

from league.core.course import Timetable, Timing, timetable
from league.core.state.competition import Competition
from tests.core.crosstable import after, entered, plan, played, published, started
from tests.core.deciding import close_round

NAMES = "Ann Ben Cem Dana"
ROUND = "Ann > Ben > Cem > Dana"


def at(clock: str) -> datetime:
    return datetime.fromisoformat(f"2026-11-26T{clock}:00").replace(tzinfo=UTC)


def told(state: Competition, now: str, begun: str = "", closed: str = "", **given: Any) -> list[str]:
    """What a timetable of rounds of 40 minutes from 19:30 tells, as times with the rounds' numbers."""
    timing = Timing(**{"minutes": 40, "begins": at("19:30"), "after": 2, "pause": 15, **given})
    found = timetable(state, timing, at(now), begun=times(begun), closed=times(closed))
    return lines(found) if found else []


def times(clocks: str) -> dict[tuple[int, int], datetime]:
    return {(1, number): at(clock) for number, clock in enumerate(clocks.split(), 1)}


def lines(found: Timetable) -> list[str]:
    rounds = [f"{each.number}{'' if each.begun else '?'} {each.at:%H:%M}" for each in found.rounds]
    return [*rounds, *([f"end {found.ends:%H:%M}"] if found.ends else [])]


def test_before_the_start_the_rounds_follow_each_other_from_the_announced_time() -> None:
    assert told(entered(NAMES), "18:00") == ["1? 19:30", "2? 20:10", "3? 21:05", "end 21:45"]


def test_an_evening_that_begins_late_ends_later() -> None:
    assert told(entered(NAMES), "19:41") == ["1? 19:40", "2? 20:20", "3? 21:15", "end 21:55"]


def test_later_rounds_last_as_long_as_those_of_the_evening_did() -> None:
    state = published(played(started(NAMES), ROUND), ROUND)
    told_now = told(state, "20:40", "19:32 20:32", "20:30")
    assert told_now == ["1 19:32", "2 20:32", "3? 21:45", "end 22:45"]


def test_a_round_that_takes_longer_than_thought_puts_off_those_after_it() -> None:
    assert told(published(started(NAMES), ROUND), "20:25", "19:30")[1] == "2? 20:25"


def test_a_closed_round_is_followed_by_the_break_at_once() -> None:
    state = played(started(NAMES), ROUND, ROUND)
    state = state if state.current_round is None else after(state, *close_round(state))
    assert told(state, "20:40", "19:30 20:00", "19:58 20:36")[2] == "3? 20:50"


@pytest.mark.parametrize("given", [{"minutes": 0}, {"begins": None}])
def test_where_nobody_said_how_long_or_when_there_is_none(given: dict[str, Any]) -> None:
    assert told(entered(NAMES), "18:00", **given) == []


def test_the_next_morning_there_is_none() -> None:
    state = published(started(NAMES), ROUND)
    timing = Timing(40)
    assert (
        timetable(state, timing, at("08:00").replace(day=27), begun={(1, 1): at("19:30")}, closed={}) is None
    )


def test_open_play_has_none() -> None:
    assert told(entered(NAMES, plan(format="open_play")), "18:00") == []

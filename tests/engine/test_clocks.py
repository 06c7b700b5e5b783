"""Clocks at a table: what counts, what does not, and who is late when."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import clocks
from games.engine.clocks import Clock
from games.engine.refusals import Malformed

HOUR = 3600
NIGHT = Clock(move=10 * HOUR, quiet="22:00-08:00", zone="Europe/Berlin")
MOMENTS = st.integers(0, 365 * 24 * 60).map(
    lambda minutes: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)


def at(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-{text}:00+00:00")


@pytest.mark.parametrize(
    ("clock", "began", "late"),
    [
        (Clock(move=HOUR), "06-01T12:00", "06-01T13:00"),
        (Clock(move=HOUR, quiet="22:00-08:00"), "06-01T12:00", "06-01T13:00"),
        (Clock(move=HOUR, quiet="22:00-08:00"), "06-01T21:30", "06-02T08:30"),
        (Clock(move=HOUR, quiet="22:00-08:00"), "06-01T23:30", "06-02T09:00"),
        (Clock(move=HOUR, quiet="12:00-14:00"), "06-01T11:30", "06-01T14:30"),
        (Clock(move=30 * HOUR, quiet="22:00-08:00"), "06-01T08:00", "06-03T10:00"),
        (NIGHT, "06-01T10:00", "06-01T20:00"),
        (NIGHT, "06-01T15:00", "06-02T11:00"),
        # The night in which summer time ends has eleven quiet hours, the one in which it begins has nine.
        (NIGHT, "10-24T15:00", "10-25T12:00"),
        (NIGHT, "03-28T16:00", "03-29T11:00"),
    ],
)
def test_a_seat_is_late_after_its_waking_hours(clock: Clock, began: str, late: str) -> None:
    times = clocks.started(2, [1], at(began))
    assert clocks.deadlines(clock, times) == (None, at(late))


def test_without_a_limit_nobody_is_ever_late() -> None:
    assert clocks.deadlines(Clock(), clocks.started(2, [0, 1], at("06-01T12:00"))) == (None, None)


def test_a_move_is_charged_to_the_mover_and_starts_the_next_clock() -> None:
    clock = Clock(game=HOUR)
    times = clocks.started(2, [0], at("06-01T12:00"))
    times = clocks.ticked(clock, times, 0, [1], at("06-01T12:20"))
    times = clocks.ticked(clock, times, 1, [0], at("06-01T12:50"))
    assert times.used == (timedelta(minutes=20), timedelta(minutes=30))
    assert clocks.deadlines(clock, times) == (at("06-01T13:30"), None)


def test_an_entry_of_somebody_else_gives_no_time_back() -> None:
    clock = Clock(move=HOUR)
    times = clocks.started(3, [0, 1], at("06-01T12:00"))
    times = clocks.ticked(clock, times, 1, [0], at("06-01T12:30"))
    times = clocks.ticked(clock, times, None, [0], at("06-01T12:40"))
    assert clocks.deadlines(clock, times)[0] == at("06-01T13:00")


def test_a_game_clock_that_has_run_out_is_late_at_once() -> None:
    clock = Clock(game=HOUR)
    times = clocks.ticked(clock, clocks.started(1, [0], at("06-01T12:00")), 0, [0], at("06-01T15:00"))
    assert clocks.deadlines(clock, times) == (at("06-01T15:00"),)


@given(MOMENTS, st.integers(0, 90 * HOUR), st.sampled_from(["", "22:00-08:00", "06:00-22:00", "09:30-10:00"]))
def test_what_is_allowed_has_passed_just_then_and_not_before(
    began: datetime, allowed: int, quiet: str
) -> None:
    clock = Clock(quiet=quiet, zone="Europe/Berlin")
    late = clocks.after(clock, began, timedelta(seconds=allowed))
    assert clocks.thought(clock, began, late) == timedelta(seconds=allowed)
    if allowed:
        assert clocks.thought(clock, began, late - timedelta(seconds=1)) == timedelta(seconds=allowed - 1)


@given(MOMENTS, MOMENTS, MOMENTS)
def test_time_passed_adds_up(one: datetime, two: datetime, three: datetime) -> None:
    a, b, c = sorted([one, two, three])
    assert clocks.thought(NIGHT, a, c) == clocks.thought(NIGHT, a, b) + clocks.thought(NIGHT, b, c)


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"move": -1}, "move"),
        ({"quiet": "25:00-08:00"}, "quiet"),
        ({"quiet": "08:00-08:00"}, "quiet"),
        ({"quiet": "08:00-07:00"}, "quiet"),
        ({"zone": "Mars/Base"}, "zone"),
        ({"zone": "../../etc/passwd"}, "zone"),
        ({"late": "shout"}, "late"),
        ([], ""),
    ],
)
def test_settings_that_make_no_clock_name_the_field(data: Any, path: str) -> None:
    with pytest.raises(Malformed) as caught:
        clocks.read(data)
    assert path in caught.value.errors


class TestTimeGiven:
    """Everybody gets some minutes, whoever is awaited."""

    @pytest.mark.parametrize("clock", [Clock(move=HOUR), Clock(game=HOUR), Clock(move=HOUR, game=HOUR)])
    def test_lengthens_the_move_that_is_awaited(self, clock: Clock) -> None:
        times = clocks.given(clock, clocks.started(2, [0], at("06-01T12:00")), 5)
        assert clocks.deadlines(clock, times) == (at("06-01T13:05"), None)

    def test_lengthens_the_game_of_all_seats_by_the_same(self) -> None:
        clock = Clock(game=HOUR)
        times = clocks.given(clock, clocks.started(2, [0], at("06-01T12:00")), 5)
        times = clocks.ticked(clock, times, 0, [1], at("06-01T12:02"))
        assert times.used == (timedelta(minutes=-3), timedelta(minutes=-5))
        assert clocks.deadlines(clock, times) == (None, at("06-01T13:07"))

    @pytest.mark.parametrize("quiet", ["", "22:00-08:00", "00:00-16:00"])
    @given(moment=MOMENTS, minutes=st.integers(1, 240))
    def test_is_taken_back_to_the_minute_of_waking_hours(
        self, quiet: str, moment: datetime, minutes: int
    ) -> None:
        clock = Clock(move=HOUR, game=2 * HOUR, quiet=quiet)
        before = clocks.started(2, [0], moment)
        back = clocks.given(clock, clocks.given(clock, before, minutes), -minutes)
        assert clocks.deadlines(clock, back) == clocks.deadlines(clock, before)
        assert back.used == before.used

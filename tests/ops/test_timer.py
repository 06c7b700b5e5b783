"""The scheduler: when periodic tasks are due, and what it takes to know that."""

import subprocess
import sys

from league import tasks
from league.ops import queue
from league.ops.timer import Schedule


def test_each_task_is_due_at_once_and_then_after_each_period() -> None:
    schedule = Schedule({"often": 15, "seldom": 60}, now=100)
    assert [*schedule.take(100)] == ["often", "seldom"]
    assert schedule.wait(105) == 10
    assert [*schedule.take(114)] == []
    assert [*schedule.take(116)] == ["often"]
    assert schedule.wait(116) == 14


def test_periods_in_which_the_machine_slept_are_left_out() -> None:
    schedule = Schedule({"often": 15}, now=0)
    assert [*schedule.take(100)] == ["often"]
    assert schedule.wait(100) == 15


def test_every_periodic_task_exists() -> None:
    assert all(hasattr(tasks, name) for name in queue.PERIODS)


def test_the_timer_imports_neither_django_nor_a_driver() -> None:
    asked = "import sys, league.ops.timer; print(*{'django.db', 'psycopg', 'structlog'} & {*sys.modules})"
    answer = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert answer.stdout == "\n"

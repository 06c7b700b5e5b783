"""The scheduler: when periodic tasks are due, and what it takes to know that."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from league import tasks
from league.ops import queue, up, worker
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


@pytest.mark.parametrize(
    ("only", "modules"), [("beat", ["league.ops.timer"]), ("worker", ["league.ops.worker"])]
)
def test_a_part_alone_is_worker_or_scheduler(only: str, modules: list[str]) -> None:
    made = up.parts(None, only)
    assert [part.command[2] for part in made] == modules
    assert not any("--schedule" in part.command for part in made)


def test_beside_all_other_parts_the_worker_schedules(monkeypatch: pytest.MonkeyPatch) -> None:
    (part,) = up.parts(None, None)
    assert part.command[2:] == ("league.ops.worker", "--schedule", "2")
    sent: list[str] = []
    monkeypatch.setattr(worker, "send", lambda _app, name: sent.append(name))
    repeated: list[tuple[int, str]] = []

    def repeat(seconds: int, _send: object, given: tuple[object, str]) -> None:
        repeated.append((seconds, given[1]))

    timer = SimpleNamespace(call_repeatedly=repeat)
    parent = SimpleNamespace(timer=timer)
    worker.Scheduling(parent).start(parent)
    assert sent == [*queue.PERIODS]
    assert repeated == [(period, name) for name, period in queue.PERIODS.items()]


def test_the_timer_imports_neither_django_nor_a_driver() -> None:
    asked = "import sys, league.ops.timer; print(*{'django.db', 'psycopg', 'structlog'} & {*sys.modules})"
    answer = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert answer.stdout == "\n"

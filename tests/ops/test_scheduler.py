"""The scheduler: which process asks for periodic tasks, and what that takes."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from league import tasks
from league.ops import celery, queue, up, worker


def test_every_periodic_task_exists() -> None:
    assert all(hasattr(tasks, name) for name in queue.PERIODS)


@pytest.mark.parametrize(
    ("only", "modules"), [("beat", ["league.ops.queue"]), ("worker", ["league.ops.worker"])]
)
def test_a_part_alone_is_worker_or_scheduler(only: str, modules: list[str]) -> None:
    made = up.parts(None, only)
    assert [part.command[2] for part in made] == modules
    assert not any("--schedule" in part.command for part in made)


def test_beside_all_other_parts_the_worker_schedules(monkeypatch: pytest.MonkeyPatch) -> None:
    (part,) = up.parts(None, None)
    assert part.command[2:] == ("league.ops.worker", "--schedule", "2")
    asked: list[object] = []
    monkeypatch.setattr(queue, "ask", asked.append)
    repeated: list[tuple[int, object]] = []
    timer = SimpleNamespace(call_repeatedly=lambda seconds, call, given: repeated.append((seconds, call)))
    parent = SimpleNamespace(timer=timer)
    worker.Scheduling(parent).start(parent)
    assert asked == [celery.app]
    assert repeated == [(15, queue.ask)]


def test_the_scheduler_imports_neither_django_nor_a_driver() -> None:
    asked = "import sys, league.ops.queue; print(*{'django.db', 'psycopg', 'structlog'} & {*sys.modules})"
    answer = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert answer.stdout == "\n"

"""The Celery application. Work is found in the database; a message only makes that quicker."""

import gc
import os
import signal
from typing import Any, Final

from celery import Celery
from celery.signals import (
    celeryd_init,
    task_prerun,
    worker_before_create_process,
    worker_process_init,
    worker_ready,
)
from structlog.contextvars import bind_contextvars, clear_contextvars

from league.ops import processes
from league.ops.readiness import signal_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.ops.settings")
# The tests run Django's checks, which would delay each start of worker and scheduler by two seconds.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
# Longer than any statement of a task; commands have no limit.
_DATABASE_SECONDS: Final = "120"

app = Celery("trefoil")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect
def _limit_statements(**_: Any) -> None:
    os.environ.setdefault("DATABASE_SECONDS", _DATABASE_SECONDS)


@worker_ready.connect
def _ready(**_: Any) -> None:
    signal_ready()


@worker_before_create_process.connect
def _share(**_: Any) -> None:
    # Collecting garbage writes to every object, which would give each process a copy of all that it shares.
    gc.collect()
    gc.freeze()


@task_prerun.connect
def _name_in_logs(task_id: str, task: Any, args: Any, **_: Any) -> None:
    """Name the task, and what it is about, in all lines of the log."""
    if not app.conf.task_always_eager:
        clear_contextvars()
        about = {"subject": str(args[0])} if args else {}
        bind_contextvars(task=task.name.rpartition(".")[2], task_id=task_id, **about)


@worker_process_init.connect
def _die_with_worker(**_: Any) -> None:
    # A killed worker can't stop its processes, and the broker delivers its tasks again.
    processes.die_with(os.getppid(), signal.SIGKILL)

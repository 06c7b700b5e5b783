"""The Celery application. A message is a hint to look at the log, never the only copy of work."""

import os
import signal
from typing import Any

from celery import Celery
from celery.signals import beat_init, worker_process_init, worker_ready

from league.house import processes, ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
# The suite makes Django's checks; worker and scheduler would each spend two seconds on them at every start.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("trefoil")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
@beat_init.connect
def _tell(**_: Any) -> None:
    ready.tell()


@worker_process_init.connect
def _die_with_worker(**_: Any) -> None:
    # A worker that was killed can't stop its processes, and its tasks will be handed out again.
    processes.die_with(os.getppid(), signal.SIGKILL)

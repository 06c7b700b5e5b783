"""The worker: ``python -m league.ops.worker PROCESSES``.

It is Celery's own, without its command line, whose libraries for prompts would stay loaded in all parts.
"""

import sys

from league.ops.celery import app


def main(processes: int) -> None:
    """Do tasks in so many processes until a signal ends this one."""
    # A single worker needs no messages to other workers.
    worker = app.Worker(concurrency=processes, quiet=True, without_gossip=True, without_mingle=True)
    worker.start()
    sys.exit(worker.exitcode)


if __name__ == "__main__":
    main(int(sys.argv[1]))

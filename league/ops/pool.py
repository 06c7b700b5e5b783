"""Other processes of this application, for work that is shared out to all cores."""

import gc
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context

import django

from league.ops import processes

_ALLOCATIONS = 50_000
"""How many more objects there may be than at the last collection of garbage."""


@contextmanager
def pool(number: int) -> Iterator[ProcessPoolExecutor]:
    """Provide so many processes in which Django is set up; they end with this one, however it ends."""
    # A process that is forked would share our connection to the database.
    context = get_context("spawn")
    with ProcessPoolExecutor(number, context, initializer=_begin, initargs=(os.getpid(),)) as executor:
        try:
            yield executor
        finally:
            executor.shutdown(cancel_futures=True)


# Not in a module with models, because it is imported before Django is set up.
def _begin(parent: int) -> None:
    processes.die_with(parent, signal.SIGKILL)
    # Ctrl-C is for the process that shares the work out.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    django.setup()
    # What is loaded now stays, and work on logs makes many small values without cycles: the collector of
    # garbage would take a tenth of its time.
    gc.freeze()
    gc.set_threshold(_ALLOCATIONS)

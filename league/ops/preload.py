"""A process that loads the application and forks parts: ``python -m league.ops.preload DESCRIPTOR``.

The descriptor is of the socket on which `league.ops.forks` asks for Python modules to be run, each in a fork,
as ``python -m`` would run it.
"""

import gc
import json
import os
import runpy
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, Final

from django.utils.module_loading import import_string

from league.ops import processes
from league.ops.forks import DESCRIPTORS, QUESTION, Request
from league.ops.readiness import VARIABLE

_LOADED: Final = (
    *("league.ops.asgi", "uvicorn.loops.auto", "uvicorn.protocols.http.httptools_impl"),
    *("celery.apps.worker", "celery.concurrency.prefork", "celery.worker.components"),
    *("celery.worker.consumer", "kombu.transport.redis"),
)
_PREPARED: Final = ("league.ops.warm.load_texts", "api.views.docs.write_document")
_LONGEST: Final = 65536


class Parent:
    """What forks, and tells how each child ends."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._children: dict[int, int] = {}

    def next_child(self) -> Request | None:
        """Return in each child what it has to run, and here None once nobody can ask any more."""
        signal.signal(signal.SIGCHLD, self._reap)
        while True:
            sent, given, *_ = socket.recv_fds(self._control, _LONGEST, DESCRIPTORS)
            if not sent:
                return None
            if sent == QUESTION:
                self._control.send(QUESTION)
                continue
            request = Request(*json.loads(sent))
            parent, child = os.getpid(), os.fork()
            if not child:
                return self._begin(request, given, parent)
            *others, status = given
            for each in others:
                os.close(each)
            os.write(status, b"%d\n" % child)
            self._children[child] = status
            self._reap()

    def _reap(self, *_: Any) -> None:
        for child, status in [*self._children.items()]:
            try:
                ended, how = os.waitpid(child, os.WNOHANG)
            except ChildProcessError:  # the next signal came meanwhile
                continue
            if ended:
                del self._children[child]
                with suppress(BrokenPipeError):
                    os.write(status, b"%d\n" % os.waitstatus_to_exitcode(how))
                os.close(status)

    def _begin(self, request: Request, given: Sequence[int], parent: int) -> Request:
        """Make a fork the part that was asked for."""
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        stdin, output, ready, status = given
        os.setsid()
        processes.die_with(parent, signal.Signals(request.dies_by))
        for ours, wanted in ((stdin, 0), (output, 1), (output, 2)):
            os.dup2(ours, wanted)
        for each in (stdin, output, status, *self._children.values()):
            os.close(each)
        self._control.close()
        os.environ[VARIABLE] = str(ready)
        return request


def load() -> None:
    """Import and prepare what parts need."""
    for name in _LOADED:
        import_module(name)
    from league.ops.celery import app

    app.loader.import_default_modules()
    app.finalize()
    for name in _PREPARED:
        import_string(name)()
    # A collection of garbage would write to all that is shared.
    gc.collect()
    gc.freeze()


def run(request: Request) -> None:
    """Run the module of a request as the main program of this process."""
    processes.show_as([sys.executable, "-m", request.module, *request.arguments])
    sys.argv = [request.module, *request.arguments]
    runpy.run_module(request.module, run_name="__main__", alter_sys=True)


def main(descriptor: int) -> None:
    """Load the application, and fork parts until nobody can ask for any."""
    control = socket.socket(fileno=descriptor)
    load()
    request = Parent(control).next_child()
    if request is not None:
        run(request)


if __name__ == "__main__":
    main(int(sys.argv[1]))

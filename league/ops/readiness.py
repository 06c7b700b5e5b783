"""Readiness: a child process writes one byte to an inherited pipe when it serves."""

import os

ALIVE = "/healthz"
READY = "/readyz"
METRICS = "/metrics"
"""The addresses of probes: whether a process answers, whether the service works, and numbers."""
VARIABLE = "TREFOIL_READY_FD"


def signal_ready() -> None:
    """Signal to the supervisor, if there is one, that this process is ready."""
    descriptor = os.environ.pop(VARIABLE, None)
    if descriptor is not None:
        os.write(int(descriptor), b"1")
        os.close(int(descriptor))

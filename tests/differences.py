"""What `manage.py verify_logs` finds."""

from league.services import gate
from league.services.shares import Place


def differences() -> list[str]:
    """Return everything that is wrong with what is stored."""
    steps = gate.verify(processes=1, since=Place())
    return [wrong for step in steps for wrong in step.done.wrong]

"""What `/readyz` tells monitors and load balancers: whether the service works."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.db import Error
from django.utils import timezone

from league.ops import checks, deadline
from league.ops.servers import CannotServe
from league.queries import due

_SECONDS: Final = 5
"""How long a check may hang until the next one is made."""


def lag() -> int | None:
    """Return for how many seconds results have waited for standings, None where the database fails."""
    try:
        with deadline.within(_SECONDS):
            checks.check_database()
            since = due.behind_since()
    except (CannotServe, Error):
        return None
    return int((timezone.now() - since) / timedelta(seconds=1)) if since else 0


def broker() -> bool:
    """Return whether the broker answers."""
    try:
        checks.check_broker()
    except CannotServe:
        return False
    return True


def report(lag: int | None, broker: bool | None) -> Mapping[str, Any]:
    """Return the answer of `/readyz`, from what the checks found; None: nothing in time."""
    ready = bool(broker) and lag is not None and lag <= settings.READY_LAG_SECONDS
    return {"ready": ready, "database": lag is not None, "broker": bool(broker), "lag_seconds": lag}

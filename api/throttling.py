"""How many requests a caller may make: a count for each window of time, kept in the cache."""

import time
from typing import Any

from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle


class CallerThrottle(SimpleRateThrottle):
    """Counts an account's requests, or those of an address where nobody is logged in.

    REST Framework's own throttles keep a time stamp for each request, which at a bot's rates costs more
    than the request; a counter costs the same at any rate. Each web process counts for itself: a limit leaves
    its threads to others, and a shared count would be one more server to wait for (docs/running.md).
    """

    def __init__(self) -> None:
        self.wait_seconds = 0.0

    def allow_request(self, request: Request, view: Any) -> bool:
        scope, ident = self._caller(request)
        allowed, seconds = self.parse_rate(self.THROTTLE_RATES[scope])
        if allowed is None or seconds is None:
            return True
        window, passed = divmod(time.time(), seconds)
        self.wait_seconds = seconds - passed
        return self._counted(f"throttle:{scope}:{ident}:{window:.0f}", seconds) <= allowed

    def wait(self) -> float:
        return self.wait_seconds

    def _caller(self, request: Request) -> tuple[str, str]:
        if request.user.is_authenticated:
            return "account", str(request.user.pk)
        return "address", self.get_ident(request)

    def _counted(self, key: str, seconds: int) -> int:
        cache.add(key, 0, seconds)
        try:
            return cache.incr(key)
        except ValueError:  # a full cache dropped it in between
            return 1

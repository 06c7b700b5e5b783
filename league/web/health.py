"""Health checks for monitors and load balancers: whether the process lives, and whether the service works."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.db import Error
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

from league.ops import checks
from league.ops.readiness import ALIVE, READY
from league.ops.servers import CannotServe
from league.queries import due

_KEPT_SECONDS: Final = 2


class HealthMiddleware:
    """Answers probes before all other middleware: they use neither the site's name nor TLS."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info == ALIVE:
            return HttpResponse("ok\n", content_type="text/plain")
        if request.path_info == READY:
            return _ready()
        return self.get_response(request)


def _ready() -> HttpResponse:
    # Cached, so that many probes cost no more than one.
    report: Mapping[str, Any] = cache.get("readyz") or readiness()
    cache.add("readyz", report, _KEPT_SECONDS)
    answer = JsonResponse(report, status=200 if report["ready"] else 503)
    answer["Cache-Control"] = "no-store"
    return answer


def readiness() -> Mapping[str, Any]:
    """Return whether database and broker answer, and for how many seconds results have waited for standings.

    ``lag_seconds`` is None where the database does not answer; ``ready`` is true where all is well.
    """
    database, broker = _answers(checks.check_database), _answers(checks.check_broker)
    lag = _lag() if database else None
    ready = broker and lag is not None and lag <= settings.READY_LAG_SECONDS
    return {"ready": ready, "database": database, "broker": broker, "lag_seconds": lag}


def _answers(check: Callable[[], None]) -> bool:
    try:
        check()
    except (CannotServe, Error):
        return False
    return True


def _lag() -> int | None:
    try:
        since = due.behind_since()
    except Error:
        return None
    return int((timezone.now() - since) / timedelta(seconds=1)) if since else 0

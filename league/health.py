"""For monitors and load balancers: whether the process lives, and whether the whole service does its work."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.db import Error
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

from league import due
from league.house import outside
from league.house.servers import CannotServe

ALIVE: Final = "/healthz"
READY: Final = "/readyz"
_KEPT_SECONDS: Final = 2


class HealthMiddleware:
    """Answers probes before anything else: they know neither the site's name nor TLS, and fill no log."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info == ALIVE:
            return HttpResponse("ok\n", content_type="text/plain")
        if request.path_info == READY:
            return _ready()
        return self.get_response(request)


def _ready() -> HttpResponse:
    # Whoever asks without end costs no more than this.
    found: Mapping[str, Any] = cache.get("readyz") or findings()
    cache.add("readyz", found, _KEPT_SECONDS)
    answer = JsonResponse(found, status=200 if found["ready"] else 503)
    answer["Cache-Control"] = "no-store"
    return answer


def findings() -> Mapping[str, Any]:
    """Return whether database and broker answer, and how many seconds results wait for their standings.

    ``lag_seconds`` is None where the database does not tell; ``ready`` where all is well.
    """
    database, broker = _answers(outside.check_database), _answers(outside.check_broker)
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

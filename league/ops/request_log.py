"""The line of the log for each request."""

import logging
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import uuid4

import structlog
from django.core.exceptions import PermissionDenied
from django.core.signals import got_request_exception
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import SimpleLazyObject
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

from league.ops import logs

_LONGEST_ID: Final = 200
_NAMED: Final = re.compile(r"/(games|competitions?)/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/")
"""What a request is about, by the id in its address."""
_FAILED: Final = "trefoil_failed"
"""The attribute of a request whose failure has its line already."""
_log = structlog.get_logger(__name__)
_lines = logging.getLogger(__name__)


class RequestLogMiddleware:
    """Writes a line when a request is answered, and names the request and what it is about in all before it.

    The web server has put the address of a trusted proxy's client in the place of the proxy's already.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        got_request_exception.connect(_failed)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        bind_contextvars(**_names(request))
        try:
            response = self.get_response(request)
            if not hasattr(request, _FAILED):
                _finished(request, response.status_code, get_contextvars())
            return response
        finally:
            clear_contextvars()


def _finished(request: HttpRequest, code: int, names: Mapping[str, Any]) -> None:
    level = logging.ERROR if code >= 500 else logging.INFO
    logs.write(_lines, level, "request_finished", {"code": code, **names, **_about(request)})


def _names(request: HttpRequest) -> dict[str, Any]:
    """Return what all lines of a request have: its own name, who sent it, and what it is about."""
    given = request.META
    named = _NAMED.search(request.path_info)
    return {
        "request_id": given.get("HTTP_X_REQUEST_ID", "")[:_LONGEST_ID] or str(uuid4()),
        "ip": given.get("REMOTE_ADDR"),
        **({named[1].rstrip("s"): named[2]} if named else {}),
    }


def _failed(request: HttpRequest, **_: Any) -> None:
    """Write the line of a request that an exception ended, with the exception."""
    if not isinstance(sys.exception(), Http404 | PermissionDenied) and not hasattr(request, _FAILED):
        setattr(request, _FAILED, True)
        code = 503 if logs.is_away(sys.exception()) else 500
        _log.exception("request_failed", code=code, **_about(request))


def _about(request: HttpRequest) -> dict[str, Any]:
    """Return method and address of a request, and the account that made it, where that was asked."""
    about = {"request": f"{request.method} {request.get_full_path()}"}
    user = vars(request).get("user")
    if isinstance(user, SimpleLazyObject):
        user = getattr(request, "_cached_user", None)
    return {**about, "user_id": str(user.pk)} if user and user.pk else about

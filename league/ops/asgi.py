"""The ASGI application: streams and probes run on the event loop, all else is Django in a pool of threads.

Django answers plain requests several times faster through WSGI than ASGI; a stream must not block a thread.
"""

import asyncio
import codecs
import json
import os
import re
import time
import zoneinfo
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any, Final, cast

from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.contrib.auth import get_backends
from django.core.cache import caches
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse
from django.http.cookie import parse_cookie
from django.template import engines
from django.template.loader import render_to_string
from django.urls import get_resolver
from django.utils import formats, translation
from django.utils.module_loading import import_string
from prometheus_client import CONTENT_TYPE_LATEST

from league.ops import metrics, processes
from league.ops.bounds import (
    GONE,
    MOST_FILE_BYTES,
    Application,
    Bounded,
    Bounds,
    Queuer,
    Receive,
    Scope,
    Send,
    answer,
    network,
)
from league.ops.database.base import deadline

# ---- Django as a WSGI application, imported whole when a process starts --------------------------


def warm_up() -> None:
    """Import views and what settings name, which Django does when it is asked (tests/ops/test_imports.py)."""
    assert get_resolver().url_patterns
    for template_engine in engines.all():
        engine: Any = template_engine.engine  # type: ignore[attr-defined]  # of Django's own templates
        assert engine.template_loaders and engine.template_context_processors
    assert get_backends() and caches.all(initialized_only=False)
    import_string(settings.MESSAGE_STORAGE)
    import_string(settings.SESSION_SERIALIZER)
    for encoding in ("unicode_escape", "utf_8_sig", "utf_16", "windows_1252"):
        codecs.lookup(encoding)
    zoneinfo.available_timezones()
    for code, _name in settings.LANGUAGES:
        formats.get_format("DATE_FORMAT", lang=code)
    processes.settle()


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.ops.settings")

_CHARSET: Final = re.compile(r";\s*charset\*?\s*=[^;]*", re.IGNORECASE)
REQUEST_SECONDS: Final = 30
"""How long a request may take before its answer begins."""
_django = get_wsgi_application()
warm_up()


def pages(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Serve one request, read as UTF-8.

    Django would use any charset that a Content-Type names, and fail for one that is not of text.
    """
    environ = {**environ, "CONTENT_TYPE": _CHARSET.sub("", environ.get("CONTENT_TYPE", ""))}
    with deadline(REQUEST_SECONDS):
        response = _django(environ, start_response)
    return _while_wanted(response, environ.get("asgi.scope", {}).get("state", {}))


def _while_wanted(response: Any, state: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield the parts of a response until its client is gone, and close it."""
    try:
        for part in response:
            if state.get(GONE):
                return
            yield part
    finally:
        response.close()


# ---- Probes: each check has a thread of its own, so that one that hangs keeps nobody waiting -----

_KEPT_SECONDS: Final = 2


class Check:
    """A function that may hang, called by one thread, at most once every two seconds."""

    def __init__(self, look: Callable[[], Any]) -> None:
        self._look = look
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="probe")
        self._running: asyncio.Future[Any] | None = None
        self._began = 0.0

    async def found(self, seconds: float) -> Any:
        """Return what the function returned; None where it takes longer: the next call then waits for it."""
        done = self._running is None or self._running.done()
        if done and time.monotonic() - self._began > _KEPT_SECONDS:
            self._began = time.monotonic()
            self._running = asyncio.get_running_loop().run_in_executor(self._thread, self._look)
        assert self._running is not None
        finished, _ = await asyncio.wait({self._running}, timeout=seconds)
        return self._running.result() if finished else None


# ---- The application -----------------------------------------------------------------------------

ALIVE: Final = "/healthz"
READY: Final = "/readyz"
METRICS: Final = "/metrics"
"""The addresses of probes: whether a process answers, whether the service works, and numbers."""

_READY_SECONDS: Final = 0.8
_METRICS_SECONDS: Final = 5
_SENTENCES: Final = {
    HTTPStatus.BAD_REQUEST: "The request must name one host.",
    HTTPStatus.REQUEST_TIMEOUT: "The request did not arrive in time.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The request is too large.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The server is busy. Please try again in a moment.",
}
_as_problem = import_string("api.errors.as_problem")


def _in_threads(number: int) -> Any:
    # The library and Django have different types for the same WSGI and ASGI.
    return WSGIMiddleware(cast("Any", pages), workers=number)


def _refusal(scope: Scope, status: HTTPStatus) -> tuple[Mapping[str, str], bytes]:
    """Return headers and content of an answer without the application."""
    too_large, sent = status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE, dict(scope.get("headers", ()))
    if too_large and b"text/html" in sent.get(b"accept", b""):
        response = _too_large(scope["path"], sent.get(b"accept-language", b"").decode("latin-1"))
    else:
        response = HttpResponse(
            _SENTENCES[status] + "\n", status=status, content_type="text/plain; charset=utf-8"
        )
    if scope["path"].startswith("/api/"):
        response = _as_problem(response)
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        response.headers["Retry-After"] = "2"
    return {**response.headers, "Cache-Control": "no-store"}, response.content


def _too_large(path: str, languages: str) -> HttpResponse:
    """Return the page that says how large a form may be, and leads back to it."""
    request = HttpRequest()
    request.META["HTTP_ACCEPT_LANGUAGE"] = languages
    with translation.override(translation.get_language_from_request(request)):
        return HttpResponse(
            render_to_string("413.html", {"back": path, "most": MOST_FILE_BYTES // 1_000_000}), status=413
        )


_threads = settings.WEB_THREADS
_LOG_IN: Final = "/account/login/"
_device_of = import_string("league.requests.device_of")


def queuer_to_log_in(scope: Scope) -> Queuer | None:
    """Return who logs in by a password; a device on which somebody did before is known.

    So guessers wait for each other alone: who else has one hashed has a session, or the link of an email.
    """
    if scope["method"] != "POST" or scope["path"] != _LOG_IN:
        return None
    cookies = [value for name, value in scope["headers"] if name == b"cookie"]
    device = _device_of(parse_cookie(b"; ".join(cookies).decode("latin-1")))
    return Queuer(device, known=True) if device else Queuer(network(str((scope.get("client") or ("",))[0])))


_COSTLY: Final = re.compile(
    r"(?P<password>/invitations/.+|/account/(?:password|forgotten)/.*)"
    r"|(?P<print>.*\.(?:pdf|csv|xlsx|zip|ics)|.*/(?:export/|cross-table/|charts/|picture\.png))"
)
"""New passwords; prints, exports, calendars and pictures of many results."""


def costly(scope: Scope) -> str:
    """Return the kind of an answer that takes long to make, otherwise ``""``."""
    found = _COSTLY.fullmatch(scope["path"])
    return (found and found.lastgroup) or ""


_bounds = Bounds(threads=_threads, of_one=max(1, 3 * _threads // 8))
_threaded = Bounded(_in_threads(_threads), _refusal, _bounds, queuer_to_log_in, costly)


def _check(name: str) -> Check:
    """Return a check of the service that may hang."""
    look = import_string(f"league.web.health.{name}")

    def found() -> Any:
        close_old_connections()
        try:
            return look()
        finally:
            close_old_connections()

    return Check(found)


_database, _broker, _notifications = _check("lag"), _check("broker"), _check("notifications")
_waiting = _check("waiting")
_report = import_string("league.web.health.report")

# Paths of streams, and the asynchronous applications that serve them. `api` is named, not imported, as in
# `league.urls`, because `league` must not depend on it.
STREAMS: tuple[tuple[re.Pattern[str], Any], ...] = (
    (
        re.compile(r"/api/v1/(?:games/[^/]+/events|me/events|(?:competitions|clubs)/[^/]+/stream)/"),
        import_string("api.stream.Stream")(_threaded),
    ),
)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one request (ASGI)."""
    if scope["type"] != "http":
        return
    if not _names_one_host(scope):
        headers, content = _refusal(scope, HTTPStatus.BAD_REQUEST)
        await answer(send, HTTPStatus.BAD_REQUEST, {**headers, "Connection": "close"}, content)
    elif scope["path"] == ALIVE:
        await answer(send, HTTPStatus.OK, {"Content-Type": "text/plain"}, b"ok\n")
    elif scope["path"] == READY:
        await _answer_ready(send)
    elif scope["path"] == METRICS:
        await _answer_metrics(scope, send)
    else:
        serve = stream_for(scope) or _threaded
        await serve(_for_wsgi(scope), receive, send)


def _names_one_host(scope: Scope) -> bool:
    """Return whether a request has one Host line; HTTP/1.0 needs none (RFC 9112, section 3.2)."""
    hosts = sum(name == b"host" for name, _value in scope["headers"])
    return hosts == 1 or (hosts == 0 and scope.get("http_version") == "1.0")


async def _answer_ready(send: Send) -> None:
    """Answer within a second whether the service is ready, also where database or broker hangs."""
    checks = (_database, _broker, _notifications)
    found = await asyncio.gather(*(check.found(_READY_SECONDS) for check in checks))
    report = _report(*found)
    status = HTTPStatus.OK if report["ready"] else HTTPStatus.SERVICE_UNAVAILABLE
    headers = {"Content-Type": "application/json", "Cache-Control": "no-store"}
    await answer(send, status, headers, json.dumps(report).encode())


async def _answer_metrics(scope: Scope, send: Send) -> None:
    """Answer Prometheus, or 404 to anybody who may not know."""
    client = (scope.get("client") or (None,))[0]
    authorization = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
    if not metrics.allowed(client, authorization, settings.METRICS_TOKEN):
        await answer(send, HTTPStatus.NOT_FOUND, {"Content-Type": "text/plain"}, b"Not found\n")
        return
    found = await _waiting.found(_METRICS_SECONDS)
    content = await asyncio.to_thread(metrics.exposition, found)
    await answer(send, HTTPStatus.OK, {"Content-Type": CONTENT_TYPE_LATEST}, content)


def leave() -> None:
    """Tell those who watch streams to connect again: this process stops."""
    for _path, stream in STREAMS:
        stream.leave()


def stream_for(scope: Scope) -> Application | None:
    """Return the application for a stream, or None for any other request."""
    if scope["type"] != "http":
        return None
    return next((serve for path, serve in STREAMS if path.fullmatch(scope["path"])), None)


def _for_wsgi(scope: Scope) -> Scope:
    """Return an HTTP scope that is valid for WSGI.

    WSGI cannot distinguish `X_Forwarded_For` from `X-Forwarded-For`, which only a proxy may set; and a query
    must be ASCII.
    """
    headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
    query = re.sub(rb"[^\x21-\x7e]", lambda found: b"%%%02X" % found[0][0], scope["query_string"])
    return {**scope, "headers": headers, "query_string": query}

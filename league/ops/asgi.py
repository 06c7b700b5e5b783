"""The ASGI application: streams run on the event loop, everything else is Django in a pool of threads.

Django answers plain requests several times faster through WSGI than ASGI; a stream must not block a thread.
"""

import asyncio
import os
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final, cast

from a2wsgi import WSGIMiddleware
from django.http import HttpResponse
from django.utils.module_loading import import_string

from league.ops import environment
from league.ops.bounds import Application, Bounded, Bounds, Message, Receive, Scope, Send, answer
from league.ops.readiness import ALIVE, READY
from league.ops.wsgi import application as pages

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.ops.settings")

_READY_SECONDS: Final = 8
_SENTENCES: Final = {
    HTTPStatus.REQUEST_TIMEOUT: "The request did not arrive in time.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The request is too large.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The server is busy. Please try again in a moment.",
}
_as_problem = import_string("api.errors.as_problem")


def _in_threads(number: int) -> Any:
    # The library and Django have different types for the same WSGI and ASGI.
    return WSGIMiddleware(cast("Any", pages), workers=number)


def _refusal(path: str, status: HTTPStatus) -> tuple[Mapping[str, str], bytes]:
    """Return headers and content of an answer without Django."""
    response = HttpResponse(
        _SENTENCES[status] + "\n", status=status, content_type="text/plain; charset=utf-8"
    )
    if path.startswith("/api/"):
        response = _as_problem(response)
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        response.headers["Retry-After"] = "2"
    return {**response.headers, "Cache-Control": "no-store"}, response.content


_threads = environment.number("WEB_THREADS", 8)
_PASSWORDS: Final = re.compile(
    r"/account/(login|password|forgotten|delete)/.*|/invitations/.*|/admin/(login|password_change)/.*"
)
"""Where a password may be hashed by a POST."""


def hashes(scope: Scope) -> bool:
    """Return whether a request may hash a password."""
    return scope["method"] == "POST" and bool(_PASSWORDS.fullmatch(scope["path"]))


_threaded = Bounded(_in_threads(_threads), _refusal, Bounds(threads=_threads), hashes)
# Probes have threads of their own: they are answered while all others are busy.
_probed: Application = _in_threads(2)

# Paths of streams, and the asynchronous applications that serve them. `api` is named, not imported, as in
# `league.urls`, because `league` must not depend on it.
STREAMS: tuple[tuple[re.Pattern[str], Application], ...] = (
    (re.compile(r"/api/v1/games/[^/]+/events/"), import_string("api.stream.Stream")(_threaded)),
)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one request (ASGI)."""
    if scope["type"] != "http":
        return
    if scope["path"] == ALIVE:
        await answer(send, HTTPStatus.OK, {"Content-Type": "text/plain"}, b"ok\n")
    elif scope["path"] == READY:
        await _probe(scope, receive, send)
    else:
        serve = stream_for(scope) or _threaded
        await serve(_for_wsgi(scope), receive, send)


async def _probe(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer whether the service is ready: 503 where that can't be found out in time."""
    messages: list[Message] = []

    async def keep(message: Message) -> None:
        messages.append(message)

    try:
        async with asyncio.timeout(_READY_SECONDS):
            await _probed(_for_wsgi(scope), receive, keep)
    except TimeoutError:
        await answer(send, HTTPStatus.SERVICE_UNAVAILABLE, *_refusal(READY, HTTPStatus.SERVICE_UNAVAILABLE))
        return
    for message in messages:
        await send(message)


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

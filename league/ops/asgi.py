"""The ASGI application: streams run on the event loop, everything else is Django in a pool of threads.

Django answers plain requests several times faster through WSGI than ASGI; a stream must not block a thread.
"""

import os
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from django.utils.module_loading import import_string

from league.ops import environment
from league.ops.wsgi import application as pages

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.ops.settings")

# The library and Django have different types for the same WSGI and ASGI.
_threaded: Any = WSGIMiddleware(cast("Any", pages), workers=environment.number("WEB_THREADS", 8))

# Paths of streams, and the asynchronous applications that serve them. `api` is named, not imported, as in
# `league.urls`, because `league` must not depend on it.
STREAMS: tuple[tuple[re.Pattern[str], Application], ...] = (
    (re.compile(r"/api/v1/games/[^/]+/events/"), import_string("api.stream.Stream")(_threaded)),
)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one connection (ASGI)."""
    serve = stream_for(scope) or _threaded
    await serve(_for_wsgi(scope), receive, send)


def stream_for(scope: Scope) -> Application | None:
    """Return the application for a stream, or None for any other request."""
    if scope["type"] != "http":
        return None
    return next((serve for path, serve in STREAMS if path.fullmatch(scope["path"])), None)


def _for_wsgi(scope: Scope) -> Scope:
    """Return a scope that is valid for WSGI.

    WSGI cannot distinguish `X_Forwarded_For` from `X-Forwarded-For`, which only a proxy may set; and a query
    must be ASCII.
    """
    if scope["type"] != "http":
        return scope
    headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
    query = re.sub(rb"[^\x21-\x7e]", lambda found: b"%%%02X" % found[0][0], scope["query_string"])
    return {**scope, "headers": headers, "query_string": query}

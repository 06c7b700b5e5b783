"""The server's entrance: live streams stay on the event loop, everything else is Django on a pool of threads.

Django answers plain requests several times faster as WSGI than as ASGI; a stream must not hold a thread.
"""

import os
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from django.utils.module_loading import import_string

from league.house import environment
from league.wsgi import application as pages

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

# The library and Django agree on WSGI and ASGI, but each has types of its own for them.
_threaded: Any = WSGIMiddleware(cast("Any", pages), workers=environment.number("WEB_THREADS", 8))

# Paths that are streams, and the asynchronous applications that serve them. `api` is named and not imported,
# as in `league.urls`: the applications point one way.
STREAMS: tuple[tuple[re.Pattern[str], Application], ...] = (
    (re.compile(r"/api/v1/games/[^/]+/events/"), import_string("api.stream.Stream")(_threaded)),
)


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one connection, as ASGI has it."""
    serve = stream_for(scope) or _threaded
    await serve(_tidied(scope), receive, send)


def stream_for(scope: Scope) -> Application | None:
    """Return the application that streams what this request asks for, or None where it asks for no stream."""
    if scope["type"] != "http":
        return None
    return next((serve for path, serve in STREAMS if path.fullmatch(scope["path"])), None)


def _tidied(scope: Scope) -> Scope:
    """Return a scope that WSGI can express.

    `X_Forwarded_For` would pass there for `X-Forwarded-For`, which a proxy guards; and a query is ASCII.
    """
    if scope["type"] != "http":
        return scope
    headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
    query = re.sub(rb"[^\x21-\x7e]", lambda found: b"%%%02X" % found[0][0], scope["query_string"])
    return {**scope, "headers": headers, "query_string": query}

"""Django as a WSGI application: pages, the admin and the API."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from django.core.wsgi import get_wsgi_application

from league.ops import deadline
from league.ops.bounds import GONE
from league.ops.warm import warm_up

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.ops.settings")

_CHARSET: Final = re.compile(r";\s*charset\*?\s*=[^;]*", re.IGNORECASE)
REQUEST_SECONDS: Final = 30
"""How long a request may take before its answer begins."""
_django = get_wsgi_application()
warm_up()


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Serve one request, read as UTF-8.

    Django would use any charset that a Content-Type names, and fail for one that is not of text.
    """
    environ = {**environ, "CONTENT_TYPE": _CHARSET.sub("", environ.get("CONTENT_TYPE", ""))}
    with deadline.within(REQUEST_SECONDS):
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

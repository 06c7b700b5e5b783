"""Django as a WSGI application: pages, the admin and the API; imported whole when a process starts."""

import codecs
import gc
import os
import re
import zoneinfo
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_backends
from django.core.cache import caches
from django.core.wsgi import get_wsgi_application
from django.template import engines
from django.urls import get_resolver
from django.utils import formats
from django.utils.module_loading import import_string

from league.ops import deadline
from league.ops.bounds import GONE


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
    # What is loaded now stays: no collection of garbage, for which a request has to wait, looks at it again.
    gc.collect()
    gc.freeze()


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

"""Django as a WSGI application: pages, the admin and the API."""

import os
import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.ops.settings")

_CHARSET: Final = re.compile(r";\s*charset\*?\s*=[^;]*", re.IGNORECASE)
_django = get_wsgi_application()


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Serve one request, read as UTF-8.

    Django would use any charset that a Content-Type names, and fail for one that is not of text.
    """
    content_type = _CHARSET.sub("", environ.get("CONTENT_TYPE", ""))
    return _django({**environ, "CONTENT_TYPE": content_type}, start_response)

"""The page for an error that nothing else answers."""

import sys
from typing import Final

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

_RETRY_SECONDS: Final = 5


def failed(request: HttpRequest) -> HttpResponse:
    """Return 503 where the database does not answer, otherwise 500 (Django's `handler500`)."""
    if not isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        return server_error(request)
    answer = HttpResponse(render_to_string("unavailable.html"), status=503)
    answer["Retry-After"] = str(_RETRY_SECONDS)
    return answer

"""The page for an error that nothing else answers."""

import sys
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

from league.ops.logs import is_away

_RETRY_SECONDS: Final = 5


def failed(request: HttpRequest) -> HttpResponse:
    """Return 503 where the database does not answer or a disk is full, otherwise 500 (`handler500`)."""
    if not is_away(sys.exception()):
        return server_error(request)
    answer = HttpResponse(render_to_string("unavailable.html"), status=503)
    answer["Retry-After"] = str(_RETRY_SECONDS)
    return answer

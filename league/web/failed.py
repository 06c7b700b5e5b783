"""The page for an error that nothing else answers."""

import sys
from typing import Final

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.views.defaults import server_error

from league.ops.logs import is_away

_RETRY_SECONDS: Final = 5


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return 400, in the language of the browser; of an unknown host with its name (`handler400`)."""
    host = request.META.get("HTTP_HOST", "") if isinstance(exception, DisallowedHost) else ""
    # A host is refused before anything has activated the language.
    with translation.override(translation.get_language_from_request(request)):
        return HttpResponse(render_to_string("400.html", {"unknown_host": host}), status=400)


def failed(request: HttpRequest) -> HttpResponse:
    """Return 503 where the database does not answer or a disk is full, otherwise 500 (`handler500`)."""
    if not is_away(sys.exception()):
        return server_error(request)
    answer = HttpResponse(render_to_string("unavailable.html"), status=503)
    answer["Retry-After"] = str(_RETRY_SECONDS)
    return answer

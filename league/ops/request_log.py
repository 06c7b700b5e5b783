"""The line of the log for each request."""

import re
from typing import Any, Final
from uuid import uuid4

from django.http import HttpRequest
from django_structlog.middlewares import RequestMiddleware
from structlog.contextvars import bind_contextvars

_LONGEST_ID: Final = 200
_NAMED: Final = re.compile(r"/(games|competitions?)/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/")
"""What a request is about, by the id in its address."""


class RequestLogMiddleware(RequestMiddleware):
    """Writes a line when a request is answered, and names the request and what it is about in all before it.

    The library also prepares a line for the start of each request, which nobody asked for, and believes any
    `X-Forwarded-For`; the web server has put the address of a trusted proxy's client in its place already.
    """

    def prepare(self, request: HttpRequest) -> None:
        given: Any = request.META.get
        request_id = given("HTTP_X_REQUEST_ID", "")[:_LONGEST_ID] or str(uuid4())
        bind_contextvars(request_id=request_id, ip=given("REMOTE_ADDR"))
        if named := _NAMED.search(request.path_info):
            bind_contextvars(**{named[1].rstrip("s"): named[2]})

"""The line of the log for each request."""

from typing import Any, Final
from uuid import uuid4

from django.http import HttpRequest
from django_structlog.middlewares import RequestMiddleware
from structlog.contextvars import bind_contextvars

_LONGEST_ID: Final = 200


class RequestLogMiddleware(RequestMiddleware):
    """Writes a line when a request is answered, and names request and address in all lines before it.

    The library also prepares a line for the start of each request, which nobody asked for, and believes any
    `X-Forwarded-For`; the web server has put the address of a trusted proxy's client in its place already.
    """

    def prepare(self, request: HttpRequest) -> None:
        given: Any = request.META.get
        request_id = given("HTTP_X_REQUEST_ID", "")[:_LONGEST_ID] or str(uuid4())
        bind_contextvars(request_id=request_id, ip=given("REMOTE_ADDR"))

"""The request log, without secret tokens."""

import re
from typing import Final

from django.http import HttpRequest
from django_structlog.middlewares import RequestMiddleware

_SLASH: Final = r"(?:/|%2[fF])"
_KEYS: Final = re.compile(
    rf"((?:account{_SLASH}forgotten|notices{_SLASH}(?:stop|address)|invitations){_SLASH})[^&\s]+"
)
"""Paths of links in emails, also as parameters of the log-in page, whose last part is a secret token."""


class RequestLogMiddleware(RequestMiddleware):
    """Logs each request by method and path, but without the token of a link in an email."""

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        return f"{request.method} {_KEYS.sub(_without_token, request.get_full_path())}"


def _without_token(found: "re.Match[str]") -> str:
    return f"{found[1]}…"

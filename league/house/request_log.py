"""The request log, without what opens something to whoever reads it."""

import re
from typing import Final

from django.http import HttpRequest
from django_structlog.middlewares import RequestMiddleware

_SLASH: Final = r"(?:/|%2[fF])"
_KEYS: Final = re.compile(
    rf"((?:account{_SLASH}forgotten|notices{_SLASH}(?:stop|address)|invitations){_SLASH})[^&\s]+"
)
"""Addresses that mails lead to, also on the way to a log-in: who has one may do what it says."""


class RequestLogMiddleware(RequestMiddleware):
    """Logs each request by method and address; of a link in a mail only what kind it is."""

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        """Return the request as its line names it."""
        return f"{request.method} {_KEYS.sub(_kind_only, request.get_full_path())}"


def _kind_only(found: "re.Match[str]") -> str:
    return f"{found[1]}…"

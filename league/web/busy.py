"""The answer to a request for which the server has no time now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render

from league.ops.hashing import RETRY_SECONDS, Busy

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse


class BusyMiddleware:
    """Answers 503, at once, where a password can't be hashed now."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the page that asks to try again, None for other errors."""
        if not isinstance(error, Busy):
            return None
        answer = render(request, "503.html", {"seconds": RETRY_SECONDS}, status=503)
        answer["Retry-After"] = str(RETRY_SECONDS)
        return answer

"""What is true of every answer under ``/api/``, also of those that no view of ours gave."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from api.errors import MEDIA_TYPE, as_problem

PREFIX: Final = "/api/"


class AnswerMiddleware:
    """Makes every error a problem document, whoever found it, and lets no proxy keep an answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(PREFIX):
            return self.get_response(request)
        answer = self.get_response(request)
        answer.headers.setdefault("Cache-Control", "private, no-cache")
        told = answer.status_code < 400 or answer.headers.get("Content-Type") == MEDIA_TYPE
        return answer if told else as_problem(answer)

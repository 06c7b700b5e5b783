"""What every response below ``/api/`` has, including those of Django itself."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers

from api import tags
from api.callers import COUNTED, Counted
from api.errors import MEDIA_TYPE, as_problem

PREFIX: Final = "/api/"
PRIVATE: Final = "private, no-cache"


class AnswerMiddleware:
    """Turns errors into problem documents, tags answers, and tells callers their rates.

    An answer that is not known to be for everybody is private: no proxy may keep it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(PREFIX):
            return self.get_response(request)
        answer = tags.conditional(request, self.get_response(request))
        if answer.status_code == 304:
            answer.headers.pop("Content-Length", None)  # it would be that of the answer that the client has
        counted: Counted | None = request.META.get(COUNTED)
        for name, value in (counted.headers if counted else {}).items():
            answer.headers.setdefault(name, value)
        answer.headers.setdefault("Cache-Control", PRIVATE)
        if "private" in answer["Cache-Control"]:
            patch_vary_headers(answer, ("Accept", "Authorization", "Cookie"))
        fine = answer.status_code < 400 or answer.headers.get("Content-Type") == MEDIA_TYPE
        return answer if fine else as_problem(answer)

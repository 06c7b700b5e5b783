"""What every answer below ``/api/`` has, including those of Django itself: tag, rates, language, rendering.

Entity tags (RFC 9110): what a client has already is not sent again. A view's operation declares what its
answer follows (`api.views.base.Operation`); its tag is made of that before anything else is read. Any other
answer has a tag of its body: then a 304 saves bytes, but costs as much as the answer. All tags are weak, for
an answer can be sent compressed in several ways.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, cast

from django.conf import settings
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import SimpleTemplateResponse
from django.urls import resolve
from django.utils import translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from rest_framework.metadata import SimpleMetadata
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from api.callers import COUNTED, Counted
from api.errors import MEDIA_TYPE, as_problem
from league.ops.answers import tag_of

# ---- Entity tags ---------------------------------------------------------------------------------


class Unchanged(Exception):
    """The client has the answer already."""


def of(*parts: object) -> str:
    """Return a tag that changes with each of the parts, the language and the release."""
    return f"W/{tag_of(*parts)}"


def conditional(request: HttpRequest, answer: HttpResponseBase) -> HttpResponseBase:
    """Return an answer with a tag, of its body if it has none, or 304 where the client has that already.

    Only a whole answer to a GET gets one; what begins a stream is not whole.
    """
    if request.method not in ("GET", "HEAD") or answer.status_code != 200:
        return answer
    if not answer.has_header("ETag"):
        if not isinstance(answer, HttpResponse) or answer["Content-Type"].startswith("text/event-stream"):
            return answer
        answer["ETag"] = f'W/"{hashlib.sha256(answer.content).hexdigest()[:32]}"'
    if "HTTP_IF_NONE_MATCH" not in request.META:
        return answer
    whole = cast("HttpResponse", answer)
    return get_conditional_response(request, etag=whole["ETag"], response=whole) or whole


def is_known(request: HttpRequest, tag: str) -> bool:
    """Return whether the client has named the tag. `conditional` judges `*`."""
    named = request.META.get("HTTP_IF_NONE_MATCH", "")
    return tag.removeprefix("W/") in named


# ---- Every answer --------------------------------------------------------------------------------

PREFIX: Final = "/api/"
PRIVATE: Final = "private, no-cache"


class AnswerMiddleware:
    """Turns errors into problem documents, tags answers, and tells callers their rates; all of it in English.

    An answer that is not known to be for everybody is private: no proxy may keep it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(PREFIX):
            return self.get_response(request)
        translation.activate(settings.LANGUAGE_CODE)
        answer = conditional(request, self.get_response(request))
        if answer.status_code == 304:
            answer.headers.pop("Content-Length", None)  # it would be that of the answer that the client has
        counted: Counted | None = request.META.get(COUNTED)
        for name, value in (counted.headers if counted else {}).items():
            answer.headers.setdefault(name, value)
        answer.headers.setdefault("Cache-Control", PRIVATE)
        answer.headers.setdefault("Content-Language", settings.LANGUAGE_CODE)
        if "private" in answer["Cache-Control"]:
            patch_vary_headers(answer, ("Accept", "Authorization", "Cookie"))
        fine = answer.status_code < 400 or answer.headers.get("Content-Type") == MEDIA_TYPE
        return answer if fine else as_problem(answer)


def straight_to_view(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Answer a request of the API by its view: all middleware below this one is for pages alone."""
    from_view = convert_exception_to_response(_from_view)
    return lambda request: (from_view if request.path_info.startswith(PREFIX) else get_response)(request)


def _from_view(request: HttpRequest) -> Any:
    """Return the answer of the view of an address, rendered, as Django's handler gives it."""
    request.resolver_match = found = resolve(request.path_info)
    answer = found.func(request, *found.args, **found.kwargs)
    return answer.render() if isinstance(answer, SimpleTemplateResponse) else answer


# ---- Renderers -----------------------------------------------------------------------------------


class WrittenByTheView(BaseRenderer):
    """A format whose view answers with the text itself."""

    charset: str | None = "utf-8"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> Any:
        return data


class JSONLinesRenderer(WrittenByTheView):
    """A JSON value a line."""

    media_type = "application/jsonl"
    format = "jsonl"


class NDJSONRenderer(WrittenByTheView):
    """A JSON object a line, as the lines are read."""

    media_type = "application/x-ndjson"
    format = "ndjson"


class EventStreamRenderer(WrittenByTheView):
    """Server-sent events."""

    media_type = "text/event-stream"
    format = "events"


class TextRenderer(WrittenByTheView):
    """Plain text."""

    media_type = "text/plain"
    format = "txt"


class CSVRenderer(WrittenByTheView):
    """Comma-separated values."""

    media_type = "text/csv"
    format = "csv"


class CalendarRenderer(WrittenByTheView):
    """Calendars (RFC 5545)."""

    media_type = "text/calendar"
    format = "ics"


class PDFRenderer(WrittenByTheView):
    """Pages to print."""

    media_type = "application/pdf"
    format = "pdf"
    charset = None


# ---- Negotiation ---------------------------------------------------------------------------------


class OneFormat(DefaultContentNegotiation):
    """For addresses with one format: the Accept header is ignored."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        only = next(iter(renderers))
        return only, str(only.media_type)


# ---- Metadata ------------------------------------------------------------------------------------


class Description(SimpleMetadata):
    """Names and describes an address; its fields are in the OpenAPI document."""

    def determine_actions(self, request: Request, view: Any) -> dict[str, Any]:
        """Return nothing: REST Framework would describe the fields of answers as if clients sent them."""
        return {}

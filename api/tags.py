"""Entity tags (RFC 9110): what a client has already is not sent again.

A view's operation declares what its answer follows (`api.views.base.Operation`); its tag is made of that
before anything else is read. Any other answer has a tag of its body: then a 304 saves bytes, but costs as
much as the answer. All tags are weak, for an answer can be sent compressed in several ways.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, cast

from django.http import HttpResponse
from django.utils.cache import get_conditional_response

from league.ops.kept import tag_of

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase


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

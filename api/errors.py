"""Every error of the API: one table, and the problem documents (RFC 9457) made from it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.core.exceptions import ObjectDoesNotExist, RequestDataTooBig, SuspiciousOperation
from django.core.exceptions import PermissionDenied as DjangoPermissionDenied
from django.core.signals import got_request_exception
from django.http import Http404, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions as drf

from api.callers import wait_of_address
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed, NotReplayable, Refusal, Stale
from league.ops.logs import has_collided, is_away
from league.ops.metrics import REFUSALS
from league.queries.permissions import ScopeMissing
from league.services.once import KeyReused

MEDIA_TYPE: Final = "application/problem+json"
RETRY_SECONDS: Final = 5


class Gone(Exception):
    """Events after a number are kept no more; ``seq`` is the number to go on with."""

    def __init__(self, seq: int) -> None:
        self.seq = seq


class Ended(Exception):
    """The day has come on which an operation was announced to end."""


class TooLarge(RequestDataTooBig):
    """A body of more than ``most`` bytes, for an operation that takes no more."""

    def __init__(self, most: int) -> None:
        self.most = most


class EncodedBody(Exception):
    """A body with a content encoding: here bodies are read as they are."""


@dataclass(frozen=True)
class Problem:
    """One kind of problem: its HTTP status, its title, and what to do about it."""

    status: int
    title: str | Promise
    about: str | Promise


PROBLEMS: Final[Mapping[str, Problem]] = {
    "malformed": Problem(
        400,
        _("The request is malformed"),
        _("Something is missing, unknown or of the wrong type. `errors` says what, if it is a field."),
    ),
    "not_authenticated": Problem(
        401,
        _("Nobody is logged in"),
        _("Send a token as `Authorization: Bearer …`, or log in."),
    ),
    "bad_token": Problem(
        401,
        _("The token is not valid"),
        _("It is misspelt, it was revoked, or its account is closed. Create a new one on your account page."),
    ),
    "not_allowed": Problem(
        403,
        _("You are not allowed to do this"),
        _("Your account does not have the permission. Ask an organiser of the club."),
    ),
    "insufficient_scope": Problem(
        403,
        _("The token lacks a scope"),
        _("Use a token with one of the scopes named in `detail`."),
    ),
    "not_found": Problem(404, _("Not found"), _("Check the address and the ids in it.")),
    "method_not_allowed": Problem(
        405, _("The method is not allowed"), _("The `Allow` header lists the allowed methods.")
    ),
    "not_acceptable": Problem(
        406, _("The format is not available"), _("Ask for application/json, or send no Accept header.")
    ),
    "gone": Problem(
        410,
        _("The events are kept no more"),
        _("Read how things are now, and go on with `after` set to the number in `seq`."),
    ),
    "ended": Problem(
        410,
        _("This is no longer offered"),
        _("It was deprecated for a year or more, and has ended. The `Link` header names what replaces it."),
    ),
    "stale": Problem(
        409,
        _("The log has new entries"),
        _("Read the current state, decide again, and send the entry with the number in `seq`."),
    ),
    "too_large": Problem(413, _("The request is too large"), _("Send less at once.")),
    "unsupported_media_type": Problem(
        415, _("The type of the body is not supported"), _("Send JSON as application/json.")
    ),
    "illegal": Problem(
        422,
        _("The rules do not allow this"),
        _("`detail` says why, and `rule` is the number of the rule, if there is one. Nothing has changed."),
    ),
    "key_reused": Problem(
        422,
        _("The key was used for another request"),
        _("This `Idempotency-Key` was sent with another request. Use a new key for each request."),
    ),
    "throttled": Problem(
        429, _("Too many requests"), _("Wait the seconds in the `Retry-After` header and try again.")
    ),
    "internal": Problem(
        500, _("Internal error"), _("This is an error of the server, and it was logged. Try again later.")
    ),
    "not_replayable": Problem(
        501,
        _("This game can't be replayed"),
        _(
            "The server does not have the game's rules; the log itself is at `log/`. Or the log is in an "
            "archive, and the owner of the server can restore it."
        ),
    ),
    "unavailable": Problem(
        503, _("The service is not available"), _("Try again after the seconds in `Retry-After`.")
    ),
}

# An error has the code of the first class here that it is an instance of.
CODES: Final[Mapping[type[Exception], str]] = {
    Malformed: "malformed",
    KeyReused: "key_reused",
    Gone: "gone",
    Ended: "ended",
    Illegal: "illegal",
    Stale: "stale",
    drf.ValidationError: "malformed",
    drf.ParseError: "malformed",
    drf.NotAuthenticated: "not_authenticated",
    drf.AuthenticationFailed: "bad_token",
    drf.PermissionDenied: "not_allowed",
    ScopeMissing: "insufficient_scope",
    DjangoPermissionDenied: "not_allowed",
    drf.NotFound: "not_found",
    Http404: "not_found",
    ObjectDoesNotExist: "not_found",
    drf.MethodNotAllowed: "method_not_allowed",
    drf.NotAcceptable: "not_acceptable",
    drf.UnsupportedMediaType: "unsupported_media_type",
    EncodedBody: "unsupported_media_type",
    drf.Throttled: "throttled",
    RequestDataTooBig: "too_large",
    SuspiciousOperation: "malformed",
    NotReplayable: "not_replayable",
}


def document(code: str, detail: str = "", *, status: int | None = None, **members: Any) -> dict[str, Any]:
    """Return a problem document; members that are None are left out."""
    kind = PROBLEMS[code]
    body = {
        "type": reverse("api:problem", args=[code]),
        "title": str(kind.title),
        "status": status or kind.status,
        "detail": detail or str(kind.about),
        "code": code,
        **members,
    }
    return {name: value for name, value in body.items() if value is not None}


def problem(code: str, detail: str = "", **members: Any) -> HttpResponse:
    """Return the response with a problem document."""
    body = document(code, detail, **members)
    return JsonResponse(body, status=body["status"], content_type=MEDIA_TYPE)


def handler(error: Exception, context: Mapping[str, Any]) -> HttpResponse:
    """Return the response to an exception of a view, as REST Framework's exception handler.

    A caller who was refused before anything was counted, such as one with a bad token, counts as an address.
    """
    if not isinstance(error, drf.Throttled):
        wait = wait_of_address(context["request"]._request)
        error = drf.Throttled(wait) if wait else error
    code = code_of(error)
    REFUSALS.labels(code).inc()
    if code in ("internal", "unavailable"):
        # Django sends this signal for unhandled errors; tests and error reporters listen to it. A listener
        # that loads the user may fail again.
        got_request_exception.send_robust(sender=handler, request=context["request"]._request)
    answer = problem(
        code,
        _detail(error),
        rule=getattr(error, "rule", None),
        seq=getattr(error, "seq", None),
        errors=_errors(error),
    )
    for name, value in _headers(error, code).items():
        answer[name] = value
    return answer


def code_of(error: Exception) -> str:
    """Return the code of an exception's problem; ``internal`` for an unexpected exception."""
    other = "unavailable" if is_away(error) else "internal"
    return next((code for kind, code in CODES.items() if isinstance(error, kind)), other)


def _detail(error: Exception) -> str:
    """Return the error's sentence where it is meant for the caller, otherwise an empty text."""
    if isinstance(error, Refusal):
        return error.sentence
    if isinstance(error, drf.APIException) and isinstance(error.detail, str):
        return str(error.detail)
    if isinstance(error, TooLarge):
        return text("The body of this request may have at most %(most)d bytes.", most=error.most)
    if has_collided(error):
        return text("Two changes were made at the same moment. Nothing was saved: send it again.")
    if isinstance(error, EncodedBody):
        return "Send the body as it is, without compression and Content-Encoding."
    if isinstance(error, DjangoPermissionDenied):
        return " ".join(map(str, error.args))
    return ""


def _errors(error: Exception) -> Mapping[str, Any] | None:
    """Return field → list of sentences, or None."""
    if isinstance(error, Refusal):
        return error.errors or None
    if isinstance(error, drf.ValidationError):
        return error.detail if isinstance(error.detail, dict) else {"": error.detail}
    return None


def _headers(error: Exception, code: str) -> dict[str, str]:
    headers = {}
    if getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = str(error.auth_header)  # type: ignore[attr-defined]
    if isinstance(error, ScopeMissing):
        challenge = 'Bearer realm="Trefoil", error="insufficient_scope", scope="{}"'
        headers["WWW-Authenticate"] = challenge.format(" ".join(error.scopes))
    if code == "unavailable":
        headers["Retry-After"] = str(RETRY_SECONDS)
    if isinstance(error, EncodedBody):
        headers["Accept-Encoding"] = "identity"
    if isinstance(error, drf.Throttled):
        headers["Retry-After"] = str(max(1, round(getattr(error, "wait", None) or 1)))
    return headers


def as_problem(answer: HttpResponseBase) -> HttpResponseBase:
    """Replace the body of one of Django's error pages by the problem document for its status."""
    code = next(
        (code for code, kind in PROBLEMS.items() if kind.status == answer.status_code),
        "internal" if answer.status_code >= 500 else "malformed",
    )
    replacement = problem(code, status=answer.status_code)
    if isinstance(answer, HttpResponse):
        answer.content = replacement.content
        answer["Content-Type"] = MEDIA_TYPE
        answer["Content-Length"] = str(len(replacement.content))
    return answer

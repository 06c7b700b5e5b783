"""The usual requests of clients that play, answered with one statement and without REST Framework.

Usual is plain JSON with a token that this process has used within a minute. Anything else, and what would
be refused, is left to the view of the same address: it decides, and nothing has been done before. What is
answered here has passed no middleware, and gets the same headers and line in the log as if it had.
"""

from __future__ import annotations

import io
import json
import re
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import UUID

import structlog
from corsheaders.middleware import CorsMiddleware
from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, SuspiciousOperation
from django.core.handlers.wsgi import WSGIRequest
from django.db import Error
from django.http import HttpResponse, HttpResponseNotModified, UnreadablePostError
from django.urls import resolve, reverse
from django.utils.module_loading import import_string
from django.utils.translation import get_language, override
from rest_framework.exceptions import APIException

from api import bodies, parsers, tags
from api.callers import COUNTED, CallerThrottle, counted_as
from api.params import SHEET_AFTER
from api.serializers.games import game_body
from games.engine.refusals import NotReplayable, Refusal
from league.ops import request_log
from league.ops.compression import CompressionMiddleware
from league.ops.kept import KeptContents
from league.queries import reading
from league.queries.reading import ALWAYS, Guard
from league.services.accounts import kept_token
from league.services.play import make_move_at_once

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from league.models.accounts import Credential
    from league.queries.reading import GameRead

JSON: Final = "application/json"
HEADERS_BY: Final = (
    "corsheaders.middleware.CorsMiddleware",
    "api.middleware.AnswerMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
)
"""The middleware that adds headers to every answer, in the order of the settings."""
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
UNUSUAL: Final = (
    *(Refusal, NotReplayable, ObjectDoesNotExist, Error),
    *(APIException, PermissionDenied, SuspiciousOperation, UnreadablePostError),
)
"""What the view answers: refusals, and failures that are no mistake of this module."""
_log: Final = structlog.get_logger(__name__)


_GAME: Final = re.compile(r"/api/v1/games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/(moves/)?")


TRIED: Final = "trefoil.tried"
"""The key of a request's environment that says that it was not usual."""


def at_once(environ: dict[str, Any]) -> tuple[str, list[tuple[str, str]], bytes] | None:
    """Return status, headers and content of the answer to a usual request of a server (WSGI).

    None to any other, which can still be read.
    """
    if not _GAME.fullmatch(environ["PATH_INFO"]):
        return None
    request = WSGIRequest(environ)
    answered = _answer(request)
    if answered is None:
        environ[TRIED] = True
        if hasattr(request, "_body"):
            environ["wsgi.input"] = io.BytesIO(request.body)
        return None
    # Django's headers would check each again, which takes as long as a part of the statement.
    headers = {**_usual(request), **dict(answered.items())}
    return f"{answered.status_code} {answered.reason_phrase}", [*headers.items()], answered.content


def answer(request: HttpRequest) -> HttpResponse | None:
    """Return the answer to a usual request, None to any other, as `at_once` does."""
    answered = _answer(request)
    if answered is not None:
        for name, value in _usual(request).items():
            answered.headers.setdefault(name, value)
    return answered


def _answer(request: HttpRequest) -> HttpResponse | None:
    """Return the answer to a usual request without the usual headers, None to any other.

    Then nothing has been done, but for a move whose answer failed: the view knows that it was made.
    """
    game = _GAME.fullmatch(request.path_info)
    if game is None or TRIED in request.META or _must_be_secure(request):
        return None
    try:
        request.get_host()
        usual = settings.LANGUAGE_CODE
        with nullcontext() if get_language() == usual else override(usual):
            answered = _answered(request, UUID(game[1]), game[2])
        if answered is not None:
            _dress(request, answered)
            request_log.finished(request, answered.status_code)
    except UNUSUAL:
        return None
    except Exception:
        # The view fails in the same way, and reports it, or it answers: a move that was made is one repeated.
        _log.exception("quick_failed", request=f"{request.method} {request.path_info}")
        return None
    return answered


def _must_be_secure(request: HttpRequest) -> bool:
    return settings.SECURE_SSL_REDIRECT and not request.is_secure()


def _dress(request: HttpRequest, answered: HttpResponse) -> None:
    """Add to an answer what middleware adds by its request or its content."""
    for name, value in request.META[COUNTED].headers.items():
        answered.headers[name] = value
    answered.headers["Vary"] = _usual(request)["Vary"]
    if answered.content:
        answered.headers["Content-Length"] = str(len(answered.content))
        CompressionMiddleware(lambda _: answered)(request)
    if "HTTP_ORIGIN" in request.META:
        CorsMiddleware(lambda _: answered)(request)


def _usual(request: HttpRequest) -> Mapping[str, str]:
    return _usual_headers(request.scheme or "", request.method or "")


@cache
def _usual_headers(scheme: str, method: str) -> Mapping[str, str]:
    """Return the headers that every answer has by the scheme and the method of its request."""
    passes: Any = lambda _: HttpResponse()  # noqa: E731 -- the innermost of a chain
    for name in reversed(HEADERS_BY):
        passes = import_string(name)(passes)
    server = {"SERVER_NAME": "localhost", "SERVER_PORT": "80", "wsgi.url_scheme": scheme}
    body = {"REQUEST_METHOD": "POST", "wsgi.input": io.BytesIO()}
    request = WSGIRequest({**server, **body, "PATH_INFO": "/api/v1/"})
    given = passes(request).headers
    for name in ("Content-Type", "Content-Length"):
        given.pop(name, None)
    address = reverse("api:moves" if method == "POST" else "api:game", args=[UUID(int=0)])
    view = cast("Any", resolve(address).func).view_class()
    view.setup(request)
    return {**given, "Content-Language": settings.LANGUAGE_CODE, "Allow": ", ".join(view.allowed_methods)}


def _answered(request: HttpRequest, game_id: UUID, below: str | None) -> HttpResponse | None:
    match request.method, below:
        case "POST", "moves/":
            return _move(request, game_id)
        case "GET", None:
            return _look(request, game_id)
        case _:
            return None


def _move(request: HttpRequest, game_id: UUID) -> HttpResponse | None:
    """Make a move of the seat of the token's account; return the answer, None where that is not usual."""
    token, sheet_after = _token(request), _sheet_after(request)
    if token is None or sheet_after is None or request.content_type != JSON:
        return None
    if parsers.declared_length(request.META) > bodies.MOST_OF_A_MOVE or parsers.is_encoded(request.META):
        return None
    body = bodies.read(bodies.NewMove, parsers.strict_json(request.body))
    if not CallerThrottle().allows(request, *counted_as(token.account)):
        return None
    read = make_move_at_once(token=token, game_id=game_id, seq=body.seq, move=body.move)
    if read is None:
        return None
    request.user = token.account  # for the line in the log
    headers = headers_after_move(request, read, sheet_after, body.seq)
    return HttpResponse(_content(read, sheet_after), status=201, content_type=JSON, headers=headers)


def _look(request: HttpRequest, game_id: UUID) -> HttpResponse | None:
    """Return the answer to a look at a game, None where that is not usual."""
    token, sheet_after = _token(request), _sheet_after(request)
    nobody = "HTTP_AUTHORIZATION" not in request.META and not request.COOKIES
    any_tag = "*" in request.META.get("HTTP_IF_NONE_MATCH", "")  # which middleware judges
    if sheet_after is None or any_tag or not (token or nobody):
        return None
    throttle = CallerThrottle()
    caller = counted_as(token.account) if token else ("address", throttle.get_ident(cast("Any", request)))
    account = token.account if token else None
    if not throttle.allows(request, *caller):
        return None
    row = reading.row_of(game_id, Guard(*token.live()) if token else ALWAYS)
    if account:
        request.user = account
    last = _LAST(game_id, account and account.pk, tuple(token.scopes) if token else ())
    known = last.known
    if known and known[:2] == (row, sheet_after) and tags.is_known(request, known[2]):
        return _not_modified(known[2])
    read = reading.of_row(game_id, account, row)
    tag = tag_of(read, sheet_after)
    if account is None or read.you is not None:  # for others the tag follows rights that the row hasn't
        last.known = row, sheet_after, tag
    if tags.is_known(request, tag):
        return _not_modified(tag)
    make = partial(_content, read, sheet_after)
    content = _OVER.get(tag, make) if read.game.is_over else make()
    return HttpResponse(content, content_type=JSON, headers={"ETag": tag})


@dataclass
class _Last:
    """The row of a game as a reader last got it, from which round on, and the tag of that.

    ``known`` is replaced whole, so that threads need no lock.
    """

    game: UUID
    account: UUID | None
    scopes: tuple[str, ...]
    known: tuple[reading.Row, int, str] | None = None


_LAST: Final = lru_cache(maxsize=4000)(_Last)
_OVER: Final = KeptContents[bytes](200)
"""Answers of games that are over, by their tags: of up to some 10 kB each."""


def _not_modified(tag: str) -> HttpResponse:
    answered = HttpResponseNotModified()
    answered["ETag"] = tag
    return answered


def tagged(
    request: HttpRequest, read: GameRead, sheet_after: int, answer: Callable[[], HttpResponseBase]
) -> HttpResponseBase:
    """Return the answer with a game, or 304 where the client has it already."""
    tag = tag_of(read, sheet_after)
    if tags.is_known(request, tag):
        return _not_modified(tag)
    answered = answer()
    answered["ETag"] = tag
    return answered


def tag_of(read: GameRead, sheet_after: int) -> str:
    """Return the tag of a game as it was read, its sheet from the round after one on."""
    surroundings = read.place.text, read.imported_at, read.you, read.rulings
    return tags.of(read.game.version, *surroundings, sheet_after)


def headers_of_game(game: str, read: GameRead, sheet_after: int = 0) -> dict[str, str]:
    """Return the headers of an answer with what the game's address gives, which has the same tag."""
    query = f"?{SHEET_AFTER.name}={sheet_after}" if sheet_after else ""
    return {"Content-Location": f"{game}{query}", "ETag": tag_of(read, sheet_after)}


def headers_after_move(request: HttpRequest, read: GameRead, sheet_after: int, seq: int) -> dict[str, str]:
    """Return the headers of the answer to a move that is entry ``seq``.

    It was made at ``Location``, and the answer is what ``Content-Location`` gives, with its tag.
    """
    game, _, _ = request.path.partition("moves/")
    return {"Location": f"{game}at/{seq}/", **headers_of_game(game, read, sheet_after)}


def _content(read: GameRead, sheet_after: int) -> bytes:
    return as_json(game_body(read, sheet_after))


# ---- Requests ------------------------------------------------------------------------------------


_QUERY: Final = re.compile(rf"(?:{SHEET_AFTER.name}=([0-9]{{1,9}}))?")


def _sheet_after(request: HttpRequest) -> int | None:
    """Return the round that a request names in its query, 0 for none, and None for an unusual request."""
    given = request.META
    query = _QUERY.fullmatch(given.get("QUERY_STRING", ""))
    usual = query and given.get("HTTP_ACCEPT", "*/*") in ("*/*", JSON)
    return int(query[1] or 0) if query and usual else None


def _token(request: HttpRequest) -> Credential | None:
    """Return the token of a request as it was last used here, None for an unknown one."""
    scheme, _, secret = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    return kept_token(secret.strip()) if scheme.lower() == "bearer" else None


def as_json(body: Any) -> bytes:
    """Return a body as REST Framework writes it."""
    return _ENCODER.encode(body).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").encode()

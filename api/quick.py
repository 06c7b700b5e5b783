"""The usual requests of clients that play, answered with one statement and without REST Framework.

Usual is plain JSON with a token that this process has used within a minute. Anything else, and what would
be refused, is left to the view of the same address: it decides, and nothing has been done before.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist, SuspiciousOperation
from django.db import Error
from django.http import HttpResponse, HttpResponseNotModified, UnreadablePostError
from django.urls import reverse
from django.utils.translation import override
from rest_framework.exceptions import APIException

from api import bodies, parsers, tags
from api.callers import CallerThrottle, counted_as
from api.params import SHEET_AFTER
from api.serializers.games import game_body
from games.engine import shapes
from games.engine.refusals import NotReplayable, Refusal
from league.queries import reading
from league.queries.reading import ALWAYS
from league.services.accounts import kept_token, live
from league.services.play import make_move_at_once

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from league.queries.reading import GameRead
    from league.services.accounts import Used

JSON: Final = "application/json"
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
UNUSUAL: Final = (
    *(Refusal, NotReplayable, ObjectDoesNotExist, Error),
    *(APIException, SuspiciousOperation, UnreadablePostError),
)
"""What the view answers, because it answers all errors."""


_GAME: Final = re.compile(r"/api/v1/games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/(moves/)?")


def answer(request: HttpRequest) -> HttpResponseBase | None:
    """Return the answer to a usual request, None to any other; then nothing has been done."""
    game = _GAME.fullmatch(request.path_info)
    if game is None:
        return None
    try:
        request.get_host()
        with override(settings.LANGUAGE_CODE):
            answered = _answered(request, UUID(game[1]), game[2])
    except UNUSUAL:
        return None
    if answered is not None:
        answered.headers["Content-Language"] = settings.LANGUAGE_CODE
    return answered


def _answered(request: HttpRequest, game_id: UUID, below: str | None) -> HttpResponseBase | None:
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
    body = shapes.read(bodies.NewMove, parsers.strict_json(request.body))
    if not CallerThrottle().allows(request, *counted_as(token.account)):
        return None
    read = make_move_at_once(token=token, game_id=game_id, seq=body.seq, move=body.move)
    if read is None:
        return None
    request.user = token.account  # for the line in the log
    headers = {"Location": reverse("api:at", args=[game_id, body.seq])}
    return HttpResponse(as_json(game_body(read, sheet_after)), status=201, content_type=JSON, headers=headers)


def _look(request: HttpRequest, game_id: UUID) -> HttpResponseBase | None:
    """Return the answer to a look at a game, None where that is not usual."""
    token, sheet_after = _token(request), _sheet_after(request)
    nobody = "HTTP_AUTHORIZATION" not in request.META and not request.COOKIES
    if sheet_after is None or not (token or nobody):
        return None
    throttle = CallerThrottle()
    caller = counted_as(token.account) if token else ("address", throttle.get_ident(cast("Any", request)))
    account = token.account if token else None
    if not throttle.allows(request, *caller):
        return None
    read = reading.read(game_id, account, live(token) if token else ALWAYS)
    if token:
        request.user = token.account
    return tagged(
        request, read, lambda: HttpResponse(as_json(game_body(read, sheet_after)), content_type=JSON)
    )


def tagged(request: HttpRequest, read: GameRead, answer: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """Return the answer with a game, or 304 where the client has it already."""
    tag = tags.of(read.game.head, read.place.text, read.you, read.rulings)
    answered = HttpResponseNotModified() if tags.is_known(request, tag) else answer()
    answered["ETag"] = tag
    return answered


_QUERY: Final = re.compile(rf"(?:{SHEET_AFTER.name}=([0-9]{{1,9}}))?")


def _sheet_after(request: HttpRequest) -> int | None:
    """Return the round that a request names in its query, 0 for none, and None for an unusual request."""
    given = request.META
    query = _QUERY.fullmatch(given.get("QUERY_STRING", ""))
    usual = query and given.get("HTTP_ACCEPT", "*/*") in ("*/*", JSON)
    return int(query[1] or 0) if query and usual else None


def _token(request: HttpRequest) -> Used | None:
    """Return the token of a request as it was last used here, None for an unknown one."""
    scheme, _, secret = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    return kept_token(secret.strip()) if scheme.lower() == "bearer" else None


def as_json(body: Any) -> bytes:
    """Return a body as REST Framework writes it."""
    return _ENCODER.encode(body).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").encode()

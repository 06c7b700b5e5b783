"""The usual requests of clients that play, answered without REST Framework and with one statement.

Usual is plain JSON with a token that this process has used within a minute. Anything else, and what would
be refused, is left to the view of the same address: it decides, and nothing has been done before.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from django.db import Error
from django.http import HttpResponse
from rest_framework.exceptions import APIException

from api import bodies, parsers
from api.callers import CallerThrottle
from api.serializers.games import game_body
from games.engine import shapes
from games.engine.refusals import Refusal
from league.choices import TokenScope
from league.services.accounts import kept_token
from league.services.play import make_move_at_once

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest

    from league.models import Token
    from league.queries.reading import GameRead

JSON: Final = "application/json"


def move(request: HttpRequest, game_id: UUID) -> HttpResponse | None:
    """Make a move of the seat of the token's account; return the answer, None where that is not usual."""
    token = _token(request)
    if token is None or request.content_type != JSON or TokenScope.PLAY not in token.scopes:
        return None
    try:
        body = shapes.read(bodies.NewMove, parsers.strict_json(request.body))
        if not CallerThrottle().allows(request, "account", token.account_id):
            return None
        read = make_move_at_once(token=token, game_id=game_id, seq=body.seq, move=body.move)
    except (Refusal, APIException, Error):
        return None
    return _answer(request, token, read, status=201) if read else None


def _token(request: HttpRequest) -> Token | None:
    """Return the token of a usual request, as it was last used here."""
    given = request.META
    scheme, _, secret = given.get("HTTP_AUTHORIZATION", "").partition(" ")
    usual = given.get("HTTP_ACCEPT", "*/*") in ("*/*", JSON) and not given.get("QUERY_STRING")
    return kept_token(secret.strip()) if usual and scheme.lower() == "bearer" else None


def _answer(request: HttpRequest, token: Token, read: GameRead, status: int) -> HttpResponse:
    request.user = token.account  # for the line in the log
    return HttpResponse(as_json(game_body(read)), status=status, content_type=JSON)


def as_json(body: Any) -> bytes:
    """Return a body as REST Framework writes it."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").encode()

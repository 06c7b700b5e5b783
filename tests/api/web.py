"""API clients that send requests as an account, and the requests that many tests share."""

from typing import Any, Final
from uuid import UUID

from rest_framework.test import APIClient

from games.models import Game
from league.models import Account
from league.services.accounts import create_token

ROOT: Final = "/api/v1"
SCOPES: Final = ("read", "play", "organise")
EVERYBODY: Final = APIClient()
NOBODY: Final = UUID(int=7)
"""An id that nothing has."""


def bearer(account: Account, *scopes: str) -> APIClient:
    """Return a client with a token of the account, of all scopes unless some are named."""
    made = create_token(by=account, name="test", scopes=scopes or SCOPES)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {made.secret}")
    return client


def logged_in(account: Account, *, csrf: bool = True) -> APIClient:
    """Return a client with a web session, checked for CSRF as the server does, with or without its token."""
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(account)
    if csrf:
        client.cookies["csrftoken"] = "c" * 32
        client.credentials(HTTP_X_CSRFTOKEN="c" * 32)
    return client


def say(number: int) -> dict[str, Any]:
    """Return Tally's move."""
    return {"type": "say", "number": number}


def move(client: APIClient, game: Game, seq: object, made: object) -> Any:
    """Post a move."""
    return client.post(f"{ROOT}/games/{game.pk}/moves/", {"seq": seq, "move": made})


def get(path: str, client: APIClient = EVERYBODY, status: int = 200, **headers: Any) -> Any:
    """Return the JSON at a path, after a look at the status."""
    answer = client.get(f"{ROOT}{path}", **headers)
    assert answer.status_code == status, answer.content
    return answer.json()


def assert_problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    """Return the problem document of an answer, after a look at what every one of them holds."""
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    shown: dict[str, Any] = answer.json()
    assert (shown["status"], shown["code"]) == (status, code)
    assert shown["title"] and shown["detail"] and shown["type"] == f"{ROOT}/problems/{code}/"
    return shown

"""Who calls: known by a bearer token (RFC 6750) or a session, and so often."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any, Final, cast

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from rest_framework.throttling import ScopedRateThrottle

from league.services.accounts import use_token

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest

    from league.models import Account
    from league.models.accounts import Credential

CHALLENGE: Final = 'Bearer realm="Trefoil"'


class BearerAuthentication(BaseAuthentication):
    """Knows the caller by ``Authorization: Bearer <token>`` and leaves other schemes to other classes."""

    def authenticate(self, request: Request) -> tuple[Account, Credential] | None:
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        token = use_token(secret=secret.strip())
        if token is None:
            raise AuthenticationFailed("The token is not known here, has expired, or was revoked.")
        return token.account, token

    def authenticate_header(self, request: Request) -> str:
        sent = request.headers.get("Authorization", "").lower().startswith("bearer")
        return f'{CHALLENGE}, error="invalid_token"' if sent else CHALLENGE


@dataclass(frozen=True)
class Counted:
    """Whether a request that was counted is within its rate, and else how long to wait.

    ``headers`` tell the caller the rate, and what is left of it.
    """

    allowed: bool
    wait_seconds: float
    headers: Mapping[str, str] = field(default_factory=dict)


_CALLERS: Final = 10_000
"""How many callers a web process counts; of more, those begin again that were away longest."""
COUNTED: Final = "trefoil.counted"
"""The key of a request's environment under which it was counted."""


class CallerThrottle(ScopedRateThrottle):
    """Counts the requests of an account, or of an address where nobody is logged in, in windows of time.

    REST Framework's own throttles keep a time stamp for each request, which at a bot's rates costs more
    than the request; a counter costs the same at any rate. Each web process counts for itself: a limit leaves
    its threads to others, and a shared count would be one more server to wait for (docs/running.md).
    """

    def allow_request(self, request: Request, view: Any) -> bool:
        account = account_of(request)
        caller = counted_as(account) if account else ("address", self.get_ident(request))
        return self.allows(request._request, *caller)

    def allows(self, request: HttpRequest, scope: str, caller: object) -> bool:
        """Return whether the request of a caller is within the rate of the scope; it is counted once."""
        if COUNTED not in request.META:
            request.META[COUNTED] = self._counted(scope, caller)
        counted: Counted = request.META[COUNTED]
        self.wait_seconds = counted.wait_seconds
        return counted.allowed

    def _counted(self, scope: str, caller: object) -> Counted:
        self.scope = scope
        allowed, seconds = _rate(self.get_rate())
        if allowed is None or seconds is None:
            return Counted(True, 0)
        window, passed = divmod(time.time(), seconds)  # noqa: TID251 - this process counts alone
        number, wait = next(_numbers(scope, caller, window)), seconds - passed
        headers = {
            "RateLimit-Policy": f'"{scope}";q={allowed};w={seconds}',
            "RateLimit": f'"{scope}";r={max(0, allowed - number)};t={math.ceil(wait)}',
        }
        return Counted(number <= allowed, wait, headers)

    def wait(self) -> float:
        return self.wait_seconds


def wait_of_address(request: HttpRequest) -> float:
    """Count a request for its address, unless it was counted; return how long to wait, 0 within the rate."""
    throttle = CallerThrottle()
    address = throttle.get_ident(cast("Request", request))
    return 0 if throttle.allows(request, "address", address) else throttle.wait()


@lru_cache(maxsize=_CALLERS)
def _numbers(_scope: str, _caller: object, _window: float) -> count[int]:
    """Return the numbers of a caller's requests in a window of time; each is given once."""
    return count(1)


@lru_cache(maxsize=100)
def _rate(text: str) -> tuple[int | None, int | None]:
    """Return how many requests are allowed in how many seconds."""
    return ScopedRateThrottle().parse_rate(text)


def counted_as(account: Account) -> tuple[str, object]:
    """Return the scope in which an account's requests are counted, and what they are counted for."""
    return ("bot" if account.bot else "account"), account.pk


def account_of(request: Request) -> Account | None:
    """Return the account that calls, with the token that it calls by; None for an anonymous caller."""
    return request.user if request.user.is_authenticated else None

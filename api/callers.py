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

from league.callers import ByAccount
from league.queries.reading import Guard
from league.services.accounts import kept_token, use_token

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest

    from league.models import Account
    from league.models.accounts import Credential

CHALLENGE: Final = 'Bearer realm="Trefoil"'


def _used(secret: str) -> Credential:
    """Return the token of a secret; raise AuthenticationFailed."""
    token = use_token(secret=secret)
    if token is None:
        raise AuthenticationFailed("The token is not known here, has expired, or was revoked.")
    return token


@dataclass(frozen=True)
class ByKeptToken(ByAccount):
    """An account by a token that was used here within a minute: what it does must ask for its ``guard``."""

    token: Credential = field(kw_only=True)
    secret: str = field(kw_only=True, repr=False)

    @property
    def guard(self) -> Guard:
        return Guard(*self.token.live())

    def checked(self) -> ByAccount:
        """Return the account by the token as it is now; raise AuthenticationFailed."""
        return ByAccount(_used(self.secret).account)


class BearerAuthentication(BaseAuthentication):
    """Knows the caller by ``Authorization: Bearer <token>`` and leaves other schemes to other classes.

    Where the operation's own statement asks about the token, one is taken that was kept.
    """

    def authenticate(self, request: Request) -> tuple[Account, Credential | ByKeptToken] | None:
        scheme, _, secret = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        secret = secret.strip()
        operation: Any = getattr(request.parser_context["view"], "operation", None)
        kept = kept_token(secret) if operation and operation.asks_token else None
        if kept and (not operation.scopes or kept.account.has_scope(*operation.scopes)):
            return kept.account, ByKeptToken(kept.account, token=kept, secret=secret)
        token = _used(secret)
        return token.account, token

    def authenticate_header(self, request: Request) -> str:
        sent = request.META.get("HTTP_AUTHORIZATION", "").lower().startswith("bearer")
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

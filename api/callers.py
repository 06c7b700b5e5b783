"""Who calls: the account behind a token or a session, and how far the token reaches."""

from typing import Final

from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from api.errors import InsufficientScope
from league.models import Account, Token

# With either, a token may see what its account sees at a table: who plays must look.
SEEING: Final = (Token.Scope.READ, Token.Scope.PLAY)


def caller(request: Request, scopes: tuple[str, ...]) -> Account:
    """Return the account that calls, with one of the scopes; raises NotAuthenticated, InsufficientScope.

    A session stands for the person and reaches everywhere.
    """
    if not isinstance(request.user, Account):
        raise NotAuthenticated
    if not reaches(request, scopes):
        raise InsufficientScope(scopes)
    return request.user


def viewer(request: Request) -> Account | None:
    """Return the account whose secrets the answer may show, or None for a spectator."""
    return request.user if isinstance(request.user, Account) and reaches(request, SEEING) else None


def reaches(request: Request, scopes: tuple[str, ...]) -> bool:
    """Return whether what was sent has one of the scopes."""
    return not isinstance(request.auth, Token) or not {*scopes}.isdisjoint(request.auth.scopes)

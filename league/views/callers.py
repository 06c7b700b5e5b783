"""Who asks for a page."""

from typing import cast

from django.http import HttpRequest

from league.models import Account


def caller(request: HttpRequest) -> Account:
    """Return the account that is logged in, on a page that nobody else reaches."""
    return cast(Account, request.user)


def spectator_or_account(request: HttpRequest) -> Account | None:
    """Return the account that is logged in, or None for a passer-by."""
    return request.user if isinstance(request.user, Account) else None

"""Bearer tokens (RFC 6750)."""

from typing import Final

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from league import services
from league.models import Account, Token

CHALLENGE: Final = 'Bearer realm="Trefoil"'


class BearerAuthentication(BaseAuthentication):
    """Knows the caller by ``Authorization: Bearer <token>``; other schemes are somebody else's."""

    def authenticate(self, request: Request) -> tuple[Account, Token] | None:
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        token = services.use_token(secret=secret.strip())
        if token is None:
            raise AuthenticationFailed("The token is not known here, or was revoked.")
        return token.account, token

    def authenticate_header(self, request: Request) -> str:
        sent = request.headers.get("Authorization", "").lower().startswith("bearer")
        return f'{CHALLENGE}, error="invalid_token"' if sent else CHALLENGE

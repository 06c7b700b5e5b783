"""The tokens of the caller's account."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api import bodies
from api.serializers.tokens import TokenSerializer, TokenWithSecretSerializer
from api.views.base import Operation, Resource, created_or_found
from games.engine.messages import text
from league.queries.accounts import tokens_of
from league.requests import has_proved
from league.services.accounts import create_token, revoke_token

if TYPE_CHECKING:
    from league.models import Token


class Tokens(Resource, ListAPIView["Token"]):
    """The caller's tokens, the newest first."""

    serializer_class = TokenSerializer
    filter_backends = ()
    operations = {
        "GET": Operation(scopes=("read:account",)),
        "POST": Operation(body=bodies.NewToken, needs="person"),
    }

    def get_queryset(self) -> QuerySet[Token]:
        return tokens_of(self.account())

    @extend_schema(responses={201: TokenWithSecretSerializer})
    def post(self, request: Request) -> Response:
        """Create a token. Only this response shows its secret. Needs a web session that has just begun."""
        body: bodies.NewToken = self.body()
        if not has_proved(request._request):
            raise PermissionDenied(text("Log in again with your password or a passkey, and try again."))
        made = create_token(by=self.account(), name=body.name, scopes=body.scopes, days=body.days)
        location = reverse("api:token", args=[made.token.pk])
        return created_or_found(TokenWithSecretSerializer(made).data, created=True, location=location)


class TokenDetail(Resource):
    """One of the caller's tokens."""

    operations = {
        "GET": Operation(scopes=("read:account",)),
        "DELETE": Operation(needs="account", refuses=("not_allowed",)),
    }

    @extend_schema(responses=TokenSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """A token of the caller's, without its secret."""
        return Response(TokenSerializer(tokens_of(self.account()).get(pk=id)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Revoke a token for good. A token can revoke itself; otherwise the web session is needed."""
        account = self.account()
        token = tokens_of(account).get(pk=id)
        revoke_token(by=account, token=token)
        return Response(status=status.HTTP_204_NO_CONTENT)

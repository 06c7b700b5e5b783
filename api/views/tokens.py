"""An account's own tokens."""

from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api import bodies
from api.serializers.tokens import MadeTokenSerializer, TokenSerializer
from api.views.base import Operation, Resource
from league import services
from league.models import Account, Token

SESSION_ONLY = "Only a person who is logged in may do this: a stolen token must not make or end others."


class Tokens(Resource, ListAPIView[Token]):
    """The caller's tokens, the newest first."""

    serializer_class = TokenSerializer
    filter_backends = ()
    operations = {
        "GET": Operation(scopes=("read",)),
        "POST": Operation(body=bodies.NewToken, scopes=("read", "play", "organise")),
    }

    def get_queryset(self) -> QuerySet[Token]:
        return Token.objects.filter(account=self.caller())

    @extend_schema(responses={201: MadeTokenSerializer})
    def post(self, request: Request) -> Response:
        """Make a token; its secret is told in this answer and never again. Needs the web session."""
        body: bodies.NewToken = self.body()
        made = services.create_token(by=self._person(), name=body.name, scopes=body.scopes)
        return Response(MadeTokenSerializer(made).data, status=status.HTTP_201_CREATED)

    def _person(self) -> Account:
        if self.request.auth is not None:
            raise PermissionDenied(SESSION_ONLY)
        return self.caller()


class TokenDetail(Resource):
    """One of the caller's tokens."""

    operations = {"DELETE": Operation(scopes=("read", "play", "organise"))}

    @extend_schema(responses={204: None})
    def delete(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Revoke a token for good. A token may revoke itself; others need the web session."""
        account = self.caller()
        token = Token.objects.get(pk=id, account=account)
        if request.auth not in (None, token):
            raise PermissionDenied(SESSION_ONLY)
        services.revoke_token(by=account, token=token)
        return Response(status=status.HTTP_204_NO_CONTENT)

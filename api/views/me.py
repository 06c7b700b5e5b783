"""The caller of the API, with the tokens of its account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast
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
from api.serializers.people import (
    MembershipSerializer,
    MeSerializer,
    TokenSerializer,
    TokenWithSecretSerializer,
)
from api.views.base import Operation, Resource, created_or_found
from games.engine.messages import text
from league.queries import permissions
from league.queries.accounts import own_club, own_clubs, tokens_of
from league.queries.clubs import club_at
from league.queries.games import games_awaiting
from league.requests import has_proved
from league.services.accounts import create_token, declare_bot, revoke_token
from league.services.casual_games import choose_to_be_asked
from league.services.players import choose_privacy, renew_calendar

if TYPE_CHECKING:
    from league.models import Account, Club, Token
    from league.models.accounts import Credential


# ---- Me ------------------------------------------------------------------------------------------


class Me(Resource):
    """The caller's account, clubs and players."""

    operations = {"GET": Operation(needs="account")}

    @extend_schema(responses=MeSerializer)
    def get(self, request: Request) -> Response:
        """Who the caller is, its scopes, its clubs with its players, and how many games wait for it."""
        return Response(_shown(request, self.account()))


def _shown(request: Request, account: Account) -> Any:
    token = cast("Credential | None", request.auth)
    shown = {
        "account": account,
        "scopes": list(token.scopes) if token else None,
        "clubs": own_clubs(account),
        "awaited": games_awaiting(account).count(),
    }
    return MeSerializer(shown, context={"request": request}).data


def _membership(request: Request, account: Account, club: Club) -> Any:
    return MembershipSerializer(own_club(account, club), context={"request": request}).data


class MyBot(Resource):
    """Whether the caller's account is a bot's."""

    operations = {
        "PUT": Operation(body=bodies.Nothing, needs="account", scopes=("play:enter",), refuses=("illegal",))
    }

    @extend_schema(responses=MeSerializer)
    def put(self, request: Request) -> Response:
        """Say, once and for good, that a program plays by itself with this account.

        It is refused for an account that has played already. The account's players are marked wherever they
        are named, and play where their clubs let bots play.
        """
        self.body()
        return Response(_shown(request, declare_bot(by=self.account())))


class MyPrivacy(Resource):
    """What the caller's player in a club lets others see."""

    operations = {"PUT": Operation(body=bodies.Privacy, needs="person")}

    @extend_schema(responses=MembershipSerializer)
    def put(self, request: Request, slug: str) -> Response:
        """Choose who sees the player's results and ratings. Needs the web session."""
        body: bodies.Privacy = self.body()
        account, club = self.account(), club_at(slug)
        player = permissions.require_player(club.pk, account)
        chosen = {"audience": body.audience, "findable": body.findable, "names": body.names}
        choose_privacy(by=account, player=player, **chosen)
        return Response(_membership(request, account, club))


class MyCalendar(Resource):
    """The secret calendar of the caller's player in a club."""

    operations = {"POST": Operation(body=bodies.Nothing, needs="person")}

    @extend_schema(responses=MembershipSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Give the calendar another address; the one before it ends. Needs the web session."""
        self.body()
        account, club = self.account(), club_at(slug)
        renew_calendar(by=account, player=permissions.require_player(club.pk, account))
        return Response(_membership(request, account, club))


class MyClub(Resource):
    """The caller's own choices in a club."""

    operations = {"PUT": Operation(body=bodies.MyChoices, scopes=("play:enter",))}

    @extend_schema(responses=MembershipSerializer)
    def put(self, request: Request, slug: str) -> Response:
        """Choose whether games that other members open wait for the caller's answer."""
        body: bodies.MyChoices = self.body()
        account, club = self.account(), club_at(slug)
        choose_to_be_asked(by=account, club=club, asked=body.asks)
        return Response(_membership(request, account, club))


# ---- Tokens --------------------------------------------------------------------------------------


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

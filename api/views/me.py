"""The caller: who it is, its clubs and players, and what waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import bodies
from api.serializers.me import MembershipSerializer, MeSerializer
from api.views.base import Operation, Resource
from league.queries import permissions
from league.queries.accounts import own_club, own_clubs
from league.queries.clubs import club_at
from league.queries.invited_games import games_awaiting
from league.services.accounts import declare_bot
from league.services.casual_games import choose_to_be_asked
from league.services.privacy import choose_privacy, renew_calendar

if TYPE_CHECKING:
    from league.models import Account, Club
    from league.models.accounts import Credential


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
        choose_privacy(by=account, player=player, audience=body.audience, findable=body.findable)
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

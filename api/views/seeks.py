"""Seeks: who looks for players for a casual game, and who joins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api import bodies
from api.filters import SeekFilter
from api.serializers.seeks import SeatLinkSerializer, SeekSerializer
from api.views.base import Operation, Resource, club_named, created_or_found
from league.queries.links import token_to_seat
from league.queries.permissions import SEES_SEEKS
from league.queries.seeks import all_seeks, own_seek, seeks_of
from league.services.seeks import (
    create_seek,
    invite_to_seek,
    join_seek,
    withdraw_seat_link,
    withdraw_seek,
)

if TYPE_CHECKING:
    from league.models import Account, Seek, SeekInvitation


def _shown(account: Account, seek: UUID) -> Response:
    return Response(SeekSerializer(seeks_of(account).get(pk=seek)).data)


class Seeks(Resource, ListAPIView["Seek"]):
    """The seeks of the caller's clubs, by default the open ones, the oldest first."""

    serializer_class = SeekSerializer
    filterset_class = SeekFilter
    queryset = all_seeks().none()
    operations = {
        "GET": Operation(scopes=SEES_SEEKS),
        "POST": Operation(body=bodies.NewSeek, scopes=("play:enter",), refuses=("illegal",), makes=True),
    }

    def get_queryset(self) -> QuerySet[Seek]:
        return seeks_of(self.account())

    @extend_schema(
        responses={
            201: SeekSerializer,
            200: OpenApiResponse(SeekSerializer, "Created by an earlier request."),
        }
    )
    def post(self, request: Request) -> Response:
        """Look for players for a casual game of a club that the caller plays in.

        The game begins at once when the last seat is taken: who joins agrees to it. Until then everybody can
        withdraw. To ask certain players, open the game: they are invited to it.
        """
        body: bodies.NewSeek = self.body()
        account = self.account()
        made = self.once(
            account,
            lambda: create_seek(
                by=account,
                club=club_named(body.club),
                ruleset=body.ruleset,
                seats=body.seats,
                options=body.options,
                clock=body.clock,
                minutes=body.minutes,
                private=body.private,
            ),
        )
        shown = SeekSerializer(seeks_of(account).get(pk=made.id)).data
        location = reverse("api:seek", args=[made.id])
        return created_or_found(shown, created=made.created, location=location)


class SeekDetail(Resource):
    """One seek of the caller's clubs, also when it is closed."""

    operations = {"GET": Operation(scopes=SEES_SEEKS)}

    @extend_schema(responses=SeekSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        return _shown(self.account(), id)


class JoinSeek(Resource):
    """Join a seek; the game begins when its seats are taken."""

    operations = {"POST": Operation(body=bodies.Nothing, scopes=("play:enter",), refuses=("illegal",))}

    @extend_schema(responses=SeekSerializer)
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Join as the caller's player in the club; joining again changes nothing.

        `game` of the answer is set where the game has begun.
        """
        self.body()
        account = self.account()
        seek = seeks_of(account).get(pk=id)
        join_seek(by=account, seek_id=seek.pk)
        return _shown(account, id)


class WithdrawSeek(Resource):
    """Withdraw one's own seek, or leave another's."""

    operations = {"POST": Operation(body=bodies.Nothing, scopes=("play:enter",), refuses=("illegal",))}

    @extend_schema(responses=SeekSerializer)
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Withdraw from a seek that has not begun; it is closed if it is the caller's own."""
        self.body()
        account = self.account()
        seek = seeks_of(account).get(pk=id)
        withdraw_seek(by=account, seek_id=seek.pk)
        return _shown(account, id)


class SeatLinks(Resource):
    """The links to the seats of one's own seek."""

    operations = {
        "GET": Operation(scopes=("play:enter",)),
        "POST": Operation(body=bodies.Nothing, scopes=("play:enter",), refuses=("illegal",)),
    }

    @extend_schema(responses=SeatLinkSerializer(many=True))
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """The links of the caller's own seek, the first made first; they are not paged, for they are few."""
        links = own_seek(self.account(), id).invitations.order_by("made_at", "pk")
        return Response([_link(request, link) for link in links])

    @extend_schema(responses={201: SeatLinkSerializer})
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Make a link to an empty seat that has none without an answer."""
        self.body()
        account = self.account()
        link = invite_to_seek(by=account, seek_id=own_seek(account, id).pk)
        return Response(_link(request, link), status=status.HTTP_201_CREATED)


class SeatLinkDetail(Resource):
    """One link to a seat of one's own seek."""

    operations = {"DELETE": Operation(scopes=("play:enter",), refuses=("illegal",))}

    @extend_schema(responses={204: None})
    def delete(self, request: Request, id: UUID, link: UUID) -> Response:  # noqa: A002 - the name in the address
        """Withdraw a link that has no answer; it leads nowhere from then on."""
        account = self.account()
        withdraw_seat_link(by=account, seek_id=own_seek(account, id).pk, invitation_id=link)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _link(request: Request, link: SeekInvitation) -> Any:
    address = reverse("seat_invitation", args=[link.pk, token_to_seat(link)])
    url = request.build_absolute_uri(address) if link.accepted is None else None
    shown = {"id": link.pk, "url": url, "accepted": link.accepted, "made_at": link.made_at}
    return SeatLinkSerializer(shown).data

"""Clubs and the people who play in them."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api import bodies, records
from api.filters import PlayerFilter
from api.serializers.league import ClubSerializer, PlayerSerializer
from api.serializers.players import PlayerRecordSerializer
from api.views.base import Operation, Resource
from league import selectors, services
from league.models import Club, Player


class Clubs(Resource, ListAPIView[Club]):
    """Clubs by name."""

    serializer_class = ClubSerializer
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Club]:
        return selectors.clubs()


class ClubDetail(Resource):
    """One club."""

    @extend_schema(responses=ClubSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return Response(ClubSerializer(selectors.clubs().get(slug=slug)).data)


class Players(Resource, ListAPIView[Player]):
    """A club's players by name."""

    queryset = Player.objects.none()
    serializer_class = PlayerSerializer
    filterset_class = PlayerFilter
    operations = {"POST": Operation(body=bodies.NewPlayer, scopes=("organise",))}

    def get_queryset(self) -> QuerySet[Player]:
        return selectors.players_of(self.club()).select_related("club")

    def club(self) -> Club:
        """Return the club of the address; raises Club.DoesNotExist."""
        return selectors.clubs().get(slug=self.kwargs["slug"])

    @extend_schema(responses={201: PlayerSerializer})
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Add a player to the club."""
        body: bodies.NewPlayer = self.body()
        made = services.create_player(by=self.caller(), club=self.club(), name=body.name)
        return Response(PlayerSerializer(made).data, status=status.HTTP_201_CREATED)


class PlayerDetail(Resource):
    """One player: the latest results, and how they fared against each opponent."""

    @extend_schema(responses=PlayerRecordSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        player = Player.objects.select_related("club").get(pk=id)
        return Response(PlayerRecordSerializer(records.of(player)).data)

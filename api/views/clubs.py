"""Clubs and the people who play in them."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api import bodies
from api.filters import PlayerFilter
from api.params import RULESET
from api.serializers.league import ClubSerializer, PlayerSerializer
from api.serializers.players import GameRatingSerializer, PlayerRecordSerializer, RatedSerializer
from api.views.base import Operation, Resource, status_of
from league import records, selectors, services
from league.models import Club, GameRating, Player, Rating


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
    operations = {"POST": Operation(body=bodies.NewPlayer, scopes=("organise",), makes=True)}

    def get_queryset(self) -> QuerySet[Player]:
        return selectors.players_of(self.club()).select_related("club")

    def club(self) -> Club:
        """Return the club of the address; raises Club.DoesNotExist."""
        return selectors.clubs().get(slug=self.kwargs["slug"])

    @extend_schema(responses={201: PlayerSerializer, 200: OpenApiResponse(PlayerSerializer, "Made before.")})
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Add a player to the club."""
        body: bodies.NewPlayer = self.body()
        account, club = self.caller(), self.club()
        made = self.once(account, lambda: services.create_player(by=account, club=club, name=body.name))
        player = Player.objects.select_related("club").get(pk=made.id)
        return Response(PlayerSerializer(player).data, status=status_of(made))


class PlayerDetail(Resource):
    """One player: the latest results, how they fared against each opponent, and ratings over time."""

    @extend_schema(responses=PlayerRecordSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        player = Player.objects.select_related("club").get(pk=id)
        return Response(PlayerRecordSerializer(records.of(player)).data)


# ---- Ratings -------------------------------------------------------------------------------------


class RatingList(Resource, ListAPIView[Rating]):
    """A club's rating list for a game: whose skill is surest to be high, first."""

    serializer_class = RatedSerializer
    filter_backends = ()
    operations = {"GET": Operation(refuses=("malformed",))}

    def get_queryset(self) -> QuerySet[Rating]:
        club = selectors.clubs().get(slug=self.kwargs["slug"])
        return selectors.rating_list(club, RULESET.read(self.request))

    @extend_schema(parameters=[RULESET.parameter()])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)


class RatingHistory(Resource, ListAPIView[GameRating]):
    """What each rated game did to a player's rating, the last first."""

    serializer_class = GameRatingSerializer
    filter_backends = ()
    operations = {"GET": Operation(refuses=("malformed",))}

    def get_queryset(self) -> QuerySet[GameRating]:
        player = Player.objects.get(pk=self.kwargs["id"])
        return selectors.rating_history(player.pk, RULESET.read(self.request))

    @extend_schema(parameters=[RULESET.parameter()])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

"""Clubs, their players and their ratings; calendars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import get_language, override
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api import bodies
from api.answers import CalendarRenderer, OneFormat
from api.callers import account_of
from api.lists import Lists, PlayerFilter
from api.requests import LANGUAGE, RULESET, SEARCH
from api.serializers.people import (
    ClubSerializer,
    GameRatingSerializer,
    PlayerRecordSerializer,
    PlayerSerializer,
    RatedPlayerSerializer,
)
from api.views.base import BelowCompetition, Operation, Resource, answers_made, created_or_found
from league.files import calendars
from league.files.file import File, as_answer
from league.queries import records
from league.queries.clubs import all_clubs, all_players, club_at, player_now, players_shown
from league.queries.permissions import findable_players, record_of
from league.queries.records import rating_history, ratings_shown
from league.services.players import create_player

if TYPE_CHECKING:
    from league.models import Club, GameRating, Player, Rating


class Clubs(Resource, ListAPIView["Club"]):
    """Clubs by name."""

    serializer_class = ClubSerializer
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Club]:
        return all_clubs()


class ClubDetail(Resource):
    """One club."""

    @extend_schema(responses=ClubSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return Response(ClubSerializer(club_at(slug)).data)


class Players(Resource, ListAPIView["Player"]):
    """A club's players by name."""

    queryset = all_players().none()
    serializer_class = PlayerSerializer
    filterset_class = PlayerFilter
    pagination_class = Lists
    operations = {"POST": Operation(body=bodies.NewPlayer, scopes=("club:organise",), makes=True)}

    def get_queryset(self) -> QuerySet[Player]:
        return players_shown(self.club(), account_of(self.request)).select_related("club")

    def club(self) -> Club:
        """Return the club of the address; raises Club.DoesNotExist."""
        return club_at(self.kwargs["slug"])

    @answers_made(PlayerSerializer)
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Add a player to the club."""
        body: bodies.NewPlayer = self.body()
        account, club = self.account(), self.club()
        made = self.once(account, lambda: create_player(by=account, club=club, name=body.name))
        player = all_players().get(pk=made.id)
        location = reverse("api:player", args=[made.id])
        return created_or_found(PlayerSerializer(player).data, created=made.created, location=location)


class PlayerSearch(Resource, ListAPIView["Player"]):
    """Active players of all clubs who agreed to be found, by name."""

    serializer_class = PlayerSerializer
    filter_backends = ()
    operations = {"GET": Operation(query=(SEARCH,))}

    def get_queryset(self) -> QuerySet[Player]:
        return findable_players(SEARCH.read(self.request))


class PlayerDetail(Resource):
    """One player: the latest results, the record against each opponent, and ratings over time."""

    @extend_schema(responses=PlayerRecordSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        player = player_now(id)
        return Response(PlayerRecordSerializer(records.of(player, account_of(request))).data)


# ---- Ratings -------------------------------------------------------------------------------------


class RatingList(Resource, ListAPIView["Rating"]):
    """A club's rating list for a game, sorted by `sure_points`."""

    serializer_class = RatedPlayerSerializer
    filter_backends = ()
    operations = {"GET": Operation(query=(RULESET,))}

    def get_queryset(self) -> QuerySet[Rating]:
        club = club_at(self.kwargs["slug"])
        return ratings_shown(club, RULESET.read(self.request), account_of(self.request))


class RatingHistory(Resource, ListAPIView["GameRating"]):
    """How each rated game changed a player's rating, the latest first."""

    serializer_class = GameRatingSerializer
    filter_backends = ()
    operations = {"GET": Operation(query=(RULESET,))}

    def get_queryset(self) -> QuerySet[GameRating]:
        player = record_of(player_now(self.kwargs["id"]), account_of(self.request))
        return rating_history(player.pk, RULESET.read(self.request))


# ---- Calendars -----------------------------------------------------------------------------------

_CALENDAR = {(200, CalendarRenderer.media_type): OpenApiTypes.STR}


class CompetitionCalendar(BelowCompetition):
    """A competition's published tables and the deadlines of its rounds (iCalendar)."""

    operations = {"GET": Operation(query=(LANGUAGE,))}
    content_negotiation_class = OneFormat
    renderer_classes = (CalendarRenderer,)

    @extend_schema(responses=_CALENDAR)
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
        competition = self.competition()
        with override(LANGUAGE.read(request, settings.LANGUAGE_CODE)):
            calendar = calendars.of_competition(competition, request.build_absolute_uri)
            return _as_file(calendar, competition.slug)


class PlayerCalendar(Resource):
    """A player's tables and their deadlines (iCalendar)."""

    operations = {"GET": Operation(query=(LANGUAGE,))}
    content_negotiation_class = OneFormat
    renderer_classes = (CalendarRenderer,)

    @extend_schema(responses=_CALENDAR)
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
        player = record_of(player_now(id), account_of(request))
        with override(LANGUAGE.read(request, settings.LANGUAGE_CODE)):
            return _as_file(calendars.of_player(player, request.build_absolute_uri), "player")


def _as_file(calendar: bytes, name: str) -> HttpResponse:
    answer = as_answer(File(calendar, f"{name}.ics"))
    answer["Content-Language"] = get_language() or settings.LANGUAGE_CODE
    return answer

"""When people are away, over the API: for themselves, and for organisers of everybody."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated
from uuid import UUID

from django.db.models import QuerySet
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api.serializers.games import PlayerReferenceSerializer
from api.views.base import Operation, Resource
from games.engine.messages import text
from games.engine.refusals import Malformed
from games.engine.shapes import Help
from league.apps.away.models import Away
from league.apps.away.queries import away_in
from league.apps.away.services import drop_away, say_away
from league.core.details import Day
from league.core.state.values import Id
from league.models import Player
from league.queries import permissions
from league.queries.clubs import club_at
from league.queries.verbs import SEES_ITS_PART


@dataclass(frozen=True)
class DaysAway:
    """When somebody is away, both days included."""

    since: Day
    until: Day
    player: Annotated[Id | None, Help("whom an organiser says it of; null: the caller’s own player")] = None


class AwaySerializer(serializers.ModelSerializer[Away]):
    """When a player is away, both days included; never why."""

    player = PlayerReferenceSerializer()

    class Meta:
        model = Away
        fields = ("id", "player", "since", "until")
        read_only_fields = fields


class PeopleAway(Resource, ListAPIView[Away]):
    """When people are away, as far as it is not over, the next one first."""

    serializer_class = AwaySerializer
    filter_backends = ()
    operations = {
        "GET": Operation(scopes=(*SEES_ITS_PART, "club:organise")),
        "POST": Operation(body=DaysAway, scopes=("play:enter", "club:organise"), refuses=("illegal",)),
    }

    def get_queryset(self) -> QuerySet[Away]:
        return away_in(club_at(self.kwargs["slug"]), self.account())

    @extend_schema(responses=AwaySerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Say that the caller is away, or for an organiser a player of the club; again changes nothing.

        Lists of who is coming then take their answer to be no, and rounds with such a day know it.
        """
        body: DaysAway = self.body()
        account, club = self.account(), club_at(slug)
        if body.player is None:
            player = permissions.require_player(club.pk, account, "play:enter")
        else:
            player = Player.objects.get(pk=body.player, club=club, merged_into=None)
        since, until = (_day(name, getattr(body, name)) for name in ("since", "until"))
        away = say_away(by=account, player=player, since=since, until=until)
        return Response(AwaySerializer(away).data)


def _day(name: str, written: str) -> date:
    try:
        return date.fromisoformat(written)
    except ValueError:
        raise Malformed({name: [text("There is no such day.")]}) from None


class OneAway(Resource):
    """One time when somebody is away."""

    operations = {"DELETE": Operation(scopes=("play:enter", "club:organise"), refuses=("illegal",))}

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Say that the player is not away then after all."""
        drop_away(by=self.account(), away=away_in(club_at(slug), self.account()).get(pk=id).pk)
        return Response(status=204)


urlpatterns = [
    path("clubs/<slug:slug>/away/", PeopleAway.as_view(), name="people-away"),
    path("clubs/<slug:slug>/away/<uuid:id>/", OneAway.as_view(), name="person-away"),
]

"""Matches between clubs over the API: those to come, and what a club's desk reads and says of its own."""

from typing import Any, ClassVar, Final, get_args
from uuid import UUID

from django.urls import URLPattern, path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.requests import Parameter
from api.views.base import BelowCompetition, Operation, club_named
from api.views.verbs import OrganiserVerb, body_of, operations_of
from games.engine.kinds import Text
from league.apps.between import queries
from league.apps.between.services import ByClub, for_team
from league.core.details import Day
from league.core.state.values import Id
from league.core.verb import Verb
from league.core.verbs.checking import CheckResult
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.line_ups import SetLineUp
from league.core.verbs.objections import Object
from league.core.verbs.rulings import SetResult
from league.models import Competition
from league.queries.clubs import club_at
from league.queries.competitions import state_of


class BoardSerializer(serializers.Serializer[Any]):
    """A board of a match: who plays it for each team, and its result as far as there is one."""

    number = serializers.IntegerField(source="board.number")
    table = serializers.UUIDField(source="board.table.id")
    home = serializers.CharField(help_text="the player of the team at home; of the club as it calls its own")
    away = serializers.CharField()
    home_seat = serializers.IntegerField(
        source="board.home_seat", help_text="the seat of the team at home in `rule`: 0 or 1"
    )
    scores = serializers.ListField(
        source="board.scores", child=serializers.IntegerField(), allow_null=True, help_text="home and away"
    )
    points = serializers.ListField(
        source="board.points", child=serializers.CharField(), allow_null=True, help_text="board points"
    )
    waiting = serializers.IntegerField(
        source="board.waiting.seq",
        allow_null=True,
        default=None,
        help_text="the result that nobody has confirmed, as `check-result` names it",
    )
    own = serializers.BooleanField(help_text="the club entered that result: the other one confirms it")


class TeamSerializer(serializers.Serializer[Any]):
    """A team of a match, by the id and the name of its entry."""

    id = serializers.UUIDField()
    name = serializers.CharField()


class TeamMatchSerializer(serializers.Serializer[Any]):
    """A match of two teams on boards."""

    stage = serializers.IntegerField()
    round = serializers.IntegerField()
    home = TeamSerializer()
    away = TeamSerializer()
    points = serializers.ListField(child=serializers.CharField(), help_text="board points so far")
    decided = serializers.BooleanField()
    boards = BoardSerializer(many=True)


class FixtureSerializer(serializers.Serializer[Any]):
    """A match of a round to come."""

    stage = serializers.IntegerField()
    round = serializers.IntegerField()
    day = serializers.DateField(allow_null=True, help_text="where the organisers have set it")
    home = TeamSerializer()
    away = TeamSerializer()


_DAY: Final = Text(0, 0, get_args(Day)[1])
CLUB: Final = Parameter("club", "Only matches of teams of a club, by its address.", Text(1, 100))
TEAM: Final = Parameter(
    "team", "Only matches of the team whose entry has this id.", Text(0, 0, get_args(Id)[1])
)
SINCE: Final = Parameter("since", "Only matches on this day or later.", _DAY)
UNTIL: Final = Parameter("until", "Only matches on this day or earlier.", _DAY)


class Fixtures(BelowCompetition):
    """The matches of the rounds to come where all teams on boards meet. The list is not paged."""

    operations: ClassVar = {"GET": Operation(query=(CLUB, TEAM, SINCE, UNTIL))}

    @extend_schema(responses=FixtureSerializer(many=True))
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """In their order. Whoever asks for days gets no match without one."""
        club, team = CLUB.read(request), TEAM.read(request)
        since, until = SINCE.read(request, ""), UNTIL.read(request, "")
        found = queries.fixtures(state_of(self.competition()), club_named(club) if club else None)
        shown = [
            each
            for each in found
            if (not team or team in each.of)
            and (not (since or until) or (each.day and since <= str(each.day) <= (until or str(each.day))))
        ]
        return Response(FixtureSerializer(shown, many=True).data)


class OwnMatches(BelowCompetition):
    """The matches of a club's teams, those of the newest round first. The list is not paged."""

    operations: ClassVar = {"GET": Operation(scopes=("club:organise", "club:rule"))}

    @extend_schema(responses=TeamMatchSerializer(many=True))
    def get(self, request: Request, id: UUID, slug: str) -> Response:  # noqa: A002 - the name in the address
        """For organisers of a club that takes part."""
        competition, club, by = self.competition(), club_at(slug), self.account()
        queries.require_desk(by, competition.pk, club.pk, *self.operation.scopes)
        state = state_of(competition)
        matches = queries.told(competition, state, club)
        for row in (row for match in matches for row in match["boards"]):
            row["own"] = queries.entered_by(state, row["board"], club)
        return Response(TeamMatchSerializer(matches, many=True).data)


class ByDesk(OrganiserVerb):
    """A verb that the desk of a club carries out for its own teams."""

    def acting(self) -> ByClub:
        return ByClub(self.account(), club_at(self.kwargs["slug"]))


class OfTeam(ByDesk):
    """A verb of a club for its team, whose `players` are the club's own, by their ids there."""

    def performed(self, verb: Verb, seq: int | None) -> tuple[Competition, bool]:
        assert isinstance(verb, EnterPlayers | SetLineUp)
        by, club = self.account(), club_at(self.kwargs["slug"])
        done = for_team(by=by, club=club, competition=self.competition(), verb=verb, seq=seq)
        return done.competition, done.created


def _of(verb: type[Verb]) -> URLPattern:
    desk = OfTeam if issubclass(verb, EnterPlayers | SetLineUp) else ByDesk
    view = desk.as_view(verb=verb, operations=operations_of(verb, body_of(verb), verb.scope))
    return path(f"{_DESK}{verb.key}/", view, name=f"between-{verb.key}")


_DESK = "competitions/<uuid:id>/clubs/<slug:slug>/"
urlpatterns = [
    path("competitions/<uuid:id>/fixtures/", Fixtures.as_view(), name="fixtures"),
    path(f"{_DESK}matches/", OwnMatches.as_view(), name="between-matches"),
    *map(_of, (EnterPlayers, SetLineUp, SetResult, CheckResult, Object)),
]

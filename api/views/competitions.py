"""Competitions and everything below one, as their logs have it."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpResponse, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api import bodies
from api.filters import CompetitionFilter
from api.negotiation import OneFormat
from api.pagination import Entries, StandingsPages
from api.params import AFTER, ROUND, STAGE
from api.renderers import JSONLinesRenderer
from api.serializers.league import (
    CompetitionSerializer,
    CrossTablesSerializer,
    DoubleBookingSerializer,
    EntrySerializer,
    EventSerializer,
    FormatSerializer,
    PresetSerializer,
    RoundSerializer,
    StageSerializer,
    StandingSerializer,
    TableSerializer,
)
from api.views.base import Operation, Resource, status_of
from api.views.games import Games, club_named
from games import rules
from games.engine import shapes
from league import bookings, exporting, formats, log, permissions, readings, selectors, services
from league.formats.presets import PRESETS
from league.models import Account, ClubGame, Competition, Entry, Event, Round, Stage, Standing, Table


class Competitions(Resource, ListAPIView[Competition]):
    """Competitions, those that run first, then the last opened first."""

    serializer_class = CompetitionSerializer
    filterset_class = CompetitionFilter
    operations = {
        "POST": Operation(body=bodies.NewCompetition, scopes=("organise",), refuses=("illegal",), makes=True)
    }

    def get_queryset(self) -> QuerySet[Competition]:
        return selectors.competitions()

    @extend_schema(
        responses={201: CompetitionSerializer, 200: OpenApiResponse(CompetitionSerializer, "Made before.")}
    )
    def post(self, request: Request) -> Response:
        """Open a competition of a club: everything about it is fixed from here on."""
        body: bodies.NewCompetition = self.body()
        account = self.caller()
        made = self.once(account, lambda: _opened(body, account))
        competition = selectors.competitions().get(pk=made.id)
        return Response(CompetitionSerializer(competition).data, status=status_of(made))


def _opened(body: bodies.NewCompetition, account: Account) -> Competition:
    return services.open_competition(
        by=account,
        club=club_named(body.club),
        name=body.name,
        ruleset=body.ruleset,
        options=body.options or {},
        slug=body.slug,
        team_size=body.team_size,
        clock=body.clock,
        overdue=body.overdue,
        **_announced(body),
    )


def _announced(body: bodies.NewCompetition) -> dict[str, Any]:
    """Return stages, pace, line-up and entering: those of the body, else the preset's."""
    given = {
        "stages": body.stages,
        "pace": body.pace,
        "lineup": body.lineup,
        "entering": shapes.write(body.entering) if body.entering else None,
    }
    announced = {"stages": (), **_preset(body)}
    return announced | {name: value for name, value in given.items() if value}


def _preset(body: bodies.NewCompetition) -> Mapping[str, Any]:
    """Return what the preset says, at tables of the game; an unknown game is refused when it is opened."""
    if not body.preset:
        return {}
    ruleset = rules.NEWEST.get(body.ruleset.partition("@")[0])
    preset = PRESETS[body.preset]
    return (preset.for_tables(ruleset.seats) if ruleset else preset).announced()


class Presets(Resource):
    """Good competitions in one line each, as `preset` of a new competition."""

    @extend_schema(responses=PresetSerializer(many=True))
    def get(self, request: Request) -> Response:
        return Response(PresetSerializer(PRESETS.values(), many=True).data)


class Formats(Resource):
    """The formats that a stage can have; `params` is the JSON Schema of what only that format asks."""

    @extend_schema(responses=FormatSerializer(many=True))
    def get(self, request: Request) -> Response:
        return Response(FormatSerializer(formats.FORMATS, many=True).data)


class BelowCompetition(Resource):
    """What lies below a competition."""

    def competition(self) -> Competition:
        """Return the competition of the address; raises Competition.DoesNotExist."""
        return selectors.competitions().get(pk=self.kwargs["id"])


class CompetitionDetail(BelowCompetition):
    """One competition."""

    @extend_schema(responses=CompetitionSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        return Response(CompetitionSerializer(self.competition()).data)


class Entered(BelowCompetition, ListAPIView[Entry]):
    """Who takes part, in the order of entering."""

    serializer_class = EntrySerializer
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Entry]:
        return selectors.entries_of(self.competition())


class Stages(BelowCompetition, ListAPIView[Stage]):
    """The stages in order."""

    serializer_class = StageSerializer
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Stage]:
        return selectors.stages_of(self.competition())


class Rounds(BelowCompetition, ListAPIView[Round]):
    """The rounds, the last first; organisers of the club see one that is drawn before it is published."""

    serializer_class = RoundSerializer
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Round]:
        competition = self.competition()
        return selectors.rounds_of(competition, drawn=directs(self.request, competition))


class Tables(BelowCompetition, ListAPIView[Table]):
    """The tables, those of the last round first; drawn ones for organisers of the club alone."""

    serializer_class = TableSerializer
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Table]:
        competition = self.competition()
        return selectors.tables_of_competition(competition, drawn=directs(self.request, competition))


def directs(request: Request, competition: Competition) -> bool:
    """Return whether an organiser of the competition's club asks."""
    return isinstance(request.user, Account) and permissions.is_organiser(competition.club_id, request.user)


class DoubleBookings(BelowCompetition):
    """Who is to sit at a table here and at one of another competition at once; for organisers of the club."""

    operations = {"GET": Operation(scopes=("organise",))}

    @extend_schema(responses=DoubleBookingSerializer(many=True))
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        competition = self.competition()
        permissions.require_organiser(competition.club_id, self.caller())
        return Response(DoubleBookingSerializer(bookings.double_bookings(competition), many=True).data)


class CompetitionGames(BelowCompetition, Games):
    """The games of the competition's tables, the last opened first."""

    queryset = ClubGame.objects.none()
    operations = {}
    http_method_names = ["get", "head", "options"]

    def get_queryset(self) -> QuerySet[ClubGame]:
        return super().get_queryset().filter(competition=self.competition())


# ---- Standings -----------------------------------------------------------------------------------


class OfStage(BelowCompetition):
    """The standings of a stage: so far, or as they were after a round."""

    operations = {"GET": Operation(refuses=("malformed",))}

    def stage_and_round(self) -> tuple[Stage, int | None]:
        """Return what ``?stage=&round=`` name: the last stage begun, and no round, where they don't."""
        self.of = self.competition()
        number = STAGE.read(self.request, max(1, self.of.stage))
        stage = selectors.stages_of(self.of).filter(number=number).first()
        if stage is None:
            raise Http404
        return stage, ROUND.read(self.request, 0) or None

    def rows(self) -> QuerySet[Standing]:
        """Return the rows of the stage, so far or after the round."""
        stage, after = self.stage_and_round()
        return selectors.standings_of(stage, after=after)


PARAMETERS = [STAGE.parameter(), ROUND.parameter()]


class Standings(OfStage, ListAPIView[Standing]):
    """The standings of a stage, group by group, best first; `as_of` is the log entry they reach up to."""

    serializer_class = StandingSerializer
    pagination_class = StandingsPages
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Standing]:
        return self.rows()

    @extend_schema(parameters=PARAMETERS)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        answer = super().get(request, *args, **kwargs)
        answer.data["as_of"] = selectors.standings_as_of(self.of)
        return answer


class StandingsJSON(OfStage):
    """The standings of a stage in one piece."""

    @extend_schema(parameters=PARAMETERS, responses=StandingSerializer(many=True))
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        return Response(StandingSerializer(self.rows(), many=True).data)


class CrossTable(BelowCompetition):
    """How everybody did against everybody, group by group."""

    operations = {"GET": Operation(refuses=("malformed",))}

    @extend_schema(parameters=[STAGE.parameter()], responses=CrossTablesSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        competition = self.competition()
        stage = STAGE.read(request, max(1, competition.stage))
        if stage > competition.stage:
            raise Http404
        groups = [
            {"group": number, "rows": rows}
            for number, rows in enumerate(readings.cross_tables_of(competition, stage), 1)
        ]
        told = {"stage": stage, "as_of": competition.seq, "groups": groups}
        return Response(CrossTablesSerializer(told).data)


# ---- The log -------------------------------------------------------------------------------------


class Events(BelowCompetition, ListAPIView[Event]):
    """The competition's log, entry by entry; up to a draw that is not published yet for strangers."""

    serializer_class = EventSerializer
    filter_backends = ()
    pagination_class = Entries
    operations = {"GET": Operation(refuses=("malformed",))}

    def get_queryset(self) -> QuerySet[Event]:
        competition = self.competition()
        return selectors.events_of(competition, withheld=directs(self.request, competition))

    @extend_schema(parameters=[AFTER.parameter()])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The entries after `after`, oldest first."""
        return super().get(request, *args, **kwargs)


class CompetitionLog(BelowCompetition):
    """The log as JSON Lines; up to a draw that is not published yet for strangers."""

    content_negotiation_class = OneFormat
    renderer_classes = (JSONLinesRenderer,)

    @extend_schema(responses={(200, JSONLinesRenderer.media_type): OpenApiTypes.STR})
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
        competition = self.competition()
        told = log.lines(competition, withheld=directs(request, competition))
        text = "".join(f"{line}\n" for line in told)
        answer = HttpResponse(text, content_type=JSONLinesRenderer.media_type)
        answer["Content-Disposition"] = f'inline; filename="{competition.slug}.jsonl"'
        return answer


class CompetitionExport(BelowCompetition):
    """The competition with all its games in one file, which `python -m league.verify` takes."""

    content_negotiation_class = OneFormat
    renderer_classes = (JSONLinesRenderer,)

    @extend_schema(responses={(200, JSONLinesRenderer.media_type): OpenApiTypes.STR})
    def get(self, request: Request, id: UUID) -> StreamingHttpResponse:  # noqa: A002 - the name in the address
        competition = self.competition()
        lines = (f"{line}\n" for line in exporting.lines(competition))
        answer = StreamingHttpResponse(lines, content_type=JSONLinesRenderer.media_type)
        answer["Content-Disposition"] = f'attachment; filename="{competition.slug}.trefoil.jsonl"'
        return answer

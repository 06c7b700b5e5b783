"""Competitions and everything below one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api import bodies, contract
from api.answers import JSONLinesRenderer, OneFormat
from api.lists import CompetitionFilter, Entries, Lists, StandingsPages
from api.requests import AFTER, PICTURES, ROUND, STAGE, PictureParser
from api.serializers.cross_tables import CrossTableSerializer
from api.serializers.events import EventSerializer
from api.serializers.league import (
    AwardsOfGroupSerializer,
    CompetitionSerializer,
    DetailsSerializer,
    DoubleBookingSerializer,
    EntrySerializer,
    FormatSerializer,
    PresetSerializer,
    RoundSerializer,
    StageSerializer,
    TableSerializer,
    TimetableSerializer,
)
from api.serializers.standings import StandingSerializer
from api.views.base import (
    BelowCompetition,
    Operation,
    Resource,
    answers_made,
    club_named,
    competition_data,
    created_or_found,
    directs,
    its_games,
    the_competition,
    the_release,
    the_rights,
)
from api.views.games import AWAITING, Games
from games import rules
from games.engine import shapes
from games.engine.refusals import Malformed
from league.choices import EventRole
from league.core import formats
from league.core.course import Timetable
from league.core.details import NewDetails
from league.core.presets import PRESETS
from league.files.file import File, as_answer
from league.queries import permissions, rounds, standings, verification
from league.queries.competitions import all_competitions, details_of, entries_of, stages_of, timetable_of
from league.queries.events import events_of
from league.queries.games import all_games
from league.queries.prizes import awards_of
from league.queries.rounds import rounds_of, tables_of_competition
from league.queries.standings import cross_tables_of, public_seq, standings_as_of, standings_of
from league.services.competitions import (
    change_details,
    given_by_kept,
    open_competition,
    remove_picture,
    set_picture,
    values_of,
)

if TYPE_CHECKING:
    from league.models import Account, ClubGame, Competition, Entry, Round, Stage, Table
    from league.models.events import Event
    from league.queries.standings import StandingRows


FOLLOWS: Final = Operation(follows=(the_competition,))
FOLLOWS_WITH_RIGHTS: Final = Operation(follows=(the_competition, the_rights))
_TEXT: Final[contract.Schema] = {"type": "string"}
LOG_LINE: Final = contract.named(
    "CompetitionLogEntry",
    "An entry of a competition's log as its file has it.",
    seq={"type": "integer"},
    role={"enum": [*EventRole.values]},
    account=contract.nullable(_TEXT),
    event=contract.ref(contract.EVENT),
    at={"type": "string", "format": "date-time"},
    hash=_TEXT,
)
FILE_LINE: Final = contract.component(
    "CompetitionFileLine",
    {
        "description": "A line of a competition's file (docs/log.md).",
        "anyOf": [
            contract.an_object(
                "The first line.",
                {"trefoil": {"type": "integer"}, "competition": _TEXT, "address": _TEXT, "club": _TEXT},
            ),
            contract.an_object("What it tells about itself.", {"details": contract.ref("NewDetails")}),
            contract.an_object("A player.", {"player": _TEXT, "name": _TEXT}),
            LOG_LINE,
            contract.an_object("The game of the lines that follow.", {"game": _TEXT}),
            contract.ref("GameLogLine"),
            contract.an_object("How many lines there were before.", {"lines": {"type": "integer"}}),
        ],
    },
)


class Competitions(Resource, ListAPIView["Competition"]):
    """Competitions: running ones first, then the newest first."""

    serializer_class = CompetitionSerializer
    filterset_class = CompetitionFilter
    pagination_class = Lists
    operations = {
        "POST": Operation(
            body=bodies.NewCompetition, scopes=("club:organise",), refuses=("illegal",), makes=True
        )
    }

    def get_queryset(self) -> QuerySet[Competition]:
        return all_competitions()

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "directs": partial(directs, self.request)}

    @answers_made(CompetitionSerializer)
    def post(self, request: Request) -> Response:
        """Open a competition of a club. Until the first draw `change-settings` changes some of them."""
        body: bodies.NewCompetition = self.body()
        account = self.account()
        made = self.once(account, lambda: _opened(body, account))
        competition = all_competitions().get(pk=made.id)
        return created_or_found(
            competition_data(request, competition),
            created=made.created,
            location=reverse("api:competition", args=[made.id]),
        )


def _opened(body: bodies.NewCompetition, account: Account) -> Competition:
    if body.club_preset:
        club, named = club_named(body.club), (body.ruleset, body.name, body.slug)
        return open_competition(
            by=account, club=club, **given_by_kept(account, club, body.club_preset, *named)
        )
    return open_competition(
        by=account,
        club=club_named(body.club),
        name=body.name,
        ruleset=body.ruleset,
        options=body.options or {},
        slug=body.slug,
        team_size=body.team_size,
        clock=body.clock,
        overdue=body.overdue,
        entropy=body.entropy,
        aided=body.aided,
        open_hands=body.open_hands,
        **_settings(body),
    )


def _settings(body: bodies.NewCompetition) -> dict[str, Any]:
    """Return stages, pace, line-up, entering and waits of the body, where left out those of the preset."""
    given = {
        "stages": body.stages,
        "pace": body.pace,
        "lineup": body.lineup,
        "entering": shapes.write(body.entering) if body.entering else None,
        "waits": shapes.write(body.waits) if body.waits else None,
    }
    defaults = {"stages": (), **_preset(body)}
    return defaults | {name: value for name, value in given.items() if value is not None and value != ()}


def _preset(body: bodies.NewCompetition) -> Mapping[str, Any]:
    """Return the preset's settings for tables of the game. The service refuses an unknown game."""
    if not body.preset:
        return {}
    preset = PRESETS[body.preset]
    try:
        ruleset = rules.of(body.ruleset.partition("@")[0], body.options)
    except (KeyError, Malformed):
        return preset.announced()
    return preset.for_game(ruleset).announced()


class Presets(Resource):
    """The presets of a new competition."""

    operations = {"GET": Operation(follows=(the_release,))}

    @extend_schema(responses=PresetSerializer(many=True))
    def get(self, request: Request) -> Response:
        return Response(PresetSerializer(PRESETS.values(), many=True).data)


class Formats(Resource):
    """The formats of a stage; `params` is the JSON Schema of the format's own parameters."""

    operations = {"GET": Operation(follows=(the_release,))}

    @extend_schema(responses=FormatSerializer(many=True))
    def get(self, request: Request) -> Response:
        return Response(FormatSerializer(formats.BY_KEY.values(), many=True).data)


class CompetitionDetail(BelowCompetition):
    """One competition."""

    operations = {"GET": FOLLOWS_WITH_RIGHTS}

    @extend_schema(responses=CompetitionSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        return Response(competition_data(request, self.competition()))


class CompetitionDetails(BelowCompetition):
    """When and where a competition is, its description, contact and prizes."""

    operations = {
        "GET": FOLLOWS,
        "PUT": Operation(body=NewDetails, scopes=("club:organise",), refuses=("malformed",)),
    }

    @extend_schema(responses=DetailsSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        return Response(DetailsSerializer(details_of(self.competition())).data)

    @extend_schema(responses=DetailsSerializer)
    def put(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Replace what the competition tells; the same request again changes nothing."""
        account, told = self.account(), self.body()
        details = change_details(by=account, competition=self.competition(), values=values_of(told))
        return Response(DetailsSerializer(details).data)


class CompetitionTimetable(BelowCompetition):
    """When the rounds of an evening began and will about begin, with the break, and when it ends."""

    operations = {"GET": FOLLOWS}

    @extend_schema(responses=TimetableSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        found = timetable_of(self.competition()) or Timetable((), None)
        return Response(TimetableSerializer(found).data)


class CompetitionPicture(BelowCompetition):
    """The picture of a competition: the body is the file itself, a JPEG, PNG, WebP or GIF."""

    parser_classes = (PictureParser,)
    operations = {
        "PUT": Operation(media_types=PICTURES, scopes=("club:organise",)),
        "DELETE": Operation(scopes=("club:organise",)),
    }

    @extend_schema(responses=DetailsSerializer)
    def put(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Replace the picture; the same request again changes nothing.

        It is made smaller and re-encoded as a JPEG, without what the file says about where it was taken.
        """
        account, sent = self.account(), cast(object, request.data)
        # A request without a body has an empty mapping instead.
        data = sent if isinstance(sent, bytes) else b""
        details = set_picture(by=account, competition=self.competition(), data=data)
        return Response(DetailsSerializer(details).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Remove the picture, which is erased, with its text."""
        remove_picture(by=self.account(), competition=self.competition())
        return Response(status=status.HTTP_204_NO_CONTENT)


class Prizes(BelowCompetition):
    """The prizes of a competition, group by group, with their winners once it is finished."""

    operations = {"GET": FOLLOWS}

    @extend_schema(responses=AwardsOfGroupSerializer(many=True))
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        groups = [{"group": group, "prizes": prizes} for group, prizes in awards_of(self.competition())]
        return Response(AwardsOfGroupSerializer(groups, many=True).data)


class Entered(BelowCompetition, ListAPIView["Entry"]):
    """The entries, in the order of entering."""

    serializer_class = EntrySerializer
    filter_backends = ()
    operations = {"GET": FOLLOWS}

    def get_queryset(self) -> QuerySet[Entry]:
        return entries_of(self.competition())


class Stages(BelowCompetition, ListAPIView["Stage"]):
    """The stages in order."""

    serializer_class = StageSerializer
    filter_backends = ()
    operations = {"GET": FOLLOWS}

    def get_queryset(self) -> QuerySet[Stage]:
        return stages_of(self.competition())


class Rounds(BelowCompetition, ListAPIView["Round"]):
    """The rounds, the latest first. Only organisers of the club see unpublished ones."""

    serializer_class = RoundSerializer
    filter_backends = ()
    operations = {"GET": FOLLOWS_WITH_RIGHTS}

    def get_queryset(self) -> QuerySet[Round]:
        listed = rounds_of(of := self.competition(), drawn=directs(self.request, of))
        return listed.select_related("stage__competition")


class Tables(BelowCompetition, ListAPIView["Table"]):
    """The tables, those of the latest round first. Only organisers of the club see unpublished ones."""

    serializer_class = TableSerializer
    filter_backends = ()
    operations = {"GET": FOLLOWS_WITH_RIGHTS}

    def get_queryset(self) -> QuerySet[Table]:
        competition = self.competition()
        return tables_of_competition(competition, drawn=directs(self.request, competition))


class DoubleBookings(BelowCompetition):
    """Players with a table here and in another competition at the same time; for organisers of the club."""

    operations = {"GET": Operation(scopes=("club:organise",))}

    @extend_schema(responses=DoubleBookingSerializer(many=True))
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        competition = self.competition()
        permissions.require_organiser(competition.club_id, self.account())
        return Response(DoubleBookingSerializer(rounds.double_bookings(competition), many=True).data)


class CompetitionGames(BelowCompetition, Games):
    """The games of the competition's tables, the newest first."""

    queryset = all_games().none()
    operations = {"GET": AWAITING}
    http_method_names = ["get", "head", "options"]

    def get_queryset(self) -> QuerySet[ClubGame]:
        return super().get_queryset().filter(competition=self.competition())


# ---- Standings -----------------------------------------------------------------------------------


class OfStage(BelowCompetition):
    """The standings of a stage, now or after a round."""

    operations = {"GET": Operation(query=(STAGE, ROUND), follows=(the_competition,))}

    def stage_and_round(self) -> tuple[Stage, int | None]:
        """Return the stage and round in ``?stage=&round=``, by default the last stage begun and no round.

        Raises Http404 for a stage that there is not, or a round that is not published.
        """
        self.of = self.competition()
        number = STAGE.read(self.request, max(1, self.of.stage))
        stage = stages_of(self.of).filter(number=number).first()
        after = ROUND.read(self.request, 0) or None
        if stage is None or not (
            after is None or rounds_of(self.of).filter(stage=stage, number=after).exists()
        ):
            raise Http404
        return stage, after

    def rows(self) -> StandingRows:
        """Return the rows of the standings."""
        stage, after = self.stage_and_round()
        return standings_of(stage, after=after, plain=standings.plain_of(self.of, stage, after))


class Standings(OfStage, ListAPIView[Any]):
    """The standings of a stage, group by group, best first; `as_of` is the last event they include."""

    serializer_class = StandingSerializer
    pagination_class = StandingsPages
    filter_backends = ()

    def get_queryset(self) -> Any:
        return self.rows()

    def paginate_queryset(self, queryset: Any) -> list[Any] | None:
        self.shown = super().paginate_queryset(queryset)
        return self.shown

    def get_paginated_response(self, data: Any) -> Response:
        answer = super().get_paginated_response(data)
        answer.data["as_of"] = standings_as_of(self.of, self.shown or ())
        return answer


class StandingsJSON(OfStage):
    """The whole standings of a stage."""

    @extend_schema(responses=StandingSerializer(many=True))
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        return Response(StandingSerializer(self.rows(), many=True).data)


class CrossTable(BelowCompetition):
    """The results of all entries against each other, group by group."""

    operations = {"GET": Operation(query=(STAGE,), follows=(the_competition,))}

    @extend_schema(responses=CrossTableSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        competition = self.competition()
        stage = STAGE.read(request, max(1, competition.stage))
        if stage > competition.stage:
            raise Http404
        groups = [
            {"group": number, "rows": rows}
            for number, rows in enumerate(cross_tables_of(competition, stage), 1)
        ]
        tables = {"stage": stage, "as_of": public_seq(competition, competition.seq), "groups": groups}
        return Response(CrossTableSerializer(tables).data)


# ---- The log -------------------------------------------------------------------------------------


class Events(BelowCompetition, ListAPIView["Event"]):
    """The competition's log. Only organisers of the club see events from an unpublished draw on."""

    serializer_class = EventSerializer
    filter_backends = ()
    pagination_class = Entries
    operations = {"GET": Operation(query=(AFTER,), follows=(the_competition, the_rights))}

    def get_queryset(self) -> QuerySet[Event]:
        competition = self.competition()
        return events_of(competition, withheld=directs(self.request, competition))

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The events after `after`, oldest first."""
        return super().get(request, *args, **kwargs)


class CompetitionLog(BelowCompetition):
    """The log as JSON Lines. Only organisers of the club get events from an unpublished draw on."""

    operations = {"GET": FOLLOWS_WITH_RIGHTS}
    content_negotiation_class = OneFormat
    renderer_classes = (JSONLinesRenderer,)

    @extend_schema(responses={(200, JSONLinesRenderer.media_type): LOG_LINE})
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
        competition = verification.readable(self.competition())
        lines = verification.log_lines(competition, withheld=directs(request, competition))
        text = "".join(f"{line}\n" for line in lines)
        return as_answer(File(text.encode(), f"{competition.slug}.jsonl"))


class CompetitionExport(BelowCompetition):
    """The competition with all its games in one file, which `python3 -m league.verify` takes."""

    operations = {"GET": Operation(follows=(the_competition, its_games))}
    content_negotiation_class = OneFormat
    renderer_classes = (JSONLinesRenderer,)

    @extend_schema(responses={(200, JSONLinesRenderer.media_type): FILE_LINE})
    def get(self, request: Request, id: UUID) -> StreamingHttpResponse:  # noqa: A002 - the name in the address
        competition = verification.readable(self.competition())
        lines = (f"{line}\n" for line in verification.lines(competition))
        answer = StreamingHttpResponse(lines, content_type=JSONLinesRenderer.media_type)
        answer["Content-Disposition"] = f'attachment; filename="{competition.slug}.trefoil.jsonl"'
        return answer

"""Series over the API: their rules and evenings, tables, logs and files."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from api import contract
from api.answers import JSONLinesRenderer, OneFormat
from api.requests import Parameter
from api.views.base import Operation, Resource
from games.engine.kinds import Whole
from league.apps.series import queries
from league.apps.series.core.rule import MOST_PARTS
from league.apps.series.core.telling import AFTER_MEANS
from league.apps.series.models import Series
from league.apps.series.serializers import (
    SeriesDetailSerializer,
    SeriesSerializer,
    SeriesTableSerializer,
)
from league.files.file import File, as_answer
from league.queries import versions
from league.queries.clubs import club_at

AFTER: Final = Parameter("after", AFTER_MEANS, Whole(1, MOST_PARTS))

_TEXT: Final[contract.Schema] = {"type": "string"}
_LOG_LINE: Final = contract.component(
    "SeriesLogEntry",
    contract.an_object(
        "An entry of a series' log (docs/log.md).",
        {
            "seq": {"type": "integer"},
            "role": _TEXT,
            "account": contract.nullable(_TEXT),
            "event": {"type": "object", "properties": {"type": _TEXT}, "required": ["type"]},
            "at": {"type": "string", "format": "date-time"},
            "hash": _TEXT,
        },
    ),
)
_FILE_LINE: Final = contract.component(
    "SeriesFileLine",
    {
        "type": "object",
        "description": "A line of a series' file (docs/log.md).",
        "properties": {"trefoil": {"type": "integer"}},
        "additionalProperties": True,
    },
)


def the_series(view: Resource) -> object:
    """Follow the series of the address, and the names in it."""
    series = _series(view)
    club = series.club.slug, series.club.name
    return queries.version_of(series), queries.names_version(series), club


def its_competitions(view: Resource) -> object:
    """Follow the competitions of the series, and their games."""
    numbers = [each.row.competition_id for each in queries.evenings_of(_series(view))]
    return [(versions.of_competition(pk), versions.of_games(pk)) for pk in numbers if pk]


def _series(view: Resource) -> Series:
    return queries.all_series().get(pk=view.kwargs["id"])


_FOLLOWS: Final = Operation(follows=(the_series,))


class ClubSeries(Resource, ListAPIView["Series"]):
    """A club's series, those that are not closed first."""

    serializer_class = SeriesSerializer
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Series]:
        return queries.series_of(club_at(self.kwargs["slug"])).select_related("club")


class SeriesDetail(Resource):
    """A series with its rule, in words too, and its evenings in order."""

    operations = {"GET": _FOLLOWS}

    @extend_schema(responses=SeriesDetailSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        return Response(SeriesDetailSerializer(_series(self)).data)


class SeriesTable(Resource):
    """The table of a series, best first; those without a rank are last.

    Each row says what of each evening counts, or why not, and what the rank follows from.
    """

    operations = {"GET": Operation(follows=(the_series,), query=(AFTER,))}

    @extend_schema(responses=SeriesTableSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        series, after = _series(self), AFTER.read(request)
        if after is not None and after > len(queries.state_of(series).evenings):
            raise Http404
        counted = queries.table_of(series, until=after)
        return Response(SeriesTableSerializer(counted, context={"series": series}).data)


class SeriesLog(Resource):
    """The log of a series as JSON Lines."""

    operations = {"GET": _FOLLOWS}
    content_negotiation_class = OneFormat
    renderer_classes = (JSONLinesRenderer,)

    @extend_schema(responses={(200, JSONLinesRenderer.media_type): _LOG_LINE})
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
        series = _series(self)
        text = "".join(f"{line}\n" for line in queries.log_lines(series))
        return as_answer(File(text.encode(), f"{series.slug}.jsonl"))


class SeriesExport(Resource):
    """The series with all its competitions in one file, which `python3 -m league.verify` takes."""

    operations = {"GET": Operation(follows=(the_series, its_competitions))}
    content_negotiation_class = OneFormat
    renderer_classes = (JSONLinesRenderer,)

    @extend_schema(responses={(200, JSONLinesRenderer.media_type): _FILE_LINE})
    def get(self, request: Request, id: UUID) -> StreamingHttpResponse:  # noqa: A002 - the name in the address
        series = _series(self)
        lines = (f"{line}\n" for line in queries.lines(series))
        answer = StreamingHttpResponse(lines, content_type=JSONLinesRenderer.media_type)
        answer["Content-Disposition"] = f'attachment; filename="{series.slug}.trefoil.jsonl"'
        return answer


urlpatterns = [
    path("clubs/<slug:slug>/series/", ClubSeries.as_view(), name="series"),
    path("series/<uuid:id>/", SeriesDetail.as_view(), name="series-detail"),
    path("series/<uuid:id>/table/", SeriesTable.as_view(), name="series-table"),
    path("series/<uuid:id>/log/", SeriesLog.as_view(), name="series-log"),
    path("series/<uuid:id>/export/", SeriesExport.as_view(), name="series-export"),
]

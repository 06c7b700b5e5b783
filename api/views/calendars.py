"""Calendars of competitions and players for calendar apps."""

from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from django.utils.translation import get_language, override
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from api.callers import account_of
from api.negotiation import OneFormat
from api.params import LANGUAGE
from api.renderers import CalendarRenderer
from api.views.base import BelowCompetition, Operation, Resource
from league.files import calendars
from league.files.file import File, as_answer
from league.queries.clubs import player_now
from league.queries.privacy import record_of

RESPONSES = {(200, CalendarRenderer.media_type): OpenApiTypes.STR}


class CompetitionCalendar(BelowCompetition):
    """A competition's published tables and the deadlines of its rounds (iCalendar)."""

    operations = {"GET": Operation(query=(LANGUAGE,))}
    content_negotiation_class = OneFormat
    renderer_classes = (CalendarRenderer,)

    @extend_schema(responses=RESPONSES)
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
        competition = self.competition()
        with override(LANGUAGE.read(request, settings.LANGUAGE_CODE)):
            calendar = calendars.of_competition(competition, request.build_absolute_uri)
            return as_file(calendar, competition.slug)


class PlayerCalendar(Resource):
    """A player's tables and their deadlines (iCalendar)."""

    operations = {"GET": Operation(query=(LANGUAGE,))}
    content_negotiation_class = OneFormat
    renderer_classes = (CalendarRenderer,)

    @extend_schema(responses=RESPONSES)
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002 - the name in the address
        player = record_of(player_now(id), account_of(request))
        with override(LANGUAGE.read(request, settings.LANGUAGE_CODE)):
            return as_file(calendars.of_player(player, request.build_absolute_uri), "player")


def as_file(calendar: bytes, name: str) -> HttpResponse:
    """Return a calendar as a file."""
    answer = as_answer(File(calendar, f"{name}.ics"))
    answer["Content-Language"] = get_language() or settings.LANGUAGE_CODE
    return answer

"""The hall of a competition: the timer of the round that is played, and announcements."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal
from uuid import UUID

from django.urls import include, path, reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.views.base import BelowCompetition, Operation, created_or_found
from games.engine.messages import text
from games.engine.refusals import Malformed
from games.engine.shapes import Between, Help, Length
from league.apps.hall import services
from league.apps.hall.models import Announcement
from league.apps.hall.queries import announcements_of, hall_of, played_round, timer_of
from league.models import Competition


@dataclass(frozen=True)
class NewTimer:
    """A timer of the round that is played."""

    minutes: Annotated[int, Between(1, 24 * 60)]


@dataclass(frozen=True)
class TimerChange:
    """A change of the timer."""

    paused: Annotated[bool | None, Help("true stops it for a time, false lets it go on")] = None
    add_minutes: Annotated[int, Between(-24 * 60, 24 * 60), Help("fewer if negative")] = 0


@dataclass(frozen=True)
class NewAnnouncement:
    """An announcement for everybody."""

    text: Annotated[str, Length(1, 200)]
    to: Annotated[
        Literal["all", "round", "table", "missing"],
        Help("everybody, who plays in this round or at a table, or who has not checked in"),
    ] = "all"
    table: Annotated[str, Length(0, 64), Help("the id of the table that it is to")] = ""
    send: Annotated[bool, Help("tell them by email and in their browsers, too")] = False
    wakes: Annotated[bool, Help("at once, also in the club's quiet hours")] = False


class TimerSerializer(serializers.Serializer[Any]):
    """The timer of the round that is played; it decides nothing."""

    seconds = serializers.IntegerField(help_text="how long it lasts in all")
    left = serializers.IntegerField(help_text="seconds that are left; less than zero once the time is up")
    ends_at = serializers.DateTimeField(allow_null=True, help_text="null while it is paused")
    paused = serializers.BooleanField()
    over = serializers.BooleanField(help_text="whether the time is up")


class AnnouncementSerializer(serializers.Serializer[Any]):
    """What an organiser tells everybody until it is removed."""

    id = serializers.CharField()
    text = serializers.CharField()
    to = serializers.ChoiceField(Announcement.To.choices)
    table = serializers.CharField(allow_null=True, help_text="the id of the table that it is to")
    made_at = serializers.DateTimeField()


class HallSerializer(serializers.Serializer[Any]):
    """What the hall page shows besides seats and standings; `timer` is null where the round has none."""

    timer = TimerSerializer(allow_null=True)
    announcements = AnnouncementSerializer(many=True)


class Hall(BelowCompetition):
    """The timer of the round that is played, and the announcements, the first one first."""

    @extend_schema(responses=HallSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        return Response(_shown(self.competition()))


class HallTimer(BelowCompetition):
    """The timer of the round that is played. Only organisers of the club start and change it."""

    operations = {
        "PUT": Operation(body=NewTimer, scopes=("club:organise",), refuses=("illegal",)),
        "PATCH": Operation(body=TimerChange, scopes=("club:organise",), refuses=("illegal",)),
        "DELETE": Operation(scopes=("club:organise",)),
    }

    @extend_schema(responses=HallSerializer)
    def put(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Start the timer; one that runs starts again."""
        account, body, competition = self.account(), self.body(), self.competition()
        services.start_timer(by=account, competition=competition, minutes=body.minutes)
        return Response(_shown(competition))

    @extend_schema(responses=HallSerializer)
    def patch(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Pause the timer or let it go on, or give it more or fewer minutes."""
        account, body, competition = self.account(), self.body(), self.competition()
        if body.paused is not None:
            services.pause_timer(by=account, competition=competition, paused=body.paused)
        if body.add_minutes:
            services.add_minutes(by=account, competition=competition, minutes=body.add_minutes)
        return Response(_shown(competition))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Remove the timer; nothing changes where there is none."""
        services.remove_timer(by=self.account(), competition=self.competition())
        return Response(status=status.HTTP_204_NO_CONTENT)


def _id(written: str) -> UUID | None:
    try:
        return UUID(written) if written else None
    except ValueError:
        raise Malformed({"table": [text("This round has no such table.")]}) from None


class Announcements(BelowCompetition):
    """What organisers tell everybody in the hall and on the competition's page."""

    operations = {
        "POST": Operation(body=NewAnnouncement, scopes=("club:organise",), refuses=("illegal",)),
    }

    @extend_schema(
        responses={
            201: AnnouncementSerializer,
            200: OpenApiResponse(AnnouncementSerializer, "The same text is shown already."),
        }
    )
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Show an announcement until it is removed."""
        account, body, competition = self.account(), self.body(), self.competition()
        before = set(announcements_of(competition).values_list("pk", flat=True))
        made = services.announce(
            by=account,
            competition=competition,
            words=body.text,
            to=body.to,
            table=_id(body.table),
            send=body.send,
            wakes=body.wakes,
        )
        location = reverse("api:announcement", args=[competition.pk, made.pk])
        data = AnnouncementSerializer(made).data
        return created_or_found(data, created=made.pk not in before, location=location)


class AnnouncementDetail(BelowCompetition):
    """An announcement that is shown."""

    operations = {"DELETE": Operation(scopes=("club:organise",))}

    @extend_schema(responses=AnnouncementSerializer)
    def get(self, request: Request, announcement: UUID, **_above: UUID) -> Response:
        shown = announcements_of(self.competition()).get(pk=announcement)
        return Response(AnnouncementSerializer(shown).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, announcement: UUID, **_above: UUID) -> Response:
        """Remove an announcement; nothing changes where it was removed before."""
        services.remove_announcement(
            by=self.account(), competition=self.competition(), announcement=announcement
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


def _shown(competition: Competition) -> Any:
    timer = timer_of(hall_of(competition), played_round(competition))
    return HallSerializer({"timer": timer, "announcements": announcements_of(competition)}).data


of_competition = [
    path("", Hall.as_view(), name="hall"),
    path("timer/", HallTimer.as_view(), name="hall-timer"),
    path("announcements/", Announcements.as_view(), name="announcements"),
    path("announcements/<uuid:announcement>/", AnnouncementDetail.as_view(), name="announcement"),
]
urlpatterns = [path("competitions/<uuid:id>/hall/", include(of_competition))]

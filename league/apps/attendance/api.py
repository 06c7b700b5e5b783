"""Who is coming: the caller's own answer for an evening, and for organisers all answers."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal
from uuid import UUID

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.views.base import BelowCompetition, Operation
from games.engine.shapes import Help, Length
from league.apps.attendance.queries import answer_of, answers_of, is_open
from league.apps.attendance.serializers import AnswerSerializer, OwnAnswerSerializer
from league.apps.attendance.services import answer_myself
from league.models import Competition
from league.queries import permissions
from league.queries.verbs import SEES_ITS_PART


@dataclass(frozen=True)
class NewAnswer:
    """What the caller's player answers."""

    reply: Literal["yes", "guest", "unsure", "no"]
    wish: Annotated[
        Literal["", "partner", "fills_in"] | None, Help("what they look for or offer; null: as it is")
    ] = None
    guest: Annotated[str, Length(0, 100), Help("the name of the guest, where it is known")] = ""


class MyAnswer(BelowCompetition):
    """Whether the caller comes to an evening."""

    operations = {
        "GET": Operation(scopes=SEES_ITS_PART),
        "PUT": Operation(body=NewAnswer, scopes=("play:enter",), refuses=("illegal",)),
    }

    def _shown(self, competition: Competition) -> Response:
        player = permissions.require_player(competition.club_id, self.account(), *SEES_ITS_PART)
        answer: Any = answer_of(competition, player)
        answer.open = is_open(competition)
        return Response(OwnAnswerSerializer(answer).data)

    @extend_schema(responses=OwnAnswerSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """What the caller's player has answered; `reply` is empty where they have not."""
        return self._shown(self.competition())

    @extend_schema(responses=OwnAnswerSerializer)
    def put(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Answer, or answer otherwise, until the evening begins; the same again changes nothing.

        Refused where the organisers do not ask. Depending on what they chose, who comes is entered at once.
        """
        body: NewAnswer = self.body()
        competition = self.competition()
        answer_myself(
            by=self.account(), competition=competition, reply=body.reply, wish=body.wish, guest=body.guest
        )
        return self._shown(competition)


class Answers(BelowCompetition):
    """Who comes to an evening."""

    operations = {"GET": Operation(scopes=("club:organise",))}

    @extend_schema(responses=AnswerSerializer(many=True))
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """The club's active players with their answers, in the order of these; then who gave none, by name.

        The list is not paged.
        """
        competition = self.competition()
        permissions.require_organiser(competition.club_id, self.account())
        return Response(AnswerSerializer(answers_of(competition), many=True).data)


urlpatterns = [
    path("competitions/<uuid:id>/me/answer/", MyAnswer.as_view(), name="my-answer"),
    path("competitions/<uuid:id>/answers/", Answers.as_view(), name="answers"),
]

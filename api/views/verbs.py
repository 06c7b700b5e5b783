"""The organiser's verbs: a POST each, calling the league's service of that name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from inspect import getdoc
from typing import Any, Final
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from api import bodies
from api.serializers.league import CompetitionSerializer
from api.views.base import Operation
from api.views.competitions import BelowCompetition
from games.engine import shapes
from games.engine.refusals import Malformed
from league import services
from league.log import Appended


@dataclass(frozen=True)
class Verb:
    """A verb: what its body says, and the service that does it, with the body's fields as arguments."""

    body: type
    service: Callable[..., Appended]


VERBS: Final[Mapping[str, Verb]] = {
    "open": Verb(bodies.Bare, services.open_entries),
    "close-entries": Verb(bodies.Bare, services.close_entries),
    "enter": Verb(bodies.Enter, services.enter),
    "withdraw": Verb(bodies.Withdraw, services.withdraw),
    "substitute": Verb(bodies.Substitute, services.substitute),
    "start": Verb(bodies.Bare, services.start),
    "draw": Verb(bodies.Bare, services.draw),
    "move-seat": Verb(bodies.MoveSeat, services.move_seat),
    "publish": Verb(bodies.Publish, services.publish),
    "rule": Verb(bodies.Rule, services.rule),
    "adjust": Verb(bodies.Adjust, services.adjust),
    "void": Verb(bodies.Void, services.void),
    "close-round": Verb(bodies.CloseRound, services.close_round),
    "pause": Verb(bodies.Why, services.pause),
    "resume": Verb(bodies.Bare, services.resume),
    "cancel": Verb(bodies.Because, services.cancel),
    "finish": Verb(bodies.Bare, services.finish),
}

IDS: Final = ("entry", "out", "into", "table", "players", "swaps")


class Direct(BelowCompetition):
    """One verb. With `seq` it is written at just that place of the log, and sending it again is free."""

    verb: str = ""

    @property
    def operations(self) -> Mapping[str, Operation]:  # type: ignore[override]
        """Return the one operation that the verb is."""
        verb = VERBS[self.verb]
        about = getdoc(verb.service) or ""
        refuses = ("stale", "illegal")
        return {"POST": Operation(body=verb.body, scopes=("organise",), refuses=refuses, about=about)}

    @extend_schema(responses={201: CompetitionSerializer, 200: CompetitionSerializer})
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        given = arguments(self.body())
        service = VERBS[self.verb].service
        done = service(by=self.caller(), competition=self.competition(), **given)
        code = status.HTTP_201_CREATED if done.created else status.HTTP_200_OK
        return Response(CompetitionSerializer(self.competition()).data, status=code)


def arguments(body: Any) -> dict[str, Any]:
    """Return the fields of a body as the services take them; raise `Malformed` for a time that never is."""
    return {field.name: _argument(field.name, getattr(body, field.name)) for field in fields(body)}


def _argument(name: str, value: Any) -> Any:
    if name in IDS:
        return _ids(value)
    if name == "deadline" and value:
        return _time(value)
    if name == "seats":
        return [shapes.write(placing) for placing in value]
    return value


def _ids(value: str | Sequence[Any]) -> Any:
    return UUID(value) if isinstance(value, str) else tuple(map(_ids, value))


def _time(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise Malformed({"deadline": ["There is no such time."]}) from None

"""The verbs of a competition: a POST each, calling the league's service of that name.

Those of organisers (some also of scorekeepers) lie below the competition, players' own below its ``me/``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from inspect import getdoc
from typing import Any, ClassVar, Final
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from api import bodies
from api.serializers.league import CompetitionSerializer, OwnPartSerializer
from api.views.base import Operation
from api.views.competitions import BelowCompetition
from games.engine import shapes
from games.engine.refusals import Malformed
from league import selectors, services
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
    "approve": Verb(bodies.OfEntry, services.approve),
    "reject": Verb(bodies.OfEntryBecause, services.reject),
    "admit": Verb(bodies.OfEntryFrom, services.admit),
    "check-in": Verb(bodies.OfEntry, services.check_in),
    "absent": Verb(bodies.Absent, services.absent),
    "present": Verb(bodies.Present, services.present),
    "withdraw": Verb(bodies.Withdraw, services.withdraw),
    "return-entry": Verb(bodies.OfEntryFrom, services.return_entry),
    "substitute": Verb(bodies.Substitute, services.substitute),
    "start": Verb(bodies.Bare, services.start),
    "add-stage": Verb(bodies.AddStage, services.add_stage),
    "add-season": Verb(bodies.AddSeason, services.add_season),
    "start-stage": Verb(bodies.Bare, services.start_stage),
    "draw": Verb(bodies.Bare, services.draw),
    "move-seat": Verb(bodies.MoveSeat, services.move_seat),
    "publish": Verb(bodies.Publish, services.publish),
    "set-deadline": Verb(bodies.Deadline, services.set_deadline),
    "open-table": Verb(bodies.OpenTable, services.open_table),
    "rule": Verb(bodies.Rule, services.rule),
    "no-show": Verb(bodies.NoShow, services.no_show),
    "forfeit": Verb(bodies.Forfeit, services.forfeit),
    "walk-over": Verb(bodies.WalkOver, services.walk_over),
    "replay": Verb(bodies.Replay, services.replay),
    "adjust": Verb(bodies.Adjust, services.adjust),
    "void": Verb(bodies.Void, services.void),
    "close-round": Verb(bodies.CloseRound, services.close_round),
    "pause": Verb(bodies.Why, services.pause),
    "resume": Verb(bodies.Bare, services.resume),
    "cancel": Verb(bodies.Because, services.cancel),
    "finish": Verb(bodies.Bare, services.finish),
}

OWN_VERBS: Final[Mapping[str, Verb]] = {
    "enter": Verb(bodies.EnterSelf, services.enter_self),
    "withdraw": Verb(bodies.Why, services.withdraw_self),
    "check-in": Verb(bodies.Bare, services.check_in_self),
    "absent": Verb(bodies.AbsentSelf, services.absent_self),
    "present": Verb(bodies.PresentSelf, services.present_self),
    "open-table": Verb(bodies.OpenTable, services.open_table_self),
}

IDS: Final = ("entry", "entries", "out", "into", "table", "game", "players", "swaps")


class Said(BelowCompetition):
    """A verb that is said. With `seq` it is written at just that place of the log; again is free."""

    verb: str = ""
    verbs: ClassVar[Mapping[str, Verb]] = {}
    scope: ClassVar[str] = ""

    @property
    def operations(self) -> Mapping[str, Operation]:  # type: ignore[override]
        """Return the one operation that the verb is."""
        verb = self.verbs[self.verb]
        about = getdoc(verb.service) or ""
        refuses = ("stale", "illegal")
        return {"POST": Operation(body=verb.body, scopes=(self.scope,), refuses=refuses, about=about)}

    def said(self) -> int:
        """Call the service; return 201 where it wrote something, 200 where all was so already."""
        given = arguments(self.body())
        done = self.verbs[self.verb].service(by=self.caller(), competition=self.competition(), **given)
        return status.HTTP_201_CREATED if done.created else status.HTTP_200_OK


class Direct(Said):
    """A verb of organisers."""

    verbs = VERBS
    scope = "organise"

    @extend_schema(responses={201: CompetitionSerializer, 200: CompetitionSerializer})
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        code = self.said()
        return Response(CompetitionSerializer(self.competition()).data, status=code)


class OwnVerb(Said):
    """A verb of players for their own entry."""

    verbs = OWN_VERBS
    scope = "play"

    @extend_schema(responses={201: OwnPartSerializer, 200: OwnPartSerializer})
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        code = self.said()
        told = selectors.own_part(self.caller(), self.competition())
        return Response(OwnPartSerializer(told).data, status=code)


class Me(BelowCompetition):
    """The caller's own part in the competition."""

    operations: ClassVar[Mapping[str, Operation]] = {"GET": Operation(scopes=("read", "play"))}

    @extend_schema(responses=OwnPartSerializer)
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """The caller's entry and what the caller may do now, for a player of the club."""
        told = selectors.own_part(self.caller(), self.competition())
        return Response(OwnPartSerializer(told).data)


def arguments(body: Any) -> dict[str, Any]:
    """Return the fields of a body as the services take them; raise `Malformed` for a time that never is."""
    return {field.name: _argument(field.name, getattr(body, field.name)) for field in fields(body)}


def _argument(name: str, value: Any) -> Any:
    if name in IDS and value is not None:
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
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Malformed({"deadline": ["There is no such time."]}) from None

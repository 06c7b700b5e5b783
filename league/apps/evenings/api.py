"""An evening that a program runs again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time
from typing import TYPE_CHECKING, Annotated, TypeVar
from uuid import UUID

from django.urls import path, reverse

from api.serializers.league import CompetitionSerializer
from api.views.base import BelowCompetition, Operation, answers_made, competition_data, created_or_found
from games.engine.messages import text
from games.engine.refusals import Malformed
from games.engine.shapes import Help, Length, Matching
from league.apps.evenings import lines, queries
from league.apps.evenings.services import run_again
from league.core.state.values import MAX_ENTRIES, Id, Name
from league.queries.competitions import all_competitions, details_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rest_framework.request import Request
    from rest_framework.response import Response

    from league.models import Account, Competition

T = TypeVar("T", date, time)


@dataclass(frozen=True)
class NextEvening:
    """The evening that follows; what is left out is as the desk offers it."""

    name: Annotated[
        Name | None,
        Help("left out: the date or number in the name goes on, past those that the club has had"),
    ] = None
    day: Annotated[
        Annotated[str, Matching(r"\d{4}-\d\d-\d\d", "a day", example="2027-03-11")] | None,
        Help("left out: the next one as the last evenings followed each other"),
    ] = None
    at: Annotated[
        Annotated[str, Matching(r"\d\d:\d\d", "a time of day", example="19:30")] | None,
        Help("the time of day in the club's zone; left out: that of the last time"),
    ] = None
    entries: Annotated[
        Annotated[tuple[Id, ...], Length(0, MAX_ENTRIES)] | None,
        Help(
            "those of the last evening, or of earlier ones, that enter again; left out: all of the last one "
            "that played and are not away"
        ),
    ] = None
    open_entries: Annotated[bool, Help("players can enter themselves")] = False
    old_rules: Annotated[
        bool, Help("the rules of the last time, where the club has changed its game of that name since")
    ] = False


class Again(BelowCompetition):
    """The next evening like a competition."""

    operations = {
        "POST": Operation(body=NextEvening, scopes=("club:organise",), refuses=("illegal",), makes=True)
    }

    @answers_made(CompetitionSerializer)
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - the name in the address
        """Run an evening again: another competition with the same settings and those who played entered."""
        body, account, like = self.body(), self.account(), self.competition()
        made = self.once(account, lambda: _made(account, like, body))
        return created_or_found(
            competition_data(request, all_competitions().get(pk=made.id)),
            created=made.created,
            location=reverse("api:competition", args=[made.id]),
        )


def _made(account: Account, like: Competition, body: NextEvening) -> Competition:
    day = lines.next_day(like) if body.day is None else _read(date, "day", body.day)
    at = details_of(like).begins_at if body.at is None else _read(time, "at", body.at)
    return run_again(
        by=account,
        like=like,
        name=body.name or lines.next_name(like, day),
        day=day,
        at=at,
        entries=_chosen(like, day, body.entries),
        open_entries=body.open_entries,
        old_rules=body.old_rules,
    )


def _read(kind: type[T], name: str, written: str) -> T:
    """Return a day or time; raise `Malformed` where there is no such one."""
    try:
        return kind.fromisoformat(written)
    except ValueError:
        raise Malformed({name: [text("There is no such day or time.")]}) from None


def _chosen(like: Competition, day: date, wanted: Sequence[str] | None) -> Sequence[queries.Former]:
    """Return the entries that enter again; raise `Malformed` for one that can't."""
    former = queries.former_entries(like, day)
    if wanted is None:
        return [each for each in (*former, *queries.former_stand_ins(like, day)) if each.ticked]
    known = {str(each.entry.pk): each for each in (*former, *queries.earlier_entries(like, day))}
    refused = text("This is no entry of the last evenings that can enter again.")
    if wrong := {f"entries.{at}": [refused] for at, each in enumerate(wanted) if each not in known}:
        raise Malformed(wrong)
    return [known[each] for each in wanted]


urlpatterns = [path("competitions/<uuid:id>/again/", Again.as_view(), name="again")]

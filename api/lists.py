"""Lists: their filters and their pages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django_filters import rest_framework as filters
from django_filters.fields import IsoDateTimeField
from rest_framework.exceptions import NotAuthenticated
from rest_framework.pagination import BasePagination, PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from api import callers
from api.requests import AFTER, CURSOR, MOST_RESULTS, PAGE, PAGE_SIZE, Parameter
from games.choices import GameStatus
from games.engine.messages import text
from games.engine.refusals import Malformed
from league.choices import CompetitionStatus
from league.queries import keysets, permissions
from league.queries.clubs import find_club, named
from league.queries.games import games_awaiting, of_game
from league.queries.names import found
from league.queries.permissions import ids_shown

if TYPE_CHECKING:
    from league.models import ClubGame, Competition, Player


# ---- Filters -------------------------------------------------------------------------------------


class TotalOrder(filters.OrderingFilter):
    """An ordering chosen by the caller; rows that are equal in it are ordered by primary key."""

    def filter(self, qs: QuerySet[Any], value: Any) -> QuerySet[Any]:
        """Return the rows in order; raise `Malformed`."""
        if value and not all(value):
            raise Malformed({"ordering": [text("Between the commas there must be names.")]})
        return super().filter(qs, [*value, "pk"]) if value else qs


def in_club(rows: QuerySet[Any], name: str, slug: str) -> QuerySet[Any]:
    """Return the rows of the club with an address, or which had it under an earlier name."""
    club = find_club(slug)
    return rows.filter(club=club) if club else rows.none()


class FlagField(forms.Field):
    """True or false, and nothing else."""

    def to_python(self, value: Any) -> bool | None:
        if value in self.empty_values:
            return None
        try:
            return {"true": True, "false": False}[value.lower()]
        except KeyError:
            raise ValidationError(_("This must be true or false."), code="invalid") from None


class FlagFilter(filters.BooleanFilter):
    """A filter by a fact."""

    field_class = FlagField

    def __init__(self, label: str) -> None:
        super().__init__(label=label, widget=forms.TextInput)


class MomentField(IsoDateTimeField):
    """A time of any offset, as UTC: the database knows fewer offsets than ISO 8601."""

    def to_python(self, value: Any) -> datetime | None:
        moment: datetime | None = super().to_python(value)
        try:
            return moment and moment.astimezone(UTC)
        except OverflowError:
            raise ValidationError(self.error_messages["invalid"], code="invalid") from None


class MomentFilter(filters.IsoDateTimeFilter):
    """A filter by a time, such as `2026-11-01T19:30:00Z`, or by a day, which begins at midnight UTC."""

    field_class = MomentField

    def __init__(self, field_name: str, lookup_expr: Literal["gte", "lt"], label: str) -> None:
        super().__init__(field_name, lookup_expr, label=f"{label} A time, or a day: midnight UTC.")


class GameFilter(filters.FilterSet):
    """Games by club, game, competition, table, player, status and time."""

    club = filters.CharFilter(method=in_club, label="The club's slug.")
    competition = filters.UUIDFilter("competition", label="The competition's id.")
    table = filters.UUIDFilter("table", label="The table's id.")
    player = filters.UUIDFilter(method="of_player", label="The id of a player at the table.")
    ruleset = filters.CharFilter(method="of_ruleset", label="A ruleset with or without its version.")
    status = filters.ChoiceFilter(field_name="game__status", choices=GameStatus.choices, label="The status.")
    awaited = filters.ChoiceFilter(
        method="awaiting",
        choices=[("me", "me")],
        label="`me`: the games that wait for the caller's move, or for the caller's answer to an invitation.",
    )
    since = MomentFilter("game__opened_at", "gte", "Opened then or later.")
    until = MomentFilter("game__opened_at", "lt", "Opened before.")
    updated_since = MomentFilter("game__moved_at", "gte", "With an entry in the log then or later.")
    ordering = TotalOrder(
        fields={"game__opened_at": "opened_at", "game__moved_at": "moved_at"}, label="The order."
    )

    def awaiting(self, games: QuerySet[ClubGame], name: str, value: str) -> QuerySet[ClubGame]:
        """Return the games that wait for the caller; raises NotAuthenticated and `ScopeMissing`."""
        account = callers.account_of(self.request)
        if account is None:
            raise NotAuthenticated
        account.require_scope(*permissions.SEES_ITS_SEAT)
        return games.filter(game__in=games_awaiting(account))

    def of_player(self, games: QuerySet[ClubGame], name: str, value: UUID) -> QuerySet[ClubGame]:
        """Return the games of a player, none where the player does not show them to the caller."""
        return games.filter(game__seats__player__in=ids_shown(value, callers.account_of(self.request)))

    def of_ruleset(self, games: QuerySet[ClubGame], name: str, value: str) -> QuerySet[ClubGame]:
        """Return the games of a ruleset (``rummy@1``), or of a game by its key (``rummy``)."""
        return of_game(games, "game__ruleset", value)


class GameExportFilter(GameFilter):
    """The filters of games, for a list in one order."""

    ordering = None  # type: ignore[assignment]  # as django-filter drops an inherited one


class PlayerFilter(filters.FilterSet):
    """Players by any part of the name, without regard to accents and case, and by time."""

    name = filters.CharFilter(method="named", label="Any part of the name.")
    search = filters.CharFilter(
        method="searched",
        label="Any parts of the name in any order; where nobody has them all, the players with near names.",
    )
    active = FlagFilter("Whether the player still plays.")
    since = MomentFilter("created_at", "gte", "Added then or later.")
    until = MomentFilter("created_at", "lt", "Added before.")
    updated_since = MomentFilter("changed_at", "gte", "Added or changed then or later.")

    def named(self, players: QuerySet[Player], name: str, value: str) -> QuerySet[Player]:
        """Return the players whose names contain the value."""
        return named(players, value)

    def searched(self, players: QuerySet[Player], name: str, value: str) -> QuerySet[Player]:
        """Return the players whose names have the words of the value, or else those with near names."""
        return found(players, value).rows


class CompetitionFilter(filters.FilterSet):
    """Competitions by club, game, status, address and time."""

    club = filters.CharFilter(method=in_club, label="The club's slug.")
    slug = filters.CharFilter("slug", label="The competition's slug.")
    ruleset = filters.CharFilter(method="of_ruleset", label="A ruleset with or without its version.")
    status = filters.ChoiceFilter(choices=CompetitionStatus.choices, label="The status.")
    since = MomentFilter("opened_at", "gte", "Opened then or later.")
    until = MomentFilter("opened_at", "lt", "Opened before.")
    updated_since = MomentFilter("shown_at", "gte", "With an entry in the public log then or later.")
    ordering = TotalOrder(
        fields={"opened_at": "opened_at", "shown_at": "changed_at", "name": "name"}, label="The order."
    )

    def of_ruleset(self, rows: QuerySet[Competition], name: str, value: str) -> QuerySet[Competition]:
        """Return the competitions of a ruleset (``rummy@1``), or of a game by its key (``rummy``)."""
        return of_game(rows, "ruleset", value)


# ---- Pages ---------------------------------------------------------------------------------------

WRONG_CURSOR: Final = text("This is no cursor of this list in this order.")
LINK: Final = {"type": ["string", "null"], "format": "uri"}


class Pages(PageNumberPagination):
    """Numbered pages."""

    parameters: tuple[Parameter, ...] = (PAGE, PAGE_SIZE)
    page_size = 100
    page_size_query_param = PAGE_SIZE.name
    django_paginator_class = keysets.Numbered
    max_page_size = MOST_RESULTS

    def get_page_number(self, request: Request, paginator: Any) -> int:
        number: int = PAGE.read(request, 1)
        return number

    def get_page_size(self, request: Request) -> int:
        size: int = PAGE_SIZE.read(request, self.page_size)
        return size

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        # REST Framework describes the links with `nullable`, which OpenAPI 3.1 does not have.
        properties = {"count": {"type": "integer"}, "next": LINK, "previous": LINK, "results": schema}
        return {"type": "object", "properties": properties, "required": [*properties]}


class Lists(Pages):
    """Numbered pages; with ``cursor`` parts of the list, each after the last row of the one before."""

    parameters = (PAGE, PAGE_SIZE, CURSOR)
    following: str | None = None
    by_cursor = False

    def paginate_queryset(self, queryset: Any, request: Request, view: APIView | None = None) -> Any:
        self.by_cursor = CURSOR.name in request.query_params
        if not self.by_cursor:
            return super().paginate_queryset(queryset, request, view)
        try:
            part = keysets.after(queryset, CURSOR.read(request), self.get_page_size(request))
        except keysets.BadCursor:
            raise Malformed({CURSOR.name: [WRONG_CURSOR]}) from None
        if part.more:
            cursor = keysets.cursor_of(queryset, part.rows[-1])
            self.following = replace_query_param(request.build_absolute_uri(), CURSOR.name, cursor)
        return part.rows

    def get_paginated_response(self, data: Any) -> Response:
        if not self.by_cursor:
            return super().get_paginated_response(data)
        return Response({"next": self.following, "previous": None, "results": data})

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        shown = {"name": CURSOR.name, "in": "query", "description": CURSOR.help, "required": False}
        numbered: list[dict[str, Any]] = super().get_schema_operation_parameters(view)
        return [*numbered, {**shown, "schema": dict(CURSOR.shape.schema())}]

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        described = super().get_paginated_response_schema(schema)
        return {**described, "required": ["next", "previous", "results"]}


class StandingsPages(Pages):
    """Pages of standings with ``as_of``, the last event that they include."""

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        described = super().get_paginated_response_schema(schema)
        properties = {**described["properties"], "as_of": {"type": "integer"}}
        return {**described, "properties": properties, "required": [*described["required"], "as_of"]}


class Entries(BasePagination):
    """The entries of a log after a number, the parameter `AFTER` of their operations."""

    page_size: Final = 1000

    def paginate_queryset(self, queryset: Any, request: Request, view: APIView | None = None) -> list[Any]:
        after = AFTER.read(request, 0)
        entries = list(queryset.filter(seq__gt=after).order_by("seq")[: self.page_size + 1])
        self.page, more = entries[: self.page_size], entries[self.page_size :]
        address = request.build_absolute_uri()
        self.next = replace_query_param(address, AFTER.name, self.page[-1].seq) if more else None
        return self.page

    def get_paginated_response(self, data: Sequence[Any]) -> Response:
        return Response({"results": data, "next": self.next, "previous": None})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        properties = {"results": schema, "next": LINK, "previous": {"type": "null"}}
        return {"type": "object", "properties": properties, "required": [*properties]}

"""Lists in pages with ``results``, ``next`` and ``previous``."""

from collections.abc import Sequence
from typing import Any, Final

from rest_framework.pagination import BasePagination, PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from api.params import AFTER, CURSOR, MOST_RESULTS, PAGE, PAGE_SIZE, Parameter
from games.engine.messages import text
from games.engine.refusals import Malformed
from league.queries import keysets

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

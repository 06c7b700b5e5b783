"""Lists in pages: ``results``, ``next``, ``previous``."""

from collections.abc import Sequence
from typing import Any, Final

from rest_framework.pagination import BasePagination, PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from api.params import AFTER, Number

PAGE: Final = Number("page", "Which page.", low=1)
PAGE_SIZE: Final = Number("page_size", "How many results a page has.", low=1, high=1000)


class Pages(PageNumberPagination):
    """Numbered pages, for lists whose order a caller may choose."""

    page_size = 100
    page_size_query_param = PAGE_SIZE.name
    max_page_size = PAGE_SIZE.high

    def get_page_number(self, request: Request, paginator: Any) -> int:
        return PAGE.read(request, 1)

    def get_page_size(self, request: Request) -> int:
        return PAGE_SIZE.read(request, self.page_size)


class StandingsPages(Pages):
    """Pages of standings, with the entry of the log that they reach up to."""

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        described = super().get_paginated_response_schema(schema)
        properties = {**described["properties"], "as_of": {"type": "integer"}}
        return {**described, "properties": properties, "required": [*described["required"], "as_of"]}


class Entries(BasePagination):
    """Entries of a log after a number, for lists that only grow."""

    page_size: Final = 1000

    def paginate_queryset(self, queryset: Any, request: Request, view: APIView | None = None) -> list[Any]:
        after = AFTER.read(request, 0)
        found = list(queryset.filter(seq__gt=after).order_by("seq")[: self.page_size + 1])
        self.page, more = found[: self.page_size], found[self.page_size :]
        address = request.build_absolute_uri()
        self.next = replace_query_param(address, AFTER.name, self.page[-1].seq) if more else None
        return self.page

    def get_paginated_response(self, data: Sequence[Any]) -> Response:
        return Response({"results": data, "next": self.next, "previous": None})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        link = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "properties": {"results": schema, "next": link, "previous": {"type": "null"}},
            "required": ["results", "next", "previous"],
        }

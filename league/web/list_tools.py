"""Pages, filters and downloads of the lists on public pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import get_language

from league.queries.keysets import Numbered


@dataclass(frozen=True)
class Filter:
    """A filter of a list: one of ``choices`` (value and label each), or any text where there are none."""

    name: str
    label: str
    value: str
    choices: tuple[tuple[str, str | Promise], ...] = ()


@dataclass(frozen=True)
class ListTools:
    """The filters of a list, and the addresses of its rows as files.

    ``meant`` says that no row has the name that was searched for, and these have names that are near to it.
    """

    filters: tuple[Filter, ...]
    csv: str
    json: str
    meant: bool = False

    @property
    def sheet(self) -> str:
        """Return the address of the rows as CSV for a spreadsheet in the reader's language."""
        return f"{self.csv}{'&' if '?' in self.csv else '?'}spreadsheet={get_language()}"


def list_tools(
    filters: Sequence[Filter], csv: str, json: str, *, meant: bool = False, **fixed: str
) -> ListTools:
    """Return the tools of a list; ``fixed`` are filters that the JSON list always has."""
    values = {each.name: each.value for each in filters if each.value}
    files = _with_query(csv, values), _with_query(json, {**fixed, **values})
    return ListTools(tuple(filters), *files, meant)


def _with_query(address: str, values: Mapping[str, str]) -> str:
    return f"{address}?{urlencode(values)}" if values else address


def text(request: HttpRequest, name: str, label: str) -> Filter:
    """Return a filter by part of a text, with its value from the query."""
    return Filter(name, label, request.GET.get(name, "").replace("\0", "")[:100])


def choice(
    request: HttpRequest, name: str, label: str, choices: Sequence[tuple[str, str | Promise]]
) -> Filter:
    """Return a filter by one of some values, with its value from the query; other values are ignored."""
    value = request.GET.get(name, "")
    return Filter(name, label, value if value in dict(choices) else "", tuple(choices))


def get_page(request: HttpRequest, rows: Any, size: int) -> Page[Any]:
    """Return the page of rows in ``?page=``, or the nearest one that exists."""
    return Numbered(rows, size).get_page(request.GET.get("page"))

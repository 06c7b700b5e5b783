"""How a list on a page is narrowed, and where the same rows are as files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest
from django.utils.functional import Promise


@dataclass(frozen=True)
class Filter:
    """A field by which a list is narrowed: free text without ``choices`` (value and label each)."""

    name: str
    label: str
    value: str
    choices: tuple[tuple[str, str | Promise], ...] = ()


@dataclass(frozen=True)
class Tools:
    """How a list is narrowed, and where the same rows are as files."""

    filters: tuple[Filter, ...]
    csv: str
    json: str


def tools(filters: Sequence[Filter], csv: str, json: str, **fixed: str) -> Tools:
    """Return the tools of a list; ``fixed`` narrows the JSON list to what the page is of."""
    told = {each.name: each.value for each in filters if each.value}
    return Tools(tuple(filters), _with(csv, told), _with(json, {**fixed, **told}))


def _with(address: str, told: Mapping[str, str]) -> str:
    return f"{address}?{urlencode(told)}" if told else address


def text(request: HttpRequest, name: str, label: str) -> Filter:
    """Return a filter by part of a text, as the query has it."""
    return Filter(name, label, request.GET.get(name, "").replace("\0", "")[:100])


def choice(
    request: HttpRequest, name: str, label: str, choices: Sequence[tuple[str, str | Promise]]
) -> Filter:
    """Return a filter by one of some values; any other in the query counts as none."""
    told = request.GET.get(name, "")
    return Filter(name, label, told if told in dict(choices) else "", tuple(choices))

"""Lists read in parts by the last row that was read, at a cost that does not grow with what came before."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, Final, Generic, TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from django.core.paginator import Paginator
from django.db.models import Model, Q, QuerySet
from django.utils.crypto import salted_hmac
from django.utils.functional import cached_property

M = TypeVar("M", bound=Model)


class Numbered(Paginator):  # type: ignore[type-arg]  # when it runs, Django's takes none
    """Numbered pages of a list, of its first ten thousand rows: counting more costs more than reading."""

    MOST: Final = 10_000

    @cached_property
    def count(self) -> int:
        """Return how many rows the pages have."""
        rows = self.object_list
        if isinstance(rows, QuerySet):
            return int(rows.order_by()[: self.MOST].count())
        return min(len(rows), self.MOST)


class BadCursor(ValueError):
    """The text is no cursor, or not one of this list in this order."""


@dataclass(frozen=True)
class Part(Generic[M]):
    """Rows of a list in its order, and whether there are more."""

    rows: Sequence[M]
    more: bool


def after(rows: QuerySet[M], cursor: str, most: int) -> Part[M]:
    """Return the rows after the one that a cursor names, or the first ones for an empty cursor.

    The rows must be ordered by names of fields or annotations that are never null, the last of them unique.
    Raises `BadCursor`.
    """
    if cursor:
        rows = rows.filter(_after(_order(rows), _read(cursor, _order(rows))))
    found = list(rows[: most + 1])
    return Part(found[:most], len(found) > most)


def cursor_of(rows: QuerySet[M], row: M) -> str:
    """Return the cursor that names a row of a list: a text that says nothing and can't be made up.

    It is encrypted: rows are in order of values, such as whole names, that the reader may not read.
    """
    order = _order(rows)
    values = [_value(row, name.lstrip("-")) for name in order]
    return urlsafe_b64encode(_cipher().encrypt(json.dumps([order, values]).encode(), None)).decode()


def _cipher() -> AESSIV:
    """Return the cipher of cursors: the same row of the same list has the same one."""
    return AESSIV(salted_hmac("league.queries.keysets", "", algorithm="sha512").digest())


def _order(rows: QuerySet[Any]) -> list[str]:
    order = list(rows.query.order_by)
    assert order and all(isinstance(name, str) for name in order), "the list has no total order by names"
    return [str(name) for name in order]


def _read(cursor: str, order: Sequence[str]) -> Sequence[str]:
    try:
        its_order, values = json.loads(_cipher().decrypt(urlsafe_b64decode(cursor), None))
    except (InvalidTag, ValueError):
        raise BadCursor from None
    if its_order != order:
        raise BadCursor
    return list(values)


def _value(row: Model, path: str) -> str:
    value: Any = row
    for name in path.split("__"):
        value = getattr(value, name)
    return str(value.pk if isinstance(value, Model) else value)


def _after(order: Sequence[str], values: Sequence[str]) -> Q:
    """Return the condition that a row comes after the values in the order."""
    names = [name.lstrip("-") for name in order]
    further = [
        Q(**{f"{names[at]}__{'lt' if order[at].startswith('-') else 'gt'}": values[at]})
        & Q(**dict(zip(names[:at], values[:at], strict=True)))
        for at in range(len(order))
    ]
    # What the first column alone rules out an index can leave out.
    bound = Q(**{f"{names[0]}__{'lte' if order[0].startswith('-') else 'gte'}": values[0]})
    return bound & reduce(or_, further)

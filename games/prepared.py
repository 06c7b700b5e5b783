"""Statements that the database plans once for each connection, because they are made for most requests."""

from collections.abc import Mapping
from typing import Any

from django.db import connection


def one_row(sql: str, given: Mapping[str, str | None]) -> tuple[Any, ...] | None:
    """Return the first row that a statement with parameters named as ``%(name)s`` gives, None without one.

    All parameters are texts, which the statement casts: each combination of types would be planned. What
    else has a per cent sign doubles it.
    """
    row: tuple[Any, ...] | None = connection.one_row(sql, given)  # type: ignore[attr-defined]  # of our own backend
    return row

"""Statements that the database plans once for each connection, because they are made for most requests."""

from collections.abc import Mapping
from typing import Any

from django.db import connection


def one_row(sql: str, given: Mapping[str, str | None]) -> tuple[Any, ...] | None:
    """Return the first row that a statement gives, None without one; parameters as for `all_rows`."""
    return next(iter(all_rows(sql, given)), None)


def all_rows(sql: str, given: Mapping[str, str | None]) -> list[tuple[Any, ...]]:
    """Return all rows that a statement with parameters named as ``%(name)s`` gives.

    All parameters are texts, which the statement casts: each combination of types would be planned. What
    else has a per cent sign doubles it.
    """
    rows: list[tuple[Any, ...]] = connection.rows(sql, given)  # type: ignore[attr-defined]  # of our own backend
    return rows

"""Statements that the database plans once for each connection, because they are made for most requests."""

from collections.abc import Mapping
from typing import Any

from django.db import connection


def one_row(sql: str, given: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """Return the first row that a statement with named parameters gives, None without one.

    Parameters should have one type whatever their value, such as text: each combination of types is planned.
    """
    with connection.prepared_cursor() as cursor:  # type: ignore[attr-defined]  # of our own backend
        cursor.execute(sql, given)
        row: tuple[Any, ...] | None = cursor.fetchone()
        return row

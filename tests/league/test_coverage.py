"""Every column of the database is covered by a log, computed again, or listed as not covered."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import pgtrigger
from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import IntegrityError, connection, models, transaction

from league.hooks.app import App
from league.ops.folders import TOP
from tests.league.test_tampering import Club, club, findings

__all__ = ["club"]

OURS = {"games", "league", "oauth2_provider", "sessions", "auth", "admin", "contenttypes"}
OURS |= {app.label for app in apps.get_app_configs() if isinstance(app, App)}


TABLE = "| tables | checked against | which, or why not |\n| --- | --- | --- |\n"
"""The heads of the table in docs/trust.md."""


def listed() -> Iterator[tuple[str, str, str]]:
    """Yield tables, each with a column or "" for those not named, and what these are checked against."""
    _, _, rows = (TOP / "docs" / "trust.md").read_text(encoding="utf-8").partition(TABLE)
    for row in rows.partition("\n\n")[0].splitlines():
        tables, how = row.split(" | ")[:2]
        for table, named in re.findall(r"`([\w.]+)`(?: \(([^)]*)\))?", tables):
            yield from ((table, column, how) for column in named.split(", "))


COVERED = {(table, column): how for table, column, how in listed()}


def covered(table: str, column: str) -> str | None:
    """Return what a column is checked against, None where the page does not say it."""
    return COVERED.get((table, column)) or COVERED.get((table, ""))


def columns() -> list[tuple[str, str]]:
    """Return the table and name of every column of the database."""
    ours = [model for model in apps.get_models(include_auto_created=True) if model._meta.app_label in OURS]
    return [(model._meta.label, field.attname) for model in ours for field in model._meta.concrete_fields]


def test_every_column_is_in_a_log_or_computed_again_or_listed_as_not_covered() -> None:
    assert [f"{table}.{column}" for table, column in columns() if covered(table, column) is None] == []


def test_each_is_listed_once_and_nothing_that_is_not_there() -> None:
    there = {*columns()} | {(table, "") for table, _ in columns()}
    installed = [(table, column) for table, column, _ in listed() if table.partition(".")[0] in OURS]
    assert [each for each in installed if each not in there or installed.count(each) > 1] == []
    assert {*COVERED.values()} == {"a log", "computed again", "**not covered**"}


def other(field: Any, value: Any) -> Any:  # noqa: C901 - a case for each type
    """Return another value of a column than the one that it has."""
    match value:
        case None if isinstance(field, models.ForeignKey | models.UUIDField):
            return uuid4()
        case bool():
            return not value
        case int() | float():
            return value + 1
        case UUID():
            return uuid4()
        case datetime():
            return datetime(2021, 1, 1, tzinfo=UTC)
        case bytes() | memoryview():
            return bytes(32) if bytes(value) != bytes(32) else bytes(31)
        case list() if isinstance(field, ArrayField):
            return [] if value else None
        case dict() | list():
            return {"other": 1}
        case str() if len(value) == 64 and field.max_length != 200:
            return "0" * 64
        case str() if field.name == "timezone":
            return "Asia/Kathmandu"
        case str() if field.name == "quiet":
            return "01:00-02:00"
        case str():
            return "x" if value != "x" else "y"
    return None


def changed(rows: models.QuerySet[Any], name: str, value: Any) -> bool:
    """Give a column another value with the triggers off; return False where the database refuses that."""
    with pgtrigger.ignore(), connection.cursor() as cursor, suppress(IntegrityError), transaction.atomic():
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        rows.update(**{name: value})
        return True
    return False


COMPUTED = {each for each in columns() if covered(*each) == "computed again"}


def test_a_change_of_what_is_computed_again_is_found(club: Club) -> None:
    # Of each table one column: they are compared alike.
    tables = {table for table, _ in COMPUTED}
    assert [*unnoticed(club, [(table, "") for table in sorted(tables)])] == []


def unnoticed(club: Club, columns: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the columns, of a table without a named one some column, whose change is not found."""
    for table, column in columns:
        model = apps.get_model(table)
        rows = model._default_manager.order_by("pk")
        if table in ("league.Club", "league.Member", "league.Player"):
            rows = rows.filter(**{"pk" if table == "league.Club" else "club": club.town.pk})
        row = rows.values().first()
        if row is None:
            continue
        name = column or next(
            field.attname
            for field in model._meta.concrete_fields
            if not field.primary_key and not field.is_relation and (table, field.attname) in COMPUTED
        )
        field = next(each for each in model._meta.concrete_fields if each.attname == name)
        value = other(field, row[name])
        if value is None:
            continue
        rows = model._default_manager.filter(pk=row[model._meta.pk.attname])
        with transaction.atomic():
            if changed(rows, name, value) and next(findings(), None) is None:
                yield f"{table}.{name}"
            transaction.set_rollback(True)

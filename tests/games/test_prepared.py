"""Statements that are planned once: what they give, and what becomes of their plans."""

from contextlib import closing, suppress

import pytest
from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
    connection,
    transaction,
)
from django.test.utils import CaptureQueriesContext

from games.prepared import one_row

_PLANS = "SELECT count(*) FROM pg_prepared_statements WHERE name LIKE '_pg3_%%'"
pytestmark = pytest.mark.django_db


def say(text: str | None) -> object:
    row = one_row("SELECT %(text)s::text || '%%', %(text)s::text", {"text": text})
    assert row
    return row


def test_a_row_has_its_values_and_nothing_where_there_is_none() -> None:
    assert say("a b") == ("a b%", "a b")
    assert say(None) == (None, None)
    assert one_row("SELECT 7, NULL::timestamptz, TRUE", {}) == (7, None, True)
    assert one_row("SELECT 1 WHERE FALSE", {}) is None


def test_a_text_with_nul_is_refused_and_never_cut() -> None:
    with pytest.raises(DataError):
        say("a\0b")
    assert say("a") == ("a%", "a")


def test_each_statement_is_planned_once_and_counted_each_time() -> None:
    before = one_row(_PLANS, {})
    with CaptureQueriesContext(connection) as queries:
        for text in ("a", "b", None):
            one_row("SELECT %(text)s::text AS of_this_test", {"text": text})
    after = one_row(_PLANS, {})
    assert before and after
    assert (after[0] - before[0], len(queries)) == (1, 3)


@pytest.mark.django_db(transaction=True)
def test_a_plan_that_was_dropped_with_a_transaction_is_made_again() -> None:
    with transaction.atomic():
        say("a")
        connection.cursor().execute("SELECT 1")
        transaction.set_rollback(True)
    assert say("b") == ("b%", "b")


@pytest.mark.django_db(transaction=True)
def test_a_statement_that_failed_can_be_made_again() -> None:
    named = "SELECT * FROM of_a_test"
    with pytest.raises(ProgrammingError):
        one_row(named, {})
    connection.cursor().execute("CREATE TABLE of_a_test AS SELECT 1 AS a")
    try:
        assert one_row(named, {}) == (1,)
        with closing(connection.copy()) as other:
            other.cursor().execute("ALTER TABLE of_a_test ADD b integer")
        with pytest.raises(NotSupportedError):  # its plan gives other columns
            one_row(named, {})
        assert one_row(named, {}) == (1, None)
    finally:
        connection.cursor().execute("DROP TABLE of_a_test")


@pytest.mark.django_db(transaction=True)
def test_a_statement_is_part_of_its_transaction() -> None:
    connection.cursor().execute("CREATE TABLE of_a_test AS SELECT 1 AS a")
    try:
        with transaction.atomic():
            assert one_row("UPDATE of_a_test SET a = 2 RETURNING a", {}) == (2,)
            transaction.set_rollback(True)
        assert one_row("SELECT a FROM of_a_test", {}) == (1,)
    finally:
        connection.cursor().execute("DROP TABLE of_a_test")


@pytest.mark.django_db(transaction=True)
def test_a_commit_that_fails_after_the_rows_were_sent_gives_no_rows() -> None:
    connection.cursor().execute(
        "CREATE TEMPORARY TABLE of_a_test (a integer UNIQUE DEFERRABLE INITIALLY DEFERRED)"
    )
    try:
        assert one_row("INSERT INTO of_a_test VALUES (1) RETURNING a", {}) == (1,)
        with pytest.raises(IntegrityError):
            one_row("INSERT INTO of_a_test VALUES (1) RETURNING a", {})
        assert one_row("SELECT count(*) FROM of_a_test", {}) == (1,)
    finally:
        connection.cursor().execute("DROP TABLE of_a_test")


@pytest.mark.django_db(transaction=True)
def test_a_commit_that_undoes_what_it_should_keep_is_an_error() -> None:
    with pytest.raises(DatabaseError, match="undone"), transaction.atomic(), suppress(ProgrammingError):
        one_row("SELECT * FROM of_a_test", {})

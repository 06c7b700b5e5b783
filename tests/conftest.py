"""Fixtures of all tests: a temporary PostgreSQL and broker for the run, and a browser."""

import gc
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pgtrigger
import pytest
from django.db.backends.base.operations import BaseDatabaseOperations as DatabaseOperations
from django.db.backends.postgresql.operations import DatabaseOperations as PostgresOperations
from django.utils import timezone, translation
from hypothesis import settings
from time_machine import escape_hatch

from games import database_time
from league.ops import processes
from league.ops.broker import Broker
from league.ops.postgres import Postgres, home
from tests.browsing import _server, browser, log_in, page, phone, problems, site

# Everybody's run tries the same examples; `--hypothesis-profile=random` looks for others.
settings.register_profile("same", derandomize=True, database=None, deadline=None)
settings.register_profile("random", deadline=None, print_blob=True)
settings.load_profile("same")

# How many new objects start a collection: with the usual 700 a tenth of the run was spent in it.
_GARBAGE = 50_000

__all__ = ["_server", "browser", "log_in", "page", "phone", "problems", "site"]


def pytest_configure(config: pytest.Config) -> None:
    """Start the run's database, once, in the process that workers inherit from."""
    gc.set_threshold(_GARBAGE)
    if hasattr(config, "workerinput"):
        return
    _sweep()
    config.add_cleanup(lambda: _remove(_data()))
    if not os.environ.get("DATABASE_URL"):
        server = Postgres(_data(), durable=False)
        server.start()
        config.add_cleanup(server.stop)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest, so that no worker is left with one of them when the others are done."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """Let the collector never look again at what all tests share."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _flushing_is_quick() -> Iterator[None]:
    """Let the flush that ends a test with real transactions delete what there is, from the log tables too.

    It takes a tenth of the time of Django's TRUNCATE of all tables, and keeps the tables that Django fills
    after migrations.
    """
    flush = DatabaseOperations.execute_sql_flush

    def flush_all(operations: DatabaseOperations, sql_list: Sequence[str]) -> None:
        with pgtrigger.ignore():
            flush(operations, sql_list)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "execute_sql_flush", flush_all)
        patch.setattr(PostgresOperations, "sql_flush", _deletion)
        patch.setattr("django.core.management.commands.flush.emit_post_migrate_signal", lambda *_, **__: None)
        yield


def _deletion(_operations: DatabaseOperations, _style: object, tables: Sequence[str], **_: bool) -> list[str]:
    """Return the statement that empties tables, besides those of content types and permissions."""
    kept = ("django_content_type", "auth_permission")
    names = ", ".join(f"'{name}'" for name in tables if name not in kept)
    return [
        f"""DO $$ DECLARE name text; filled boolean; BEGIN
        FOREACH name IN ARRAY ARRAY[{names}] LOOP
            EXECUTE 'SELECT EXISTS (SELECT FROM ' || quote_ident(name) || ')' INTO filled;
            IF filled THEN EXECUTE 'DELETE FROM ' || quote_ident(name); END IF;
        END LOOP; END $$"""
    ]


@pytest.fixture(autouse=True)
def _time_travels_with_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the database's clock show the time that a test has travelled to."""
    real = database_time.sql

    def sql() -> str:
        return f"'{timezone.now().isoformat()}'::timestamptz" if escape_hatch.is_travelling() else real()

    estimate = database_time.Estimate()
    estimate.taken = float("inf")  # a test that counts statements sees none for the time
    monkeypatch.setattr(database_time, "sql", sql)
    monkeypatch.setattr(database_time, "_estimate", estimate)


@pytest.fixture(autouse=True)
def _back_to_english() -> Iterator[None]:
    """Forget the language of a test's last request, which stays active in its thread."""
    yield
    translation.deactivate()


def _data() -> Path:
    return Path(os.environ["TREFOIL_TEST_DATA"])


def _sweep() -> None:
    """Remove what runs that were killed left behind."""
    for data in _data().parent.glob("trefoil-test-*-*"):
        pid = data.name.split("-")[2]
        if not processes.command_of(int(pid)):
            _remove(data)


def _remove(data: Path) -> None:
    shutil.rmtree(home(data).parent, ignore_errors=True)
    shutil.rmtree(data, ignore_errors=True)


@pytest.fixture(scope="session")
def broker_url() -> Iterator[str]:
    """The address of a real broker, started for this worker's session."""
    if url := os.environ.get("CELERY_BROKER_URL"):
        yield url
        return
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    server = Broker(_data() / worker)
    server.start()
    yield server.url
    server.stop()

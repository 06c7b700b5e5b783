"""Fixtures of all tests: a temporary PostgreSQL and broker for the run, and a browser."""

import gc
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import chain, count, islice
from pathlib import Path
from types import SimpleNamespace

import pgtrigger
import pytest
from _pytest.nodes import Node
from django.conf import settings as django_settings
from django.db import connection
from django.db.backends.base.operations import BaseDatabaseOperations as DatabaseOperations
from django.db.backends.postgresql.operations import DatabaseOperations as PostgresOperations
from django.test import Client
from django.utils import timezone, translation
from hypothesis import HealthCheck, settings
from pytest_django import DjangoDbBlocker
from time_machine import escape_hatch
from whitenoise.middleware import WhiteNoiseMiddleware

from games import database_time
from league.core.commitment import SECRET_BYTES
from league.ops import processes
from league.ops.embedded import Broker
from league.ops.postgres import Postgres, home
from tests import patience
from tests.again import let_browsers_try_again, pytest_sessionfinish, pytest_terminal_summary
from tests.browsing import (
    _kept,
    _opened,
    _server,
    browser,
    german,
    log_in,
    page,
    phone,
    plain,
    problems,
    site,
)
from tests.locks import locks_in_order

# Everybody's run tries the same examples; `--hypothesis-profile=random` looks for others.
# On a busy machine both are slow by chance.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("busy"), derandomize=True, database=None)
settings.register_profile("random", settings.get_profile("busy"), print_blob=True)
settings.load_profile("same")

# How many new objects start a collection: with the usual 700 a tenth of the run was spent in it.
_GARBAGE = 50_000
_TESTS = count(1)

__all__ = [
    "_kept",
    "_opened",
    "_server",
    "browser",
    "german",
    "locks_in_order",
    "log_in",
    "page",
    "phone",
    "plain",
    "problems",
    "pytest_sessionfinish",
    "pytest_terminal_summary",
    "site",
]


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


def pytest_collection(session: pytest.Session) -> None:
    """Let each worker of a whole run begin elsewhere to import tests: it reads what others have compiled.

    What fails here does so again when it is collected.
    """
    if session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    number, workers = _numbers(session.config)
    here = Path(__file__).parent
    modules = sorted(
        ".".join(path.relative_to(here.parent).with_suffix("").parts) for path in here.rglob("test_*.py")
    )
    first = len(modules) * number // workers
    for module in (*modules[first:], *modules[:first]):
        with suppress(Exception):
            import_module(module)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let every worker begin with its share of the longest, so that none is left with one at the end.

    Each worker is first given an equal part of the list, in order, and takes from others when it is done.
    """
    let_browsers_try_again(items)
    _, workers = _numbers(config)
    long: dict[Node, list[pytest.Item]] = {}  # a module that is marked stays together: it shares a service
    for item in items:
        for node, _mark in islice(item.iter_markers_with_node("long"), 1):
            long.setdefault(node, []).append(item)
    others = iter([item for item in items if not item.get_closest_marker("long")])
    ordered: list[pytest.Item] = []
    for number in range(workers):
        share = [*chain.from_iterable([*long.values()][number::workers])]
        ordered += [*share, *islice(others, max(0, (len(items) + number) // workers - len(share)))]
    items[:] = [*ordered, *others]


def pytest_collection_finish() -> None:
    """Let the collector never look again at what all tests share."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest, django_test_environment: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Give each worker a copy of one database, which the first of them migrates."""
    with django_db_blocker.unblock():
        _use_copy_of_the_migrated(str(_numbers(request.config)[0]))
    yield
    with django_db_blocker.unblock():
        connection.close()
        # Threads of the site may still have connections; none of them does anything.
        with connection._nodb_cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{connection.settings_dict["NAME"]}" WITH (FORCE)')


def _use_copy_of_the_migrated(worker: str) -> None:
    """Let this process use a copy of the migrated database."""
    creation = connection.creation
    lock, migrated = processes.Lock(_data() / "migrated.lock"), _data() / "migrated"
    lock.take()
    if migrated.exists():
        connection.settings_dict["NAME"] = migrated.read_text()
    else:
        migrated.write_text(creation.create_test_db(verbosity=0, autoclobber=True, serialize=False))
    creation.clone_test_db(worker, verbosity=0)
    lock.release()
    copy = creation.get_test_db_clone_settings(worker)["NAME"]
    django_settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = copy


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


@pytest.fixture(scope="session", autouse=True)
def _static_files_are_found_once() -> Iterator[None]:
    """Let all test clients share the list of static files: each looks for them, and tests make thousands."""
    find = WhiteNoiseMiddleware.add_files_from_finders
    known: dict[str, dict[str, object]] = {}

    def find_once(middleware: WhiteNoiseMiddleware) -> None:
        if middleware.static_prefix not in known:
            find(middleware)
            known[middleware.static_prefix] = {**middleware.files}
        middleware.files.update(known[middleware.static_prefix])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", find_once)
        yield


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


@pytest.fixture(scope="session", autouse=True)
def _whoever_a_test_logs_in_has_shown_a_password() -> Iterator[None]:
    """Let `force_login` begin a session as a log-in with a password does: nobody is asked again at once."""
    log_in = Client._login  # type: ignore[attr-defined]  # what `login` and `force_login` share

    def with_proof(client: Client, *args: object) -> None:
        log_in(client, *args)
        session = client.session
        session["proved_at"] = database_time.now().timestamp()
        session.save()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "_login", with_proof)
        yield


@pytest.fixture(autouse=True)
def _messages_are_sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Send what a test leaves to a broker before its changes to the settings are undone.

    Later it would be done at once, in the midst of another test.
    """
    yield
    assert patience.all_are_sent()


@pytest.fixture(autouse=True)
def _secrets_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the competitions of each test have the same secrets in turn: the tree of one is 12,000 hashes."""
    secrets = (bytes([number]) * SECRET_BYTES for number in count(1))
    monkeypatch.setattr(
        "league.services.verbs.secrets", SimpleNamespace(token_bytes=lambda _size: next(secrets))
    )


@pytest.fixture(autouse=True)
def _keys_are_the_test_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what a test signs leave no key and no head to another, nor in the folder of who runs it."""
    number = next(_TESTS)
    for name in ("LOG_KEY_FILE", "PUSH_KEY_FILE"):
        monkeypatch.setattr(django_settings, name, str(_data() / f"{os.getpid()}-{number}-{name.lower()}"))


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


def _numbers(config: pytest.Config) -> tuple[int, int]:
    """Return the number of this worker and how many there are."""
    given = getattr(config, "workerinput", {})
    return int(given.get("workerid", "gw0").removeprefix("gw")), given.get("workercount", 1)


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

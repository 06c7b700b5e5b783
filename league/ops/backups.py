"""Backups of the whole database, with PostgreSQL's own programs."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from hashlib import file_digest, sha256
from pathlib import Path
from threading import Event, Thread
from typing import Any, BinaryIO, Final
from urllib.parse import quote, urlencode

import psycopg
from django.conf import settings
from psycopg import sql
from psycopg.conninfo import make_conninfo

from league.ops import folders, postgres, processes
from league.ops.folders import TOP
from league.ops.servers import CannotServe

_NOT_THERE: Final = ("LOG_KEY_FILE", "DATABASE_DIRECT_URL", "DATABASE_SECONDS")
"""What would let a command on a database beside touch the signed log of the service, or its database."""

_NAMES: Final = {"NAME": "dbname", "USER": "user", "HOST": "host", "PORT": "port"}
_SECRETS: Final = "league_drawsecret"
"""The table of the secrets of draws, which no backup holds: competitions commit again (docs/draws.md)."""
LIBPQ: Final = ("sslmode", "sslrootcert", "sslcert", "sslkey", "options", "connect_timeout")
_MARK: Final = b"\ntrefoil-backup/1 sha256 "
_PART: Final = 1 << 20
_LONGEST_NAME: Final = 63
_PAUSE: Final = 0.05
_MAY: Final = """
SELECT (rolsuper OR rolcreatedb) AND pg_has_role(datdba, 'USAGE')
FROM pg_roles, pg_database WHERE rolname = current_user AND datname = %s
"""
# The columns of the locale are named otherwise from version 17 on.
_CREATE: Final = """
SELECT format(
    'CREATE DATABASE %%I TEMPLATE template0 OWNER %%I ENCODING %%L LC_COLLATE %%L LC_CTYPE %%L '
    'LOCALE_PROVIDER %%s',
    %(name)s::text, pg_get_userbyid(datdba), pg_encoding_to_char(encoding), datcollate, datctype,
    CASE datlocprovider WHEN 'i' THEN format('icu ICU_LOCALE %%L', locale)
    WHEN 'b' THEN format('builtin BUILTIN_LOCALE %%L', locale) ELSE 'libc' END
)
FROM pg_database, LATERAL (
    SELECT coalesce(to_jsonb(pg_database) ->> 'datlocale', to_jsonb(pg_database) ->> 'daticulocale') AS locale
) AS its
WHERE datname = %(like)s
"""
# What belongs to a database and is in no dump of its content: who may connect, and its own settings.
_SETTINGS: Final = """
SELECT statement FROM (
    SELECT 0 AS rank, format('REVOKE ALL ON DATABASE %%I FROM PUBLIC', %(name)s::text) AS statement
    FROM pg_database WHERE datname = %(like)s AND datacl IS NOT NULL
    UNION ALL
    SELECT 1, format(
        'GRANT %%s ON DATABASE %%I TO %%s', privilege_type, %(name)s::text,
        CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END
    )
    FROM pg_database, aclexplode(datacl) WHERE datname = %(like)s
    UNION ALL
    SELECT 2, format(
        '%%s SET %%I TO %%s',
        CASE setrole WHEN 0 THEN format('ALTER DATABASE %%I', %(name)s::text)
        ELSE format('ALTER ROLE %%I IN DATABASE %%I', pg_get_userbyid(setrole), %(name)s::text) END,
        split_part(setting, '=', 1),
        CASE split_part(setting, '=', 1) WHEN 'search_path' THEN substr(setting, strpos(setting, '=') + 1)
        ELSE quote_literal(substr(setting, strpos(setting, '=') + 1)) END
    )
    FROM pg_database JOIN pg_db_role_setting ON setdatabase = pg_database.oid, unnest(setconfig) AS setting
    WHERE datname = %(like)s
) AS statements ORDER BY rank
"""
_RENAME: Final = sql.SQL("ALTER DATABASE {} RENAME TO {}")
_END: Final = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = %s AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
OTHERS: Final = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = %s AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


class NoBackup(Exception):
    """A backup could not be made or restored; the message says why."""


def dump(database: Mapping[str, Any], file: Path, *, replace: bool = False) -> None:
    """Write a consistent copy of a database to a file that only its owner can read. Raises NoBackup.

    ``database`` is Django's entry of `DATABASES`. The service can keep running.
    """
    try:
        with folders.writing(file, replace=replace, mode=0o600) as opened:
            options = ("--format=custom", "--no-owner", f"--exclude-table-data={_SECRETS}")
            _run("pg_dump", database, *options, output=opened)
            opened.seek(0)
            opened.write(_foot(file_digest(opened, "sha256").hexdigest()))
    except FileExistsError:
        raise NoBackup(f"There is a file {file}. With --replace it is replaced.") from None
    except OSError as error:
        raise NoBackup(f"{file} could not be brought to the disk: {error.strerror}.") from None


def load(database: Mapping[str, Any], file: Path) -> None:
    """Restore a database from a file of `dump` in one transaction, completely or not at all.

    Raises NoBackup, also for a file that is not what was written.
    """
    _check(file)
    whole = ("--clean", "--if-exists", "--no-owner", "--single-transaction", "--exit-on-error")
    _run("pg_restore", database, *whole, str(file))


def _foot(checksum: str) -> bytes:
    """Return what ends a backup; pg_restore doesn't read that far."""
    return b"%s%s\n" % (_MARK, checksum.encode())


def _check(file: Path) -> None:
    """Raise NoBackup unless the file's content has the checksum at its end."""
    found, foot = sha256(), len(_foot("")) + 2 * sha256().digest_size
    try:
        with file.open("rb") as opened:
            left = file.stat().st_size - foot
            while left > 0 and (part := opened.read(min(left, _PART))):
                found.update(part)
                left -= len(part)
            said = opened.read()
    except OSError as error:
        raise NoBackup(f"{file} cannot be read: {error.strerror}.") from None
    if not said.startswith(_MARK):
        raise NoBackup(f"{file} has no checksum at its end: it is not a whole file of `manage.py backup`.")
    if said != _foot(found.hexdigest()):
        raise NoBackup(f"{file} is damaged: its content is not what was written. Use another backup.")


# ---- Another database beside ---------------------------------------------------------------------


def has_room_beside(database: Mapping[str, Any]) -> bool:
    """Return whether the role may make a database beside, and give it the name of this one."""
    try:
        with _maintenance(database) as connection:
            (may,) = connection.execute(_MAY, [database["NAME"]]).fetchone() or (False,)
            return bool(may)
    except psycopg.OperationalError:
        return False


@contextmanager
def beside(database: Mapping[str, Any], suffix: str) -> Iterator[dict[str, Any]]:
    """Provide an empty database like another one, on its server; it is removed afterwards, if it is there.

    Raises NoBackup where another command has it.
    """
    name = f"{database['NAME'][: _LONGEST_NAME - len(suffix)]}{suffix}"
    with _maintenance(database) as connection:
        if connection.execute("SELECT pg_try_advisory_lock(hashtext(%s))", [name]).fetchone() != (True,):
            raise NoBackup(f"Another command has the database {name} now.")
        _drop(connection, name)
        (create,) = connection.execute(_CREATE, {"like": database["NAME"], "name": name}).fetchone() or ("",)
        connection.execute(create)
        try:
            yield {**database, "NAME": name}
        finally:
            _drop(connection, name)


def put_in_its_place(database: Mapping[str, Any], fresh: Mapping[str, Any]) -> None:
    """Shut a database, and give its name to another one: all of that, or nothing.

    What is killed meanwhile leaves the old one. Raises NoBackup where there are connections of other roles.
    """
    name, new, old = database["NAME"], fresh["NAME"], f"{fresh['NAME']}_old"[-_LONGEST_NAME:]
    with _maintenance(database) as connection:
        _drop(connection, old)
        settings = [row[0] for row in connection.execute(_SETTINGS, {"like": name, "name": new})]
        with connection.transaction():
            with _without_others(database):
                connection.execute(_RENAME.format(sql.Identifier(name), sql.Identifier(old)))
            for statement in settings:
                connection.execute(statement)
            connection.execute(_RENAME.format(sql.Identifier(new), sql.Identifier(name)))
        _drop(connection, old)


@contextmanager
def _without_others(database: Mapping[str, Any]) -> Iterator[None]:
    """End the connections to a database while the block waits to have it alone, which shuts out new ones."""
    over, refused = Event(), list[psycopg.Error]()

    def end() -> None:
        with _maintenance(database) as connection:
            while not over.wait(_PAUSE):
                try:
                    connection.execute(_END, [database["NAME"]])
                except psycopg.errors.InsufficientPrivilege as error:
                    refused.append(error)

    ending = Thread(target=end)
    ending.start()
    try:
        yield
    except psycopg.errors.ObjectInUse as error:
        raise NoBackup(f"Stop the service first. {(refused or [error])[-1]}") from None
    finally:
        over.set()
        ending.join()


def _maintenance(database: Mapping[str, Any]) -> "psycopg.Connection[Any]":
    """Return a connection to a database of its server that is always there."""
    try:
        return _connected({**database, "NAME": "postgres"})
    except psycopg.OperationalError:
        return _connected({**database, "NAME": "template1"})


def _connected(database: Mapping[str, Any]) -> "psycopg.Connection[Any]":
    return psycopg.connect(address(database), password=database.get("PASSWORD") or None, autocommit=True)


def _drop(connection: "psycopg.Connection[Any]", name: str) -> None:
    connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


# ---- PostgreSQL's programs -----------------------------------------------------------------------


def _run(program: str, database: Mapping[str, Any], *arguments: str, output: BinaryIO | None = None) -> None:
    command = [_program(program), "--no-password", f"--dbname={address(database)}", *arguments]
    # Not on the command line, which every user of the machine can read.
    secret = {"PGPASSWORD": database["PASSWORD"]} if database.get("PASSWORD") else {}
    ended = subprocess.run(
        command,
        env={**os.environ, **secret},
        stdout=output or subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=partial(processes.die_with, os.getpid(), signal.SIGKILL),
        check=False,
    )
    if ended.returncode:
        said = ended.stderr.decode(errors="replace").strip()
        raise NoBackup(said or f"{program} ended with {ended.returncode}.")


def _program(name: str) -> str:
    """Return the path of a PostgreSQL program: from the server's folder, else from PATH. Raises NoBackup."""
    try:
        beside_server = postgres.find_programs() / name
        if beside_server.exists():
            return str(beside_server)
    except CannotServe:
        pass
    on_path = shutil.which(name)
    if on_path is None:
        raise NoBackup(f"There is no {name}. Install PostgreSQL's client programs.")
    return on_path


def address(database: Mapping[str, Any]) -> str:
    """Return the database's address for libpq, without the password."""
    named = {libpq: database.get(name) for name, libpq in _NAMES.items()}
    options = {name: database.get("OPTIONS", {}).get(name) for name in LIBPQ}
    return make_conninfo(**{name: value for name, value in {**named, **options}.items() if value})


def url(database: Mapping[str, Any]) -> str:
    """Return the database's address as in `DATABASE_URL`."""
    user, password = (quote(database.get(name) or "", safe="") for name in ("USER", "PASSWORD"))
    options = {key: value for key, value in database.get("OPTIONS", {}).items() if key in LIBPQ}
    query = urlencode({**options, **({"host": database["HOST"]} if database.get("HOST") else {})})
    port = f":{database['PORT']}" if database.get("PORT") else ""
    name = quote(database["NAME"], safe="")
    return f"postgresql://{user}{':' if password else ''}{password}@{port}/{name}?{query}"


def run_on(database: Mapping[str, Any], *arguments: str) -> str:
    """Run a command of manage.py on a database beside; return what it said if it failed."""
    with tempfile.TemporaryDirectory(prefix="trefoil-drill-") as folder:
        given = {name: value for name, value in os.environ.items() if name not in _NOT_THERE}
        given |= {
            "CELERY_BROKER_URL": settings.CELERY_BROKER_URL,
            "DATABASE_URL": url(database),
            "DJANGO_SETTINGS_MODULE": "league.ops.settings",
            "PYTHONPATH": os.pathsep.join(filter(None, [str(TOP), os.environ.get("PYTHONPATH")])),
            "TREFOIL_DATA": folder,
        }
        ended = subprocess.run(
            [sys.executable, "-m", "django", *arguments],
            env=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            preexec_fn=partial(processes.die_with, os.getpid(), signal.SIGKILL),
            check=False,
        )
    said = ended.stdout.strip() or f"{arguments[0]} ended with {ended.returncode}"
    return said if ended.returncode else ""

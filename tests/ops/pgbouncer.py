"""A real PgBouncer in transaction mode before the database of the test run."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from django.db import connection

from league.ops import folders, postgres, processes
from league.ops.servers import Server, open_home
from tests import installing

_PORT = "6432"


class PgBouncer(Server):
    """A pooler with two connections to the server, so that each transaction may get another one."""

    name = "PgBouncer"
    stops_by = signal.SIGINT
    breaks_by = signal.SIGKILL
    instead = "PATH"

    def __init__(self, data: Path) -> None:
        super().__init__(data / "pgbouncer")
        self.sockets = folders.socket_folder(self.home)
        self.pid_file = self.home / "pgbouncer.pid"
        self._settings = self.home / "pgbouncer.ini"

    def user(self) -> processes.User | None:
        return processes.server_user()

    def prepare(self) -> None:
        open_home(self.home, self.user())
        given = connection.settings_dict
        server = {name: given[name.upper()] for name in ("host", "port", "user", "password")}
        where = " ".join(f"{name}='{value}'" for name, value in server.items() if value)
        self._settings.write_text(
            f"[databases]\n* = {where}\n"
            f"[pgbouncer]\nlisten_port = {_PORT}\nunix_socket_dir = {self.sockets}\n"
            f"pidfile = {self.pid_file}\n"
            "auth_type = any\npool_mode = transaction\ndefault_pool_size = 2\nserver_round_robin = 1\n"
        )

    def command(self) -> list[str]:
        return [str(installing.pgbouncer()), str(self._settings)]

    def answers(self) -> bool:
        try:
            with psycopg.connect(host=str(self.sockets), port=_PORT, user="any", dbname="pgbouncer"):
                return True
        except psycopg.OperationalError:
            return False

    def question(self) -> tuple[Path, bytes]:
        return self.sockets / f".s.PGSQL.{_PORT}", postgres.greeting("any", "pgbouncer")

    @property
    def url(self) -> str:
        """The URL of the run's database behind the pooler."""
        return f"postgresql://any@:{_PORT}/{connection.settings_dict['NAME']}?host={self.sockets}"


@contextmanager
def running(data: Path) -> Iterator[PgBouncer]:
    """Run a pooler for a while."""
    server = PgBouncer(data)
    server.start()
    try:
        yield server
    finally:
        server.stop()

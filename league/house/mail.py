"""Where mails go: to a mail server, or into files where none is named."""

from email.utils import parseaddr
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from league.house import places
from league.house.environment import BadSetting

_SECONDS = 10


def settings(url: str, folder: Path) -> dict[str, Any]:
    """Return Django's settings for an `EMAIL_URL`; without one, mails become files in a folder of ours.

    `smtp://user:password@host:587` speaks TLS after the greeting (`?tls=0`: never), `smtps://…:465` from the
    beginning. Raises BadSetting.
    """
    if not url:
        # A mail can hold a link that opens an account: nobody else may read the folder.
        return {
            "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
            "EMAIL_FILE_PATH": str(places.own_folder(folder, 0o700)),
        }
    parts = urlsplit(url)
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname:
        raise BadSetting(
            "EMAIL_URL must read smtp://user:password@host:587 or smtps://user:password@host:465."
        )
    whole = parts.scheme == "smtps"
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or (465 if whole else 587),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": whole,
        "EMAIL_USE_TLS": not whole and dict(parse_qsl(parts.query)).get("tls") != "0",
        "EMAIL_TIMEOUT": _SECONDS,
    }


def domain(sender: str) -> str:
    """Return the domain of a sender such as ``Trefoil <cards@club.example>``. Raises BadSetting."""
    name, _at, found = parseaddr(sender)[1].rpartition("@")
    if not name or not found:
        raise BadSetting(f"EMAIL_FROM is {sender!r}: write an address such as Trefoil <cards@club.example>.")
    return found

"""Typed reading of environment variables. An empty variable counts as unset."""

import os
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

ADDRESS = r"https?://[^\s/?#@]+(?:/[^\s?#]*)?"
"""The pattern of the address of a site, or of what is below it."""


class BadSetting(ValueError):
    """A variable, or the file in its place, is invalid; the message names it and says what is valid."""


def text(name: str, default: str = "") -> str:
    """Return a variable as text."""
    return os.environ.get(name) or default


def flag(name: str) -> bool:
    """Return a boolean variable: 1, true, yes or on, or 0, false, no, off or nothing."""
    match text(name).strip().lower():
        case "1" | "true" | "yes" | "on":
            return True
        case "" | "0" | "false" | "no" | "off":
            return False
        case other:
            raise BadSetting(f"{name} is {other!r}: write 1 or 0.")


def number(name: str, default: int, least: int = 0) -> int:
    """Return a variable as a whole number that is not less than the least one."""
    value = text(name, str(default)).strip()
    if not (value.isascii() and value.isdigit()) or int(value) < least:
        raise BadSetting(f"{name} is {value!r}: write a whole number{f' from {least}' if least else ''}.")
    return int(value)


def matching(name: str, default: str, pattern: str, such_as: str) -> str:
    """Return a variable that is as the pattern says."""
    value = text(name, default).strip()
    if not re.fullmatch(pattern, value):
        raise BadSetting(f"{name} is {value!r}: write {such_as}.")
    return value


def items(name: str) -> list[str]:
    """Return a variable's comma-separated parts, without blanks and empty ones."""
    return [part.strip() for part in text(name).split(",") if part.strip()]


def parts_of(name: str, url: str) -> SplitResult:
    """Return the parts of a variable's URL, which may have a password: a refusal does not say it."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - read to see whether it is one
    except ValueError:
        raise BadSetting(f"{name} is not a URL. In user and password write / as %2F, : as %3A.") from None
    return parts


def database(url: str, defaults: Mapping[str, str] = MappingProxyType({})) -> dict[str, Any]:
    """Return Django's `DATABASES` entry for a `postgresql://` URL; its query becomes libpq options.

    A folder with a unix socket can be in the query (`?host=/run/postgresql`) or, quoted, the host; several
    hosts, with commas, only in the query. The default options are those that the query does not name.
    """
    parts = parts_of("DATABASE_URL", url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise BadSetting(
            f"The URL of the database begins with {parts.scheme!r}: Trefoil needs postgresql://."
        )
    options = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "league.ops.database",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", unquote(parts.hostname or "")),
        "PORT": str(parts.port or ""),
        "OPTIONS": {**defaults, **options},
    }


def behind_pooler(database: Mapping[str, Any], direct: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry of a database behind a pooler in transaction mode; PostgreSQL itself is ``direct``.

    What a session keeps beyond a transaction, such as a prepared statement or a cursor, is used nowhere then.
    """
    options = {**database["OPTIONS"], "prepare_threshold": None}
    return {**database, "OPTIONS": options, "DISABLE_SERVER_SIDE_CURSORS": True, "DIRECT": direct}


def connect_directly() -> None:
    """Let this process, and those that it starts, connect to PostgreSQL itself, past a pooler."""
    if url := os.environ.pop("DATABASE_DIRECT_URL", None):
        os.environ["DATABASE_URL"] = url


def broker(url: str) -> str:
    """Return the URL of a broker. Raises BadSetting for an unsupported scheme."""
    scheme = url.partition("://")[0]
    # Of Sentinels there are several, with a port each.
    if scheme != "sentinel":
        parts_of("CELERY_BROKER_URL", url)
    if scheme not in {"redis", "rediss", "redis+socket", "sentinel", "amqp", "amqps"}:
        raise BadSetting(f"CELERY_BROKER_URL begins with {scheme!r}: use redis:// or amqp:// (RabbitMQ).")
    return url

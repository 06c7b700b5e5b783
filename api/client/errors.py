"""Refusals of the server as exceptions: one class for each code that a program may want to handle."""

from collections.abc import Mapping, Sequence
from typing import Any, Final


class Unreachable(Exception):
    """The server did not answer, after all retries."""


class Problem(Exception):
    """A problem document (RFC 9457): ``code`` is for programs, ``detail`` for people.

    ``rule`` is the number of the rule that a move breaks, ``seq`` the number to use next, ``errors`` the
    sentences about wrong fields by path; each is empty or None where it does not apply. ``retry_after`` is
    how many seconds the server asks to wait.
    """

    def __init__(self, status: int, document: Mapping[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        self.retry_after = retry_after
        self.code: str = document.get("code", "")
        self.title: str = document.get("title", "")
        self.detail: str = document.get("detail", "")
        self.rule: str | None = document.get("rule")
        self.seq: int | None = document.get("seq")
        self.errors: Mapping[str, Sequence[str]] = document.get("errors") or {}
        super().__init__(self.detail or self.title or f"status {status}")


class Malformed(Problem):
    """The request is wrong: ``errors`` says where."""


class NotLoggedIn(Problem):
    """There is no token, or it is not valid."""


class NotAllowed(Problem):
    """The account or the token lacks a permission."""


class NotFound(Problem):
    """There is nothing at the address."""


class Stale(Problem):
    """The log has new entries: read the game and decide again."""


class Illegal(Problem):
    """The rules do not allow it."""


class Throttled(Problem):
    """There were too many requests, also after the retries."""


class Unavailable(Problem):
    """The server has an error, also after the retries."""


_BY_STATUS: Final[Mapping[int, type[Problem]]] = {
    400: Malformed,
    401: NotLoggedIn,
    403: NotAllowed,
    404: NotFound,
    409: Stale,
    422: Illegal,
    429: Throttled,
    500: Unavailable,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}


def problem(status: int, document: object, retry_after: float | None = None) -> Problem:
    """Return the exception for an answer with an error; ``document`` is its JSON, if it has any."""
    members = document if isinstance(document, Mapping) else {}
    return _BY_STATUS.get(status, Problem)(status, members, retry_after)

"""What both clients do, without any input or output: requests, retries, pages and streams as steps.

An operation is a generator. It yields a `Request` and is sent the `Reply` (None if the server was not
reached), or yields a `Pause` and is sent None; it returns the answer. A client only runs it.
"""

import json
import random
import uuid
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar
from urllib.parse import urljoin

import httpx

from .errors import Problem, Throttled, Unavailable, Unreachable, problem

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """A request to an address below the API's, or to a whole one; ``again`` if it can be repeated."""

    method: str
    address: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)
    again: bool = True


@dataclass(frozen=True)
class Reply:
    """An answer of the server."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    def json(self) -> Any:
        """Return the JSON of the content, None if it is none."""
        try:
            return json.loads(self.content)
        except ValueError:
            return None

    @property
    def retry_after(self) -> float | None:
        """Return how many seconds the server asks to wait, None where it does not."""
        asked = self.headers.get("retry-after", "")
        return float(asked) if asked.isdecimal() else None

    def problem(self) -> Problem:
        """Return the exception for an answer with an error."""
        return problem(self.status, self.json(), self.retry_after)

    def answer(self, address: str) -> Any:
        """Return the JSON, None for an empty answer; raise `Unreachable` for what is not the API's."""
        if not self.content and self.status < 300:
            return None
        if self.status >= 300 or "json" not in self.headers.get("content-type", ""):
            raise Unreachable(f"what {address} answers (status {self.status}) is not the API's JSON")
        return self.json()


@dataclass(frozen=True)
class Pause:
    """A pause of so many seconds."""

    seconds: float


Steps: TypeAlias = Generator[Request | Pause, Reply | None, T]


@dataclass(frozen=True)
class Retries:
    """How often a request is repeated, and after how many seconds: twice as many each time."""

    most: int = 5
    first: float = 0.25
    longest: float = 20.0

    def pause(self, number: int, asked: float | None) -> Pause:
        """Return the pause before a repetition: as long as the server asks, or a random part of the time."""
        if asked is not None:
            return Pause(asked)
        return Pause(min(self.longest, self.first * 2**number) * random.uniform(0.5, 1))


LOST: Final = (httpx.TransportError, Throttled, Unavailable)
"""Errors after which a stream or a file is gone on with."""
PASSING: Final = (429, 500, 502, 503, 504)
"""Statuses after which the same request may succeed."""


def within(base: str, address: str) -> str:
    """Return a whole address below the API's; raise ValueError for any other: the token is the API's."""
    whole = urljoin(base, address)
    if not whole.startswith(base):
        raise ValueError(f"{address} does not lie below {base}")
    return whole


def sent(request: Request, retries: Retries) -> Steps[Any]:
    """Send a request, again while the server can't be reached or asks for it; return the JSON of the answer.

    Raises `Problem` and `Unreachable`.
    """
    reply = yield request
    for number in range(retries.most):
        # 429 says that nothing was done.
        if not (reply is None or reply.status in PASSING) or not (request.again or _refused(reply)):
            break
        yield retries.pause(number, reply.retry_after if reply else None)
        reply = yield request
    if reply is None:
        raise Unreachable(f"no answer to {request.method} {request.address}")
    if reply.status >= 400:
        raise reply.problem()
    return reply.answer(request.address)


def _refused(reply: Reply | None) -> bool:
    return reply is not None and reply.status == 429


def read(address: str, **query: Any) -> Request:
    """Return the request that reads an address."""
    return Request("GET", address, {name: value for name, value in query.items() if value is not None})


def create(address: str, body: object) -> Request:
    """Return the request that makes something: with a key of its own it can be repeated."""
    return Request("POST", address, body=body, headers={"Idempotency-Key": str(uuid.uuid4())})


def act(address: str, body: Mapping[str, Any]) -> Request:
    """Return the request of a verb: with ``seq`` it can be repeated."""
    return Request("POST", address, body=body, again="seq" in body)


def move(game: Mapping[str, Any], made: Mapping[str, Any], seq: int | None = None) -> Request:
    """Return the request of a move as the next entry of the game's log; repeated, it is made once.

    Its answer has the rows of the sheet that the game lacks; `whole` adds the others.
    """
    number = game["seq"] + 1 if seq is None else seq
    body = {"seq": number, "move": made}
    return Request("POST", f"games/{game['id']}/moves/", _since(game), body)


def again(game: Mapping[str, Any]) -> Request:
    """Return the request that reads a game again, without the rows of the sheet that it has; see `whole`."""
    return Request("GET", f"games/{game['id']}/", _since(game))


def with_known_rows(game: Mapping[str, Any], known: Mapping[str, Any]) -> Any:
    """Return a game as it was answered to `move` or `again`, with the rows that were known already."""
    if not _since(known):
        return game
    view = {**game["view"], "sheet": [*known["view"]["sheet"], *game["view"]["sheet"]]}
    return {**game, "view": view}


def _since(game: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the query that leaves out known rows of the sheet; empty for score cards, whose rows change."""
    view = game.get("view", {})
    rows = view.get("sheet", ()) if "unconfirmed" not in view else ()
    return {"sheet_after": rows[-1]["round"]} if rows else {}


def answer(game_id: str, verb: str) -> Request:
    """Return the request that answers an invitation: again it changes nothing."""
    return Request("POST", f"games/{game_id}/{verb}/", body={})


@dataclass
class Going:
    """How long something that is read for a while goes on: until too many attempts in a row get nothing."""

    retries: Retries
    address: str
    failures: int = 0

    def failed(self, error: Exception) -> float:
        """Return after how many seconds to try again, or raise `Problem` or `Unreachable`."""
        self.failures += 1
        if self.failures <= self.retries.most:
            asked = error.retry_after if isinstance(error, Problem) else None
            return self.retries.pause(self.failures, asked).seconds
        if isinstance(error, Problem):
            raise error
        raise Unreachable(f"no answer to GET {self.address}") from error


@dataclass(frozen=True)
class Event:
    """A server-sent event: its name, the parsed JSON of its data, and its id."""

    event: str
    data: Any
    id: str = ""


RUNNING: Final = ("invited", "active")
"""The statuses of a game that is not over."""
SILENCE: Final = 45.0
"""Seconds without a comment of the server after which a stream is dead."""


def is_after(event: Event, game: Mapping[str, Any]) -> bool:
    """Return whether an event of a game's stream is later than what is known of the game."""
    return event.event == "over" or int(event.id) > game["seq"]


@dataclass
class EventReader:
    """Reads a stream of server-sent events line by line.

    ``last_id`` is where a stream is resumed, after so many seconds as ``retry``.
    """

    last_id: str = ""
    retry: float = 2.0
    _fields: dict[str, str] = field(default_factory=dict)

    def feed(self, line: str) -> Event | None:
        """Take a line without its end; return an event if it ends one."""
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            known = f"{self._fields['data']}\n{value}" if name == "data" and "data" in self._fields else value
            if name:
                self._fields[name] = known
            return None
        fields, self._fields = self._fields, {}
        self.last_id = fields.get("id", self.last_id)
        if fields.get("retry", "").isdecimal():
            self.retry = int(fields["retry"]) / 1000
        if "data" not in fields:
            return None
        return Event(fields.get("event", "message"), json.loads(fields["data"]), fields.get("id", ""))

    @property
    def headers(self) -> Mapping[str, str]:
        """Return the headers of the request with which the stream begins or goes on."""
        resumed = {"Last-Event-ID": self.last_id} if self.last_id else {}
        return {"Accept": "text/event-stream", **resumed}

    def dropped(self) -> None:
        """Forget the part of an event that was read before the connection ended."""
        self._fields = {}

"""The client that waits for each answer."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, cast

import httpx

from . import requests
from .errors import Unreachable
from .requests import LOST, RUNNING, SILENCE, Event, EventReader, Going, Reply, Request, Retries, is_after
from .types import Entry, Game, Me, Move, Player, Ruleset


class Client:
    """The API at an address such as ``https://cards.example/api/v1``, for the account of a token.

    All methods raise `Problem` and `Unreachable`. ``transport`` replaces the network in tests.
    """

    def __init__(
        self,
        address: str,
        token: str = "",
        *,
        retries: Retries = Retries(),  # noqa: B008 - it is frozen
        transport: httpx.BaseTransport | None = None,
        timeout: float = 30.0,
    ) -> None:
        self._retries = retries
        self._base = f"{address.rstrip('/')}/"
        self._http = httpx.Client(
            base_url=self._base,
            headers={"Authorization": f"Bearer {token}"} if token else {},
            transport=transport,
            timeout=timeout,
        )

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    # ---- Anything --------------------------------------------------------------------------------

    def get(self, path: str, **query: Any) -> Any:
        """Return the JSON at a path below the API's address."""
        return self._ask(requests.read(path, **query))

    def act(self, path: str, **body: Any) -> Any:
        """Send a verb, such as ``competitions/<id>/draw/``; with ``seq`` it is repeated if need be."""
        return self._ask(requests.act(path, body))

    def create(self, path: str, **body: Any) -> Any:
        """Make something with a POST, once, whatever is repeated on the way."""
        return self._ask(requests.create(path, body))

    def each(self, path: str, **query: Any) -> Iterator[Any]:
        """Yield the results of a list, page by page as they are needed."""
        page = self.get(path, **query)
        while True:
            yield from page["results"]
            if not page["next"]:
                return
            page = self.get(page["next"])

    def lines(self, path: str, **query: Any) -> Iterator[Any]:
        """Yield the JSON of each line of a file as it comes, such as ``clubs/<slug>/games.ndjson``.

        Lines with a ``cursor`` are gone on with after the last one: if the connection is lost, and until no
        others come. A log, whose lines have none, is read once.
        """
        going, cursor = Going(self._retries, path), query.get("cursor")
        while True:
            asked, line = cursor, None
            try:
                for text in self._texts(path, {**query, "cursor": cursor}, {}):
                    going.failures, line = 0, json.loads(text)
                    cursor = line.get("cursor")
                    yield line
                if cursor == asked:
                    return
            except LOST as error:
                if line and not cursor:
                    raise Unreachable(f"the end of {path} is missing") from error
                time.sleep(going.failed(error))

    def stream(self, path: str, after: int | str | None = None) -> Iterator[Event]:
        """Yield the events of a stream as they come, from the one after an id; a lost connection is resumed.

        It has no end of its own: stop when you have seen what you wait for.
        """
        going, reader = Going(self._retries, path), EventReader("" if after is None else str(after))
        while True:
            try:
                for text in self._texts(path, {}, reader.headers):
                    if event := reader.feed(text):
                        going.failures = 0
                        yield event
            except LOST as error:
                time.sleep(going.failed(error))
            else:
                time.sleep(reader.retry)
            reader.dropped()

    def _texts(self, path: str, query: Mapping[str, Any], headers: Mapping[str, str]) -> Iterator[str]:
        """Yield the lines of an answer as they come."""
        asked = requests.read(path, **query)
        with self._http.stream(
            "GET",
            requests.within(self._base, path),
            params=dict(asked.query) or None,
            headers=dict(headers),
            timeout=httpx.Timeout(10, read=SILENCE),
        ) as answer:
            if answer.status_code >= 400:
                answer.read()
                raise Reply(answer.status_code, answer.headers, answer.content).problem()
            yield from answer.iter_lines()

    # ---- Games -----------------------------------------------------------------------------------

    def me(self) -> Me:
        """Return who calls, and as whom the caller plays in which clubs."""
        return cast("Me", self.get("me/"))

    def rulesets(self) -> Iterator[Ruleset]:
        """Yield the games that the server has."""
        return self.each("rulesets/")

    def players(self, club: str) -> Iterator[Player]:
        """Yield the players of a club."""
        return self.each(f"clubs/{club}/players/")

    def games(self, **filters: Any) -> Iterator[Any]:
        """Yield games as lists show them, the last opened first; ``awaited="me"`` those that wait for you."""
        return self.each("games/", **filters)

    def game(self, game_id: str) -> Game:
        """Return a game as the caller may see it."""
        return cast("Game", self.get(f"games/{game_id}/"))

    def open_game(
        self, club: str, ruleset: str, players: Sequence[str], options: Mapping[str, Any] | None = None
    ) -> Game:
        """Open a game of these players, in seat order; a member's game begins once all have accepted."""
        body = {"club": club, "ruleset": ruleset, "players": [*players], "options": dict(options or {})}
        return cast("Game", self.create("games/", **body))

    def accept(self, game_id: str) -> Game:
        """Accept the invitation to a game."""
        return cast("Game", self._ask(requests.answer(game_id, "accept")))

    def decline(self, game_id: str) -> Game:
        """Decline the invitation to a game."""
        return cast("Game", self._ask(requests.answer(game_id, "decline")))

    def move(self, game: Game, move: Move, seq: int | None = None) -> Game:
        """Make a move as the next entry of the game's log, and return the game after it.

        The request is repeated with the same ``seq`` if an answer is lost: the move is made once. Rows of the
        score sheet that ``game`` has are not sent again, except those of score cards, which change.
        """
        return cast("Game", requests.with_known_rows(self._ask(requests.move(game, move, seq)), game))

    def entries(self, game_id: str, after: int = 0) -> Iterator[Entry]:
        """Yield the entries of a game's log after one."""
        return self.each(f"games/{game_id}/moves/", after=after)

    def events(self, game_id: str, after: int = 0) -> Iterator[Event]:
        """Yield the events of a game as they come: a ``move`` for each entry, ``over`` as the last one."""
        for event in self.stream(f"games/{game_id}/events/", after):
            yield event
            if event.event == "over":
                return

    def turns(self, game_id: str) -> Iterator[Game]:
        """Yield the game each time that the caller may move, until it is over.

        Whoever does not move is asked again after the next entry of the log.
        """
        game, asked = self.game(game_id), 0
        news = self.events(game_id, game["seq"])
        while game["status"] in RUNNING:
            if game["choices"] and game["seq"] != asked:
                asked = game["seq"]
                yield game
            else:
                for event in news:
                    if is_after(event, game):
                        break
            game = requests.with_known_rows(self._ask(requests.again(game)), game)

    # ---- Running ---------------------------------------------------------------------------------

    def _ask(self, request: Request) -> Any:
        steps = requests.sent(request, self._retries)
        reply: Reply | None = None
        try:
            while True:
                step = steps.send(reply)
                if isinstance(step, Request):
                    reply = self._sent(step)
                else:
                    time.sleep(step.seconds)
                    reply = None
        except StopIteration as done:
            return done.value

    def _sent(self, request: Request) -> Reply | None:
        try:
            answer = self._http.request(
                request.method,
                requests.within(self._base, request.address),
                params=dict(request.query) or None,
                json=request.body,
                headers=dict(request.headers),
            )
        except httpx.TransportError:
            return None
        return Reply(answer.status_code, answer.headers, answer.content)

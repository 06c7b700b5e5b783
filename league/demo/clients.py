"""Bots as clients of the public API, with only a token and a URL, and the check of the logs that remain."""

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Event
from typing import Any, Final

import httpx

from games import rules, verifier
from games.engine.policy import Policy, Rememberer
from games.packages import policy_of

PATIENCE: Final = 0.2
"""Seconds before a request is repeated when the server does not answer."""
IDLE: Final = 0.02
"""Seconds to wait if it is no bot's turn."""
REST: Final = 0.03
"""Seconds before a table is polled again after it was another player's turn."""
LOOK_AROUND: Final = 0.5
"""Seconds after which a bot looks for new games."""


@dataclass(frozen=True)
class Player:
    """The player of a bot."""

    id: str
    token: str = field(repr=False)


@dataclass(frozen=True)
class Made:
    """A move that the server has confirmed, so that the log must have it."""

    game: str
    seq: int
    seat: int
    move: Mapping[str, Any]
    last: int
    """The number of the last entry that the answer knew."""
    head: str
    """Its hash."""


class Api:
    """The public API. Requests are repeated until there is an answer, which is always safe."""

    def __init__(self, url: str, token: str | None = None) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._client = httpx.Client(base_url=f"{url}/api/v1/", headers=headers, timeout=10)

    def get(self, path: str, **params: Any) -> Any:
        """Return the JSON at a path; raises httpx.HTTPStatusError."""
        return self._request("GET", path, params=params or None).raise_for_status().json()

    def text(self, path: str) -> str:
        """Return the text at a path; raises httpx.HTTPStatusError."""
        return self._request("GET", path).raise_for_status().text

    def listed(self, path: str, **params: Any) -> Iterator[Any]:
        """Yield the items of a list, page after page."""
        page = self.get(path, **params)
        yield from page["results"]
        while page["next"]:
            page = self.get(page["next"])
            yield from page["results"]

    def move(self, game: str, seq: int, move: Mapping[str, Any]) -> Any | None:
        """Return the game after a move, None for a conflict; raises httpx.HTTPStatusError."""
        answer = self._request("POST", f"games/{game}/moves/", json={"seq": seq, "move": move})
        return None if answer.status_code == httpx.codes.CONFLICT else answer.raise_for_status().json()

    def _request(self, method: str, path: str, **request: Any) -> httpx.Response:
        while True:
            try:
                answer = self._client.request(method, path, **request)
            except httpx.TransportError:
                time.sleep(PATIENCE)
                continue
            if answer.status_code == httpx.codes.TOO_MANY_REQUESTS or answer.is_server_error:
                time.sleep(float(answer.headers.get("Retry-After", PATIENCE)))
                continue
            return answer


class Seat:
    """A bot's seat in one game, with its policy's memory."""

    def __init__(self, api: Api, game: str) -> None:
        self.api, self.game = api, game
        self.policy: Policy | None = None
        self.known = 1
        self.rested = 0.0

    def moves(self) -> Iterator[Made]:
        """Make the seat's moves while it is its turn, and yield each that was confirmed."""
        if time.monotonic() < self.rested:
            return
        seen = self.api.get(f"games/{self.game}/")
        while seen and seen["you"] in seen["to_act"]:
            seq, seat, move = seen["seq"] + 1, seen["you"], self._chosen(seen)
            seen = self.api.move(self.game, seq, move)
            if seen:
                yield Made(self.game, seq, seat, move, last=seen["seq"], head=seen["head"])
        self.rested = time.monotonic() + REST

    def _chosen(self, seen: Any) -> Mapping[str, Any]:
        if seen["view"]["phase"] == "joining":
            return {"type": "ready"}
        policy = self.policy or policy_of(rules.find(seen["ruleset"]))
        if isinstance(policy, Rememberer):
            policy = self._reminded(policy, seen)
        self.policy = policy
        return policy.choose(seen["you"], seen["view"], seen["choices"])

    def _reminded(self, policy: Rememberer, seen: Any) -> Policy:
        """Return the policy after the entries that it does not know yet."""
        for entry in self.api.listed(f"games/{self.game}/moves/", after=self.known):
            last = entry["seq"] == seen["seq"]
            view = seen["view"] if last else self.api.get(f"games/{self.game}/at/{entry['seq']}/")
            policy, self.known = policy.after(seen["you"], entry, view), entry["seq"]
        return policy


class Bot:
    """A player's bot at all tables."""

    def __init__(self, url: str, player: Player) -> None:
        self.player = player
        self.api = Api(url, player.token)
        self.seats: dict[str, Seat] = {}
        self.looked = 0.0

    def moves(self) -> Iterator[Made]:
        """Make the player's moves at all tables."""
        if time.monotonic() > self.looked + LOOK_AROUND:
            running = self.api.listed("games/", player=self.player.id, status="active")
            self.seats = {
                game["id"]: self.seats.get(game["id"]) or Seat(self.api, game["id"]) for game in running
            }
            self.looked = time.monotonic()
        for seat in self.seats.values():
            yield from seat.moves()


def play(url: str, players: Sequence[Player], made: "SimpleQueue[Made]", stop: Event) -> None:
    """Play for these players until ``stop`` is set, and report each move; the body of one process."""
    bots = [Bot(url, player) for player in players]
    while not stop.is_set():
        idle = True
        for bot in bots:
            for move in bot.moves():
                made.put(move)
                idle = False
        if idle:
            time.sleep(IDLE)


# ---- What is left, by the files of the logs ------------------------------------------------------

Key = tuple[str, int, int, str]
"""A move: its game, number, seat, and all of its content."""


class Failed(Exception):
    """The service does not do what it should; the message says what."""


def logs_of(url: str, competition: str) -> Mapping[str, Sequence[str]]:
    """Return the lines of the logs of a competition's games."""
    api = Api(url)
    games = [game["id"] for game in api.listed("games/", competition=competition)]
    return {game: api.text(f"games/{game}/log/").splitlines() for game in games}


def checked(logs: Mapping[str, Sequence[str]], made: Sequence[Made]) -> str:
    """Return how many moves were answered and found once, in chains that are whole; raise `Failed`.

    Each entry that an answer named by its hash must be there too, with the time and account that it had then.
    """
    for game, lines in logs.items():
        try:
            verifier.check(lines)
        except verifier.WrongLog as wrong:
            raise Failed(f"The log of game {game} is wrong: {wrong}") from wrong
    entries = {game: [*entries_of(lines)] for game, lines in logs.items()}
    logged, answered = Counter(_logged(entries)), Counter(map(_answered, made))
    lost, more = answered - logged, logged - answered
    if lost or more:
        raise Failed(
            f"{lost.total()} answered moves are lost, {more.total()} were never answered: {lost} {more}"
        )
    hashes = {(game, entry["seq"]): entry["hash"] for game in entries for entry in entries[game]}
    if others := [each for each in made if hashes.get((each.game, each.last)) != each.head]:
        raise Failed(f"{len(others)} answers named an entry that is another one in the log: {others}")
    return f"{answered.total()} answered moves are in {len(logs)} logs, each once, and all chains are whole"


def entries_of(lines: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """Yield the entries of a log."""
    return (entry for entry in map(json.loads, lines) if "seq" in entry)


def _logged(logs: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[Key]:
    for game, entries in logs.items():
        for entry in entries:
            if entry["role"] == "seat":
                yield game, entry["seq"], entry["seat"], _content(entry["move"])


def _answered(made: Made) -> Key:
    return made.game, made.seq, made.seat, _content(made.move)


def _content(move: Mapping[str, Any]) -> str:
    return json.dumps(move, sort_keys=True)

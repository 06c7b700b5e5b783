"""Bots as clients of the public API. Nothing here knows more than a token and an address."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Event
from typing import Any, Final

import httpx

from games.bots import POLICIES, Policy, Rememberer

PATIENCE: Final = 0.2
"""Seconds before a server that is gone is asked again."""
IDLE: Final = 0.02
"""Seconds to wait where it is nobody's turn."""
REST: Final = 0.03
"""Seconds before a table is looked at again where it was somebody else's turn."""
LOOK_AROUND: Final = 0.5
"""Seconds after which a bot without a turn looks for new games."""


@dataclass(frozen=True)
class Player:
    """Who a bot plays for."""

    id: str
    token: str = field(repr=False)


@dataclass(frozen=True)
class Made:
    """A move that the server has answered: whatever happens to the server, the log must hold it."""

    game: str
    seq: int
    seat: int
    move: Mapping[str, Any]


class Api:
    """The public API, asked until it answers: a retry is always safe."""

    def __init__(self, url: str, token: str | None = None) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._client = httpx.Client(base_url=f"{url}/api/v1/", headers=headers, timeout=10)

    def get(self, path: str, **params: Any) -> Any:
        """Return the JSON at a path; raises httpx.HTTPStatusError."""
        return self._asked("GET", path, params=params).raise_for_status().json()

    def text(self, path: str) -> str:
        """Return the text at a path; raises httpx.HTTPStatusError."""
        return self._asked("GET", path).raise_for_status().text

    def listed(self, path: str, **params: Any) -> Iterator[Any]:
        """Yield what a list holds, page after page."""
        page = self.get(path, **params)
        yield from page["results"]
        while page["next"]:
            page = self.get(page["next"])
            yield from page["results"]

    def move(self, game: str, seq: int, move: Mapping[str, Any]) -> Any | None:
        """Return the game after a move, or None where the log had gone on; raises httpx.HTTPStatusError."""
        answer = self._asked("POST", f"games/{game}/moves/", json={"seq": seq, "move": move})
        return None if answer.status_code == httpx.codes.CONFLICT else answer.raise_for_status().json()

    def _asked(self, method: str, path: str, **request: Any) -> httpx.Response:
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
    """A bot's place in one game, with what its policy remembers of it."""

    def __init__(self, api: Api, game: str) -> None:
        self.api, self.game = api, game
        self.policy: Policy | None = None
        self.told = 1
        self.rested = 0.0

    def moves(self) -> Iterator[Made]:
        """Make the moves that are the seat's to make now, and yield each that was answered."""
        if time.monotonic() < self.rested:
            return
        seen = self.api.get(f"games/{self.game}/")
        while seen and seen["you"] in seen["to_act"]:
            made = Made(self.game, seen["seq"] + 1, seen["you"], self._chosen(seen))
            seen = self.api.move(self.game, made.seq, made.move)
            if seen:
                yield made
        self.rested = time.monotonic() + REST

    def _chosen(self, seen: Any) -> Mapping[str, Any]:
        if seen["view"]["phase"] == "joining":
            return {"type": "ready"}
        policy = self.policy or POLICIES[seen["ruleset"].partition("@")[0]]
        if isinstance(policy, Rememberer):
            policy = self._reminded(policy, seen)
        self.policy = policy
        return policy.choose(seen["you"], seen["view"], seen["choices"])

    def _reminded(self, policy: Rememberer, seen: Any) -> Policy:
        """Return the policy after the entries that it has not been told of."""
        for entry in self.api.listed(f"games/{self.game}/moves/", after=self.told):
            last = entry["seq"] == seen["seq"]
            view = seen["view"] if last else self.api.get(f"games/{self.game}/at/{entry['seq']}/")
            policy, self.told = policy.after(seen["you"], entry, view), entry["seq"]
        return policy


class Bot:
    """A player's bot at all of its tables."""

    def __init__(self, url: str, player: Player) -> None:
        self.player = player
        self.api = Api(url, player.token)
        self.seats: dict[str, Seat] = {}
        self.looked = 0.0

    def moves(self) -> Iterator[Made]:
        """Make the moves that are the player's to make now, at all tables."""
        if time.monotonic() > self.looked + LOOK_AROUND:
            running = self.api.listed("games/", player=self.player.id, status="active")
            self.seats = {
                game["id"]: self.seats.get(game["id"]) or Seat(self.api, game["id"]) for game in running
            }
            self.looked = time.monotonic()
        for seat in self.seats.values():
            yield from seat.moves()


def play(url: str, players: Sequence[Player], made: "SimpleQueue[Made]", stop: Event) -> None:
    """Play for these players until told to stop, and report each move; the body of one process."""
    bots = [Bot(url, player) for player in players]
    while not stop.is_set():
        idle = True
        for bot in bots:
            for move in bot.moves():
                made.put(move)
                idle = False
        if idle:
            time.sleep(IDLE)

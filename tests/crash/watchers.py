"""Those who watch games while everything goes wrong: a stream that ends is resumed where it was."""

import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

import httpx

from api.client.requests import EventReader
from league.demo.clients import Api, Failed, entries_of

_SILENCE_SECONDS: Final = 20
"""A stream that is well says something every 15 seconds."""
_MOST_PAUSE: Final = 1.0


class Watcher(threading.Thread):
    """Watches one game after the other, each from its beginning; ``seen`` has the hashes in their order."""

    def __init__(self, url: str, competition: str, number: int) -> None:
        super().__init__(daemon=True)
        self.seen: dict[str, list[str]] = {}
        self.arrived: dict[tuple[str, int], float] = {}
        self.connections = 0
        self.error = ""
        self._api, self._competition, self._number = Api(url), competition, number
        self._client = httpx.Client(base_url=f"{url}/api/v1/", timeout=_SILENCE_SECONDS)
        self._stop = threading.Event()

    def run(self) -> None:
        """Watch until `stop`."""
        while not self._stop.is_set():
            query = {"competition": self._competition, "status": "active"}
            games = [game["id"] for game in self._api.listed("games/", **query)]
            if new := [game for game in games if game not in self.seen]:
                self._watch(new[self._number % len(new)])
            time.sleep(0.2)

    def _watch(self, game: str) -> None:
        self.seen[game] = []
        reader = EventReader()
        while not self._stop.is_set():
            with suppress(httpx.TransportError):
                if self._is_over(game, reader):
                    return
            reader.dropped()
            self._stop.wait(min(reader.retry, _MOST_PAUSE))

    def _is_over(self, game: str, reader: EventReader) -> bool:
        """Read a stream to its end; return whether the game has ended too."""
        with self._client.stream("GET", f"games/{game}/events/", headers=reader.headers) as stream:
            if stream.is_server_error:
                return False
            if not stream.is_success:
                self.error = f"{game}: a stream was answered {stream.status_code}"
                return True
            self.connections += 1
            for line in stream.iter_lines():
                event = reader.feed(line)
                if event and event.event == "over":
                    return True
                if event:
                    self.seen[game].append(event.data["hash"])
                    self.arrived[game, int(event.id)] = time.monotonic()
                if self._stop.is_set():
                    return False
        return False

    def stop(self) -> None:
        """Watch no longer."""
        self._stop.set()


class Watchers:
    """All who watch the games of a competition."""

    def __init__(self, url: str, competition: str, count: int) -> None:
        self._watchers = [Watcher(url, competition, number) for number in range(count)]

    def start(self) -> None:
        """Let them watch."""
        for watcher in self._watchers:
            watcher.start()

    def stop(self) -> None:
        """Let them watch no longer."""
        for watcher in self._watchers:
            watcher.stop()

    def know(self, answered: Mapping[tuple[str, int], float], until: float) -> bool:
        """Return whether they have seen all that was answered until a time, in the games that they watch."""
        return not any(self._missing(watcher, answered, until) for watcher in self._watchers)

    @staticmethod
    def _missing(watcher: Watcher, answered: Mapping[tuple[str, int], float], until: float) -> bool:
        watched = {game for game in [*watcher.seen] if watcher.arrived.keys() & {(game, 1), (game, 2)}}
        return any(
            key[0] in watched and at < until and key not in watcher.arrived for key, at in [*answered.items()]
        )

    def longest_lag(self, answered: Mapping[tuple[str, int], float], since: float) -> float:
        """Return the most seconds from an answer of after a time to its event."""
        lags = (
            max(at - answered[key], 0.0)
            for watcher in self._watchers
            for key, at in [*watcher.arrived.items()]
            if key in answered and answered[key] > since
        )
        return max(lags, default=0.0)

    def checked(self, logs: Mapping[str, Sequence[str]], *, undone: bool = False) -> str:
        """Return how many events were seen, each once and in order; raise `Failed`.

        Where a failover has undone entries that nobody had an answer to, what replaced them is seen as well,
        but not where a stream was resumed when another entry had that number.
        """
        for watcher in self._watchers:
            if watcher.error:
                raise Failed(watcher.error)
            for game, seen in watcher.seen.items():
                entries = [*entries_of(logs[game])]
                hashes = [entry["hash"] for entry in entries]
                if undone:
                    told = {number for of, number in watcher.arrived if of == game}
                    seen = [each for each in seen if each in hashes]
                    hashes = [
                        each["hash"] for each in entries if each["hash"] in seen or each["seq"] not in told
                    ]
                if seen != hashes[: len(seen)]:
                    raise Failed(
                        f"A stream of game {game} has a gap, something twice or another entry: {seen}"
                    )
        events = sum(len(seen) for watcher in self._watchers for seen in watcher.seen.values())
        connections = sum(watcher.connections for watcher in self._watchers)
        games = sum(len(watcher.seen) for watcher in self._watchers)
        return (
            f"{events} events of {games} watched games came once and in order, in {connections} connections"
        )

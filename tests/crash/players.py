"""Players of a league while everything goes wrong: each sends a request again until it is answered."""

import threading
import time
from collections.abc import Sequence
from typing import Any, Final

import httpx

from league.demo.clients import Api, Bot, Failed, Made, Player

_THINKS: Final = 0.15
"""Seconds between moves, so that a small machine has time for the cluster."""
_ANSWER_SECONDS: Final = 60


class Watched(Api):
    """The API, with the time that each answer took, tries included; one thread uses it."""

    def __init__(self, url: str, token: str) -> None:
        super().__init__(url, token)
        self.answers: list[tuple[float, float]] = []
        self.waiting_since: float | None = None
        self.refusals = 0
        self._client.event_hooks = {"response": [self._count]}

    def _count(self, answer: httpx.Response) -> None:
        """Count an answer that asks for patience; one that does not say how long is an error."""
        if answer.status_code == httpx.codes.SERVICE_UNAVAILABLE:
            self.refusals += int(answer.headers["Retry-After"]) > 0

    def _request(self, method: str, path: str, **request: Any) -> httpx.Response:
        began = self.waiting_since = time.monotonic()
        answer = super()._request(method, path, **request)
        self.waiting_since = None
        self.answers.append((began, time.monotonic()))
        return answer


class Players:
    """All players of a league, each a thread; ``times`` says when each move was answered."""

    def __init__(self, url: str, players: Sequence[Player]) -> None:
        self.made: list[Made] = []
        self.times: dict[tuple[str, int], float] = {}
        self._bots = [Bot(url, player) for player in players]
        self._apis = [Watched(url, player.token) for player in players]
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=self._play, args=each, daemon=True)
            for each in zip(self._bots, self._apis, strict=True)
        ]

    def start(self) -> None:
        """Let the players play."""
        for thread in self._threads:
            thread.start()

    def _play(self, bot: Bot, api: Watched) -> None:
        bot.api = api
        while not self._stop.is_set():
            for move in bot.moves():
                self.times[move.game, move.seq] = time.monotonic()
                self.made.append(move)
                time.sleep(_THINKS)
                if self._stop.is_set():
                    return
            time.sleep(_THINKS)

    def refusals(self) -> int:
        """Return how often anybody was asked for patience."""
        return sum(api.refusals for api in self._apis)

    def longest_wait(self, since: float) -> float:
        """Return the most seconds that anybody has waited for an answer since a time."""
        now = time.monotonic()
        waits = [end - began for api in self._apis for began, end in api.answers if end > since]
        waits += [now - began for api in self._apis if (began := api.waiting_since) is not None]
        return max(waits, default=0.0)

    def all_answered(self, since: float) -> bool:
        """Return whether everybody has had an answer to a request of after a time."""
        if not all(thread.is_alive() for thread in self._threads):
            raise Failed("A player has stopped; its error is above.")
        return all(api.answers and api.answers[-1][0] > since for api in self._apis)

    def stop(self) -> None:
        """Let everybody finish what was sent."""
        self._stop.set()
        for thread in self._threads:
            thread.join(_ANSWER_SECONDS)
            if thread.is_alive():
                raise Failed(f"A player had no answer in {_ANSWER_SECONDS} seconds.")

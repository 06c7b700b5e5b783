"""The run of the demo: bots in several processes, a progress bar, and a strict check at the end."""

import multiprocessing
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tqdm import tqdm

from league.demo import checker
from league.demo.checker import Failed
from league.demo.clients import Api, Made, Player, play

LOOK_EVERY: Final = 0.25
SETTLE_SECONDS: Final = 120
"""How long the worker may take for the last standings."""


@dataclass(frozen=True)
class Outcome:
    """The numbers of games, moves and log entries, the time, and the final standings of the API."""

    games: int
    moves: int
    entries: int
    seconds: float
    standings: Sequence[Any]

    def __str__(self) -> str:
        return (
            f"{self.games} games, {self.moves} moves by bots over HTTP ({self.entries} log entries) "
            f"in {self.seconds:.1f} s: {self.moves / self.seconds:.0f} moves a second"
        )


class Course:
    """One competition that bots play to its end."""

    def __init__(self, url: str, competition: str, players: Sequence[Player], games: int) -> None:
        self.url, self.competition, self.players, self.games = url, competition, players, games
        self.api = Api(url)
        self.answered: list[Made] = []
        spawning = multiprocessing.get_context("spawn")
        self.made, self.stop, self.process = spawning.SimpleQueue(), spawning.Event(), spawning.Process

    def run(self, processes: int) -> Outcome:
        """Play all games and return the outcome; raises `Failed`."""
        shares = [self.players[number::processes] for number in range(processes)]
        bots = [
            self.process(target=play, args=(self.url, share, self.made, self.stop), daemon=True)
            for share in shares
            if share
        ]
        began = time.monotonic()
        for bot in bots:
            bot.start()
        try:
            self._watch(bots)
            seconds = time.monotonic() - began
            standings = self._settled()
        finally:
            self.stop.set()
            self._collect()
            for bot in bots:
                bot.join(10)
        self._collect()
        return Outcome(self.games, len(self.answered), self._checked(), seconds, standings)

    def _watch(self, bots: Sequence[multiprocessing.process.BaseProcess]) -> None:
        """Show the progress until the last game is over."""
        with tqdm(total=self.games, unit="game", desc="playing") as bar:
            while bar.n < self.games:
                time.sleep(LOOK_EVERY)
                self._collect()
                bar.update(len(self._finished()) - bar.n)
                bar.set_postfix(moves=len(self.answered))
                if not all(bot.is_alive() for bot in bots):
                    raise Failed("A bot has stopped. Its error is above.")

    def _finished(self) -> list[str]:
        path, only = "games/", {"competition": self.competition, "status": "finished"}
        return [game["id"] for game in self.api.listed(path, **only)]

    def _collect(self) -> None:
        while not self.made.empty():
            self.answered.append(self.made.get())

    def _settled(self) -> Sequence[Any]:
        """Return the standings once the worker has finished the competition; raises `Failed`."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while self.api.get(f"competitions/{self.competition}/")["status"] != "finished":
            if time.monotonic() > deadline:
                raise Failed("The worker has not finished the competition in two minutes.")
            time.sleep(LOOK_EVERY)
        return list(self.api.listed(f"competitions/{self.competition}/standings/"))

    def _checked(self) -> int:
        """Return the number of entries of all logs; raises `Failed` if one is wrong or misses a move."""
        logs = checker.logs_of(self.url, self.competition)
        checker.checked(logs, self.answered)
        return sum(len([*checker.entries_of(lines)]) for lines in logs.values())

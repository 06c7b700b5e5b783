"""The demo: its club, made by the same services as any other, bots in several processes, a progress bar, and
a strict check at the end.
"""

import multiprocessing
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.utils.text import slugify
from tqdm import tqdm

from games import rules
from league.callers import ByAccount
from league.core.drawing.draw import table_sizes
from league.core.verbs.entering import EnterPlayers
from league.core.verbs.start import StartCompetition
from league.demo import clients
from league.demo.clients import Api, Failed, Made, Player, play
from league.models import Account, Club, Competition
from league.services.accounts import create_account, create_token
from league.services.clubs import create_club
from league.services.competitions import open_competition
from league.services.players import create_player
from league.services.verbs import perform

# ---- The club ------------------------------------------------------------------------------------

NAMES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Juniper", "Larch", "Maple", "Oak", "Pine", "Rowan")


@dataclass(frozen=True)
class Setting:
    """The club and league that were made, and a player with a token for each bot."""

    club: Club
    competition: Competition
    players: tuple[Player, ...]
    games: int


@transaction.atomic
def set_up(*, ruleset: str, players: int, rounds: int, table_size: int) -> Setting:
    """Return a new club with players and a league that has started, independent of earlier ones."""
    mark = secrets.token_hex(3)
    owner = create_account(username=f"demo-{mark}")
    title = rules.find(ruleset).title
    club = create_club(by=owner, name=f"Demo club {mark}", slug=f"demo-{mark}", timezone="UTC")
    cast = tuple(_player(owner, club, number) for number in range(players))
    competition = _league(owner, club, f"{title} league {mark}", ruleset, rounds, table_size)
    for player in cast:
        perform(ByAccount(owner), competition=competition, verb=EnterPlayers((player.id,)))
    perform(ByAccount(owner), competition=competition, verb=StartCompetition())
    tables = len(table_sizes(players, rules.find(ruleset).seats, table_size))
    return Setting(club, competition, cast, rounds * tables)


def _league(owner: Account, club: Club, name: str, ruleset: str, rounds: int, size: int) -> Competition:
    plan = {
        "name": "League",
        "format": "rounds",
        "rounds": rounds,
        "table_size": size,
        "tie_breaks": ["head_to_head", "wins", "places", "score_difference"],
    }
    return open_competition(
        by=owner,
        club=club,
        name=name,
        ruleset=ruleset,
        options={},
        stages=[plan],
        pace="automatic",
        waits={"close_round": 0, "finish": 0},
    )


def _player(owner: Account, club: Club, number: int) -> Player:
    name = (
        f"{NAMES[number % len(NAMES)]} {number // len(NAMES) + 1}" if number >= len(NAMES) else NAMES[number]
    )
    account = create_account(username=f"{club.slug}-{slugify(name)}")
    player = create_player(by=owner, club=club, name=name, account=account)
    token = create_token(by=account, name="demo", scopes=["read", "play"])
    return Player(str(player.pk), token.secret)


# ---- The run -------------------------------------------------------------------------------------

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
        logs = clients.logs_of(self.url, self.competition)
        clients.checked(logs, self.answered)
        return sum(len([*clients.entries_of(lines)]) for lines in logs.values())

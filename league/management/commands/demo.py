"""`manage.py demo`: a club of bots plays a league over HTTP, while the worker computes its standings."""

import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import httpx
from django.core.management import CommandError
from django.core.management.base import BaseCommand

from games.bots import POLICIES
from league.demo.course import Course, Failed, Outcome
from league.house import places

START_SECONDS: Final = 120
USUAL: Final = "http://127.0.0.1:8000"


class Command(BaseCommand):
    """Sets up a club and a league, and plays every game with bots that know only the public API."""

    help = "Play a whole league with bots over HTTP, against the running server or one started for it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the size of the league."""
        parser.add_argument("--url", default="", help="address of the server (where this checkout serves)")
        parser.add_argument("--ruleset", default="scoops", choices=[*POLICIES], help="game (scoops)")
        parser.add_argument("--players", type=int, default=8, help="players in the league (8)")
        parser.add_argument("--rounds", type=int, default=5, help="rounds (5)")
        parser.add_argument("--table-size", type=int, default=4, help="players at a table (4)")
        parser.add_argument("--processes", type=int, default=4, help="processes that the bots share (4)")

    def handle(self, *, url: str, processes: int, **league: Any) -> None:
        """Play, and print what came of it. Exits with 1 where a game is lost, doubled or not verified."""
        from league.demo.setting import set_up

        url = url.rstrip("/") or running() or USUAL
        with served(url):
            setting = set_up(
                ruleset=league["ruleset"],
                players=league["players"],
                rounds=league["rounds"],
                table_size=league["table_size"],
            )
            address = f"{url}/competitions/{setting.competition.slug}/"
            self.stdout.write(f"{setting.competition} is on: {address}")
            try:
                outcome = Course(url, str(setting.competition.pk), setting.players, setting.games).run(
                    processes
                )
            except Failed as failure:
                raise CommandError(str(failure)) from failure
            self._tell(outcome, address)

    def _tell(self, outcome: Outcome, address: str) -> None:
        for row in outcome.standings:
            self.stdout.write(f"{row['rank']:>3}. {row['entry']['name']:<16} {row['points']:>8}")
        self.stdout.write(f"{outcome}; every log verified, nothing lost, nothing doubled")
        self.stdout.write(f"See {address}")


def running() -> str:
    """Return the address at which this checkout serves now, an empty text if it doesn't."""
    noted = places.noted_address()
    return noted if noted and _answers(noted) else ""


@contextmanager
def served(url: str) -> Iterator[None]:
    """Have a server at the address: the one that answers there, else our own for as long as it takes."""
    if _answers(url):
        yield
        return
    command = [sys.executable, str(places.TOP / "manage.py"), "up", "--port", str(httpx.URL(url).port or 80)]
    log = places.data_folder() / "demo-server.log"
    with log.open("w") as output:
        server = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        try:
            _wait(server, url, log)
            yield
        finally:
            server.terminate()
            server.wait()


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/api/v1/rulesets/", timeout=5).is_success
    except httpx.TransportError:
        return False


def _wait(server: "subprocess.Popen[bytes]", url: str, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not _answers(url):
        if server.poll() is not None or time.monotonic() > deadline:
            raise CommandError(f"No server came up at {url}; its words are in {log}.")
        time.sleep(0.2)

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
from django.conf import settings
from django.core.management import CommandError
from django.core.management.base import BaseCommand

from games import rules
from games.packages import has_bot
from league.demo.checker import Failed
from league.demo.course import Course, Outcome
from league.ops import folders

START_SECONDS: Final = 120
USUAL: Final = 8000


class Command(BaseCommand):
    """Sets up a club and a league; bots play every game through the public API."""

    help = "Play a whole league with bots over HTTP, against the running server or one started for it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        usual = settings.DEMO_RULESET
        parser.add_argument(
            "--port", type=int, help=f"port of the server (that of this checkout, or {USUAL})"
        )
        parser.add_argument("--url", default="", help="URL of the server, instead of a port")
        parser.add_argument("--ruleset", default=usual, choices=_played_by_bots(), help=f"game ({usual})")
        parser.add_argument("--players", type=int, default=8, help="players in the league (8)")
        parser.add_argument("--rounds", type=int, default=5, help="rounds (5)")
        parser.add_argument("--table-size", type=int, default=4, help="players at a table (4)")
        parser.add_argument("--processes", type=int, default=4, help="processes that the bots share (4)")

    def handle(self, *, port: int | None, url: str, processes: int, **league: Any) -> None:
        """Play, and print the standings. Exits with 1 if a move is lost or doubled, or a log is wrong."""
        from league.demo.setting import set_up

        url = url.rstrip("/") or (at(port) if port else running() or at(USUAL))
        with served(url):
            setting = set_up(
                ruleset=league["ruleset"],
                players=league["players"],
                rounds=league["rounds"],
                table_size=league["table_size"],
            )
            address = f"{url}/competitions/{setting.competition.slug}/"
            self.stdout.write(f"{setting.competition} has started: {address}")
            try:
                outcome = Course(url, str(setting.competition.pk), setting.players, setting.games).run(
                    processes
                )
            except Failed as failure:
                raise CommandError(str(failure)) from failure
            self._print(outcome, address)

    def _print(self, outcome: Outcome, address: str) -> None:
        for row in outcome.standings:
            self.stdout.write(f"{row['rank']:>3}. {row['entry']['name']:<16} {row['points']:>8}")
        self.stdout.write(f"{outcome}; every log is verified, no move is lost or doubled")
        self.stdout.write(f"See {address}")


def _played_by_bots() -> list[str]:
    return [key for key, ruleset in rules.NEWEST.items() if has_bot(ruleset)]


def at(port: int) -> str:
    """Return the URL of a port of this machine."""
    return f"http://127.0.0.1:{port}"


def running() -> str:
    """Return the URL at which this checkout serves now, empty for none."""
    noted = folders.noted_address()
    return noted if noted and _answers(noted) else ""


@contextmanager
def served(url: str) -> Iterator[None]:
    """Use the server at the URL, or start our own while it is needed."""
    if _answers(url):
        yield
        return
    command = [sys.executable, str(folders.TOP / "manage.py"), "up", "--port", str(httpx.URL(url).port or 80)]
    log = folders.data_folder() / "demo-server.log"
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
            raise CommandError(f"No server started at {url}. Its output is in {log}.")
        time.sleep(0.2)

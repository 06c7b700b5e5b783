"""`manage.py demo`: a club of bots plays a league over HTTP, while the worker computes its standings."""

import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import httpx
from django.conf import settings
from django.core.management import CommandError
from django.core.management.base import BaseCommand

from games import rules
from games.packages import has_bot
from league.demo.clients import Failed
from league.demo.course import Course, Outcome
from league.ops import folders, processes

START_SECONDS: Final = 600
"""How long a server may take to answer, on a machine that is busy with other things."""


class Command(BaseCommand):
    """Sets up a club and a league; bots play every game through the public API."""

    help = "Play a whole league with bots over HTTP, against the running server or one started for it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        usual = settings.DEMO_RULESET
        parser.add_argument("--port", type=int, help="port of the server (the one that runs, or a free one)")
        parser.add_argument("--url", default="", help="URL of a server that runs, instead of a port")
        parser.add_argument("--ruleset", default=usual, choices=_played_by_bots(), help=f"game ({usual})")
        parser.add_argument("--players", type=int, default=8, help="players in the league (8)")
        parser.add_argument("--rounds", type=int, default=5, help="rounds (5)")
        parser.add_argument("--table-size", type=int, default=4, help="players at a table (4)")
        parser.add_argument("--processes", type=int, default=4, help="processes that the bots share (4)")

    def handle(self, *, port: int | None, url: str, processes: int, **league: Any) -> None:
        """Play, and print the standings. Exits with 1 if a move is lost or doubled, or a log is wrong."""
        from league.demo.course import set_up

        with served(url.rstrip("/"), port) as url:
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


@contextmanager
def served(url: str, port: int | None) -> Iterator[str]:
    """Yield the URL of the server to use: the given one, or this checkout's, started if it doesn't run."""
    if url:
        yield url
        return
    with ExitStack() as stack:
        server = None if _is_up() else stack.enter_context(_started(port or 0))
        found = _reached(server)
        if port and httpx.URL(found).port != port:
            raise CommandError(f"The server of this checkout is already running, at {found}.")
        yield found


def _is_up() -> bool:
    """Return whether this checkout serves, or is about to."""
    for parts in ("all", "web"):
        lock = processes.Lock(folders.data_folder() / f"up-{parts}.lock")
        try:
            if not lock.try_to_take():
                return True
        finally:
            lock.release()
    return False


@contextmanager
def _started(port: int) -> Iterator["subprocess.Popen[bytes]"]:
    folders.note_address("")
    command = [sys.executable, str(folders.TOP / "manage.py"), "up", "--port", str(port)]
    with _log().open("w") as output:
        server = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        try:
            yield server
        finally:
            server.terminate()
            server.wait()


def _reached(server: "subprocess.Popen[bytes] | None") -> str:
    """Return the URL of this checkout's server once it answers: of the one started here, or another."""
    deadline = time.monotonic() + START_SECONDS
    while not ((url := folders.noted_address()) and _answers(url)):
        ended = server.poll() is not None if server else not _is_up()
        if ended or time.monotonic() > deadline:
            why = f"Its output is in {_log()}." if server else "The one of this checkout ended, or hangs."
            raise CommandError(f"No server answered. {why}")
        time.sleep(0.2)
    return url


def _log() -> Path:
    return folders.data_folder() / "demo-server.log"


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/api/v1/rulesets/", timeout=5).is_success
    except httpx.TransportError:
        return False

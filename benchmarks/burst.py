"""How soon results are recorded that come at once: ``python -m benchmarks.burst [--games 200]``.

In a throw-away PostgreSQL a competition has so many tables of two, and all their games are ended by the
service that takes moves. The messages about that are kept back until the last game is over, and then sent at
once to a broker and a worker of two processes. The time is taken until the competition's log has every result
and its standings are computed; processor time is that of the worker and the database. In the next round the
tasks are done in this process, one after another, to count their statements.
"""

import argparse
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from benchmarks.machine import described, seconds_of, server

GAMES: Final = 200
PROCESSES: Final = 2
ROUNDS: Final = 3
PATIENCE: Final = 120
PAUSE: Final = 0.05
PLAN: Final = {"name": "League", "format": "rounds", "rounds": ROUNDS + 1, "table_size": 2}


@contextmanager
def worker() -> Iterator[int]:
    """Provide broker and worker as `up` starts them; yield the worker's pid once it does tasks."""
    from celery import current_app

    from league.ops.embedded import Broker

    broker = Broker(Path(os.environ["TREFOIL_DATA"]))
    broker.start()
    command = [sys.executable, "-m", "league.ops.worker", str(PROCESSES)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + PATIENCE
        while not current_app.control.ping(timeout=1):
            assert time.monotonic() < until and process.poll() is None, "the worker doesn't start"
        yield process.pid
    finally:
        process.terminate()
        process.wait()
        broker.stop()


def next_round(by: Any, competition: Any) -> Sequence[Any]:
    """Draw and publish a round, after closing the one before; return its games."""
    from games.models import Game
    from league.core.verbs.draw import DrawRound
    from league.core.verbs.rounds import CloseRound, PublishRound
    from tests.league.acting import act

    competition.refresh_from_db()
    if competition.round:
        act(by, competition, CloseRound)
    act(by, competition, DrawRound)
    act(by, competition, PublishRound)
    return list(Game.objects.filter(club_game__competition=competition, status="active"))


def a_competition(games: int) -> tuple[Any, Any]:
    """Return an organiser and a competition that has started, with two entries for each game."""
    from benchmarks.standings import entered
    from league.core.verbs.start import StartCompetition
    from league.models import Account, Player
    from league.services.accounts import create_account
    from league.services.clubs import create_club
    from league.services.competitions import open_competition
    from tests.league.acting import act

    by = create_account(username="organiser")
    club = create_club(by=by, name="Benchmark")
    accounts = Account.objects.bulk_create(Account(username=f"player-{n}") for n in range(2 * games))
    players = Player.objects.bulk_create(
        Player(club=club, name=account.username, account=account) for account in accounts
    )
    competition = open_competition(
        by=by, club=club, name="Burst", ruleset="scoops", options={}, stages=[PLAN]
    )
    entered(by, competition, players)
    act(by, competition, StartCompetition)
    return by, competition


def end(by: Any, game: Any) -> None:
    """End a game by a decision of the organiser, which is its last move."""
    from league.callers import ByAccount
    from league.services.play import make_move

    move = {"type": "forfeit", "seat": 0, "reason": "left"}
    make_move(ByAccount(by), game_id=game.pk, seq=game.seq + 1, move=move)


def wait_for(competition: Any) -> None:
    """Wait until all ends are recorded, and the standings are those of the whole log; raise TimeoutError."""
    from django.db.models import F

    from league.models import ClubGame, Standings

    waiting = ClubGame.objects.filter(competition=competition, recorded=False)
    reach = Standings.objects.filter(competition=competition, as_of=F("competition__seq"))
    until = time.monotonic() + PATIENCE
    while waiting.exists() or not reach.exists():
        if time.monotonic() > until:
            raise TimeoutError(f"{waiting.count()} results are not recorded")
        time.sleep(PAUSE)


def measure(by: Any, competition: Any, games: int, postmaster: int) -> None:
    """Print what each of several bursts takes."""
    from league.ops import celery

    with worker() as pid:
        for _ in range(ROUNDS):
            playing, unsent = next_round(by, competition), list[Any]()
            ended = time.process_time()
            with patch("league.ops.celery.send", unsent.append):
                for game in playing:
                    end(by, game)
            ended = time.process_time() - ended
            spent, began = [*map(seconds_of, (pid, postmaster))], time.monotonic()
            for message in unsent:
                celery.send(message)
            wait_for(competition)
            taken = time.monotonic() - began
            work = [seconds_of(each) - was for each, was in zip((pid, postmaster), spent, strict=True)]
            sys.stdout.write(
                f"{games} results: {taken:.2f} s until all are recorded and ranked, processor {work[0]:.2f} "
                f"worker + {work[1]:.2f} database s; to end a game {ended / games * 1000:.1f} ms\n"
            )
            sys.stdout.flush()


def count(by: Any, competition: Any) -> None:
    """Print how many statements an end takes, and how many its result."""
    from django.db import connection

    from league import tasks

    statements = {"end": 0, "result": 0}
    left: list[tuple[str, ...]] = []
    kind = "end"

    def counted(execute: Callable[..., Any], *given: Any) -> Any:
        statements[kind] += 1
        return execute(*given)

    def send(message: Any) -> None:
        left.append((message.task.rpartition(".")[2], *message.args))

    with patch("league.ops.celery.send"):
        games = next_round(by, competition)
    with patch("league.ops.celery.send", send), connection.execute_wrapper(counted):
        for game in games:
            end(by, game)
        kind = "result"
        while left:
            task, *subjects = left.pop(0)
            getattr(tasks, task)(*subjects)
    ends, results = (total / len(games) for total in statements.values())
    sys.stdout.write(f"statements: {ends:.1f} an end, {results:.1f} a result\n")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    asked = parser.parse_args()
    sys.stdout.write(f"{described()}\n")
    with server() as postmaster:
        logging.disable(logging.INFO)
        with patch("league.ops.celery.send"):
            by, competition = a_competition(asked.games)
        measure(by, competition, asked.games, postmaster)
        count(by, competition)


if __name__ == "__main__":
    main()

"""How the cost of the move log grows with it: ``python -m benchmarks.growth [--entries N] [--plot FILE]``.

Two databases of a throw-away PostgreSQL: one is filled in steps with games of a year, up to ten million
entries or as many as are asked for, 3 GB for ten million; the other has one game. In each step both are asked
in turns for the same: to append to a game that was opened just now, and to read the log of a game, in the
full one any of all. Only processor time is counted, of the process that asks and of its database, and the
ratio is that of both. ``--plot`` writes a picture of the growth.

The logs are copies of one, whose chain holds under any id: no hash covers the id of a game.
"""

import argparse
import os
import random
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import process_time
from typing import Any, Final, TypeAlias
from uuid import UUID

from benchmarks.machine import described, server
from benchmarks.plots import Panel, svg

ENTRIES: Final = 10_000_000
STEPS: Final = 7
MONTHS: Final = 12
SEATS: Final = 4
ROUNDS, APPENDS, READS = 9, 100, 40
TOGETHER: Final = 50
"""Games that are copied by one statement."""
MEASURED: Final = {"append": "An append", "read": "Reading a game's log"}
Seconds: TypeAlias = dict[str, float]
"""Processor seconds of each."""


# ---- In a process with a database of its own -----------------------------------------------------


@dataclass
class Full:
    """A database, as one process sees it: its games, and one that goes on."""

    games: list[UUID]
    log: UUID

    def filled(self, entries: int) -> int:
        """Copy the log to games of a year until there are so many entries; return how many there are."""
        from django.db import connection

        from games.models.moves import Move

        length = Move.objects.filter(game=self.log).count()
        with connection.cursor() as cursor:
            # Nothing here is to be refused, and foreign keys need no check.
            cursor.execute("SET session_replication_role = replica")
            while len(self.games) * length < entries:
                ids = [new_id() for _ in range(TOGETHER)]
                copied(cursor, self.log, ids)
                self.games += ids
            cursor.execute("SET session_replication_role = origin")
            cursor.execute("ANALYZE games_move, games_game, games_seed")
            cursor.execute("CHECKPOINT")
        return len(self.games) * length

    def measured(self) -> Seconds:
        """Return the processor time of one append and of one read, of this process and its database."""
        from games import log
        from games.engine.replay import Actor
        from games.models import Game

        game = opened()
        log.latest(game)

        def append() -> None:
            game.refresh_from_db()
            seat = Actor("clock", game.awaited[0])
            move = {"type": "timeout"}
            log.append(game_id=game.pk, seq=game.seq + 1, actor=seat, move=move, account=None)

        read = iter(random.choices(self.games, k=READS + 1))
        append()
        return {
            "append": timed(append, APPENDS),
            "read": timed(lambda: log.entries(Game.objects.get(pk=next(read))), READS),
        }


def timed(call: Any, times: int) -> float:
    """Return the processor seconds of one call, of this process and of the database's for it."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        # Nanoseconds: the times that psutil gives are too coarse here.
        spent = Path(f"/proc/{cursor.fetchone()[0]}/schedstat")

    def seconds() -> float:
        return process_time() + int(spent.read_text(encoding="ascii").split()[0]) / 1e9

    before = seconds()
    for _ in range(times):
        call()
    return (seconds() - before) / times


def opened() -> Any:
    """Return a new game with a long way to go."""
    from games import log

    options = {"round_limit": 100, "turn_limit": 60, "target": 10}
    return log.open_game(ruleset="scoops", options=options, players=[None] * SEATS, account=None)


def played() -> UUID:
    """Return a game that bots have played."""
    from games import rebuilding
    from tests.rules.recording import Recorder

    recorder, pk = Recorder("scoops", SEATS, secret=bytes(32)), new_id()
    recorder.play()
    rebuilding.restore(game_id=pk, lines=[*recorder.lines()])
    return pk


def new_id() -> UUID:
    """Return the id of a game that was opened at any time of a year."""
    from games.engine.chain import RANDOM_BYTES, id_at
    from games.partitions import FIRST

    year = datetime(FIRST.year + 1, FIRST.month, 1, tzinfo=UTC) - FIRST
    return id_at(FIRST + random.random() * year, random.randbytes(RANDOM_BYTES))


def copied(cursor: Any, log: UUID, ids: Sequence[UUID]) -> None:
    """Write a game again, under each of some ids."""
    for table, key in (("games_game", "id"), ("games_seed", "game_id"), ("games_move", "game_id")):
        cursor.execute(
            "SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute WHERE attrelid = %s::regclass "
            "AND attnum > 0 AND NOT attisdropped AND attname NOT IN ('id', 'game_id')",
            [table],
        )
        (columns,) = cursor.fetchone()
        cursor.execute(
            f"INSERT INTO {table} ({key}, {columns}) SELECT new, {columns} "
            f"FROM {table} CROSS JOIN unnest(%s::uuid[]) AS new WHERE {key} = %s",
            [list(ids), log],
        )


def serve(asked: Connection) -> None:
    """Answer what is asked of this process's database."""
    import django

    django.setup()
    from django.core.management import call_command

    from games import partitions

    call_command("migrate", verbosity=0)
    for month in range(MONTHS):
        partitions.make_for(partitions.of_month(moment(month)).first or UUID(int=0))
    random.seed(1)
    log = played()
    full = Full([log], log)
    while (question := asked.recv()) is not None:
        name, *arguments = question
        asked.send(getattr(full, name)(*arguments))


def moment(month: int) -> datetime:
    """Return a time in one of the months that are filled."""
    from games.partitions import FIRST

    at = FIRST.month - 1 + month
    return datetime(FIRST.year + at // 12, at % 12 + 1, 2, tzinfo=UTC)


# ---- Here ----------------------------------------------------------------------------------------


@contextmanager
def database(name: str) -> Iterator[Connection]:
    """Provide a process with a database of its own, to which questions can be sent."""
    from django.db import connection

    from league.ops.postgres import Postgres

    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    url = Postgres(Path(os.environ["TREFOIL_DATA"])).url
    os.environ["DATABASE_URL"] = url.replace("@/trefoil?", f"@/{name}?")
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    try:
        yield ours
    finally:
        ours.send(None)
        process.join()


def ask(at: Connection, *question: Any) -> Any:
    """Return the answer to a question."""
    at.send(question)
    return at.recv()


@dataclass(frozen=True)
class Step:
    """What was measured with so many entries: medians of both in microseconds, and of the ratios."""

    entries: int
    full: Mapping[str, float]
    empty: Mapping[str, float]
    ratios: Mapping[str, float]


def compared(entries: int, full: Connection, empty: Connection) -> Step:
    """Return what both databases take, the full one with so many entries."""
    pairs = [(ask(full, "measured"), ask(empty, "measured")) for _ in range(ROUNDS)]
    in_full, in_empty = (
        {what: statistics.median(one[what] for one in side) * 1e6 for what in MEASURED}
        for side in zip(*pairs, strict=True)
    )
    ratios = {what: statistics.median(one[what] / other[what] for one, other in pairs) for what in MEASURED}
    return Step(entries, in_full, in_empty, ratios)


def plot(steps: Sequence[Step]) -> str:
    """Return the picture of the growth."""
    return svg(
        [
            Panel(
                f"{title}: processor time in µs",
                {
                    "in the growing log": [(step.entries, step.full[what]) for step in steps],
                    "in an empty one": [(step.entries, step.empty[what]) for step in steps],
                },
                "entries in the log",
            )
            for what, title in MEASURED.items()
        ]
    )


def main() -> None:
    """Fill, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=ENTRIES)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    sys.stdout.write(f"{described()}\n{'entries':>12}  append, µs  of empty    read, µs  of empty\n")
    steps = list[Step]()
    with server(), database("filled") as full, database("empty") as empty:
        for step in range(given.steps):
            wanted = 0 if step == 0 else given.entries >> (given.steps - 1 - step)
            steps.append(found := compared(ask(full, "filled", wanted), full, empty))
            columns = "".join(f"{found.full[what]:12,.0f}{found.ratios[what]:10.2f}" for what in MEASURED)
            sys.stdout.write(f"{found.entries:12,}{columns}\n")
            sys.stdout.flush()
    for what in MEASURED:
        sys.stdout.write(f"{what} in the full log, of that in an empty one: {steps[-1].ratios[what]:.2f}\n")
    if given.plot:
        given.plot.write_text(plot(steps), encoding="utf-8")


if __name__ == "__main__":
    main()

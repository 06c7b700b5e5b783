"""What it costs to compute all derived data again: ``python -m benchmarks.rebuild [--entries N]``.

It fills a throw-away PostgreSQL with competitions of bots, four at a table: half a million entries of games'
logs, or as many as are asked for. With 2,300,000 it is a tenth of the goal. The first ``manage.py rebuild``
writes all rows; the second is measured, writes them again, and must leave the same ones.

Most games are copies. Of each ruleset some are played, and the services make a competition of 32 entries of
them; its rows are copied, and the ids in its log replaced, so that each competition is rebuilt by itself.
"""

import argparse
import hashlib
import json
import os
import random
import re
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch
from uuid import UUID

import psutil

from benchmarks.machine import described, seconds_of, server
from league.ops.postgres import Postgres

ENTRIES: Final = 500_000
GOAL_ENTRIES: Final = 23_000_000
"""Those of 100,000 games of four."""
GOAL_CORES: Final = 2
RULESETS: Final = ("scamper", "scoops", "scram")
PLAYED, PLAYERS, ROUNDS, SEATS = 8, 32, 6, 4
PLAN: Final = {"name": "League", "format": "rounds", "rounds": ROUNDS, "table_size": SEATS}
ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
COMMAND: Final = [sys.executable, "-m", "django", "rebuild", "--anew"]


# ---- A server full of games ----------------------------------------------------------------------


def filled(entries: int) -> int:
    """Fill the database with at least so many entries; return how many there are."""
    from games.models.moves import Move

    with patch("league.ops.celery.send"):  # there is no broker
        templates = [played_competition(ruleset) for ruleset in RULESETS]
    copies = -(-entries // Move.objects.count())
    for number in range(1, copies):
        for competition in templates:
            copied(competition, str(number))
    return Move.objects.count()


def played_competition(ruleset: str) -> Any:
    """Return a competition of a club of its own, with all its games played."""
    from league.core.verbs.course import FinishCompetition
    from league.core.verbs.draw import DrawRound
    from league.core.verbs.entering import EnterPlayers
    from league.core.verbs.rounds import CloseRound, PublishRound
    from league.core.verbs.start import StartCompetition
    from league.models import Player
    from league.services.accounts import create_account
    from league.services.clubs import create_club
    from league.services.competitions import open_competition
    from tests.league.acting import act

    by = create_account(username=f"organiser-{ruleset}")
    club = create_club(by=by, name=f"Club of {ruleset}")
    players = [Player.objects.create(club=club, name=f"Player {number}").pk for number in range(PLAYERS)]
    competition = open_competition(
        by=by,
        club=club,
        name=ruleset.title(),
        ruleset=ruleset,
        options={},
        stages=[PLAN],
        waits={"close_round": 0, "finish": 0},
    )
    logs = recorded(ruleset)
    seeds = cycle(logs)
    secrets = SimpleNamespace(token_bytes=lambda _: next(seeds))
    for player in players:
        act(by, competition, EnterPlayers, players=[player])
    act(by, competition, StartCompetition)
    for number in range(1, ROUNDS + 1):
        act(by, competition, DrawRound)
        with patch("games.log.secrets", secrets):
            act(by, competition, PublishRound)
        finish_games(competition, number, logs)
        act(by, competition, CloseRound)
    act(by, competition, FinishCompetition)
    competition.refresh_from_db()
    return competition


def recorded(ruleset: str) -> Mapping[bytes, Sequence[Mapping[str, Any]]]:
    """Return the entries after the opening of games among bots, by the secret seed of each."""
    from tests.rules.recording import Recorder

    seeds, logs = random.Random(ruleset), {}
    for _ in range(PLAYED):
        game = Recorder(ruleset, SEATS, secret=seeds.randbytes(32))
        game.play()
        logs[game.secret] = game.entries[1:]
    return logs


def finish_games(competition: Any, number: int, logs: Mapping[bytes, Sequence[Mapping[str, Any]]]) -> None:
    """Write the logs of a round's games to their ends, and record the results."""
    from games import rebuilding
    from games.engine import chain
    from games.models import Game
    from games.models.moves import Move, Seed
    from league.models import ClubGame
    from league.services.automatic import record_result

    games = Game.objects.filter(club_game__table__round__number=number, club_game__competition=competition)
    for game in games:
        head, entries = game.head, []
        for entry in logs[bytes(Seed.objects.get(game=game).secret)]:
            head = chain.link(head, {name: entry[name] for name in entry if name != "hash"})
            entries.append(Move(game=game, **{**entry, "hash": head}))
        Move.objects.bulk_create(entries)
    rebuilding.rebuild([game.pk for game in games])
    for club_game in ClubGame.objects.filter(game__in=games):
        record_result(game_id=club_game.game_id)


def copied(competition: Any, suffix: str) -> None:
    """Write a competition again with its games, under other ids; only what is no derived row."""
    from django.db import connection

    from games.models import Game, Seat
    from games.models.moves import Move, Seed

    for model, key in ((Game, "id"), (Seed, "game_id"), (Seat, "game_id"), (Move, "game_id")):
        names = [
            str(f.column) for f in model._meta.concrete_fields if f.get_internal_type() != "BigAutoField"
        ]
        # The time in an id stays, so that there are partitions for the games.
        other = f"(left({key}::text, 14) || substr(md5({key} || %(suffix)s), 13))::uuid"
        values = [other if name == key else name for name in names]
        with connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {model._meta.db_table} ({', '.join(names)}) "
                f"SELECT {', '.join(values)} FROM {model._meta.db_table} WHERE {key} IN "
                "(SELECT game_id FROM league_clubgame WHERE competition_id = %(competition)s)",
                {"suffix": suffix, "competition": competition.pk},
            )
    copied_log(competition, suffix)


def copied_log(competition: Any, suffix: str) -> None:
    """Write the log of a competition again under other ids, but for those of its players and accounts."""
    from games.engine import chain
    from league.models import Account, Competition, Player
    from league.models.events import Event

    kept = {str(pk) for model in (Account, Player) for pk in model.objects.values_list("pk", flat=True)}

    def other(found: "re.Match[str]") -> str:
        if found[0] in kept:
            return found[0]
        digest = hashlib.md5((found[0] + suffix).encode()).hexdigest()
        return str(UUID(found[0][:14].replace("-", "") + digest[12:]))

    twin = Competition.objects.get(pk=competition.pk)
    twin.pk, twin.slug = UUID(ID.sub(other, str(competition.pk))), f"{competition.slug}-{suffix}"
    twin.save(force_insert=True)
    head, events = chain.ORIGIN, []
    for event in Event.objects.filter(competition=competition).order_by("seq"):
        event.pk, event.competition = None, twin
        event.event = json.loads(ID.sub(other, json.dumps(event.event)))
        event.hash = head = chain.link(head, event.as_json())
        events.append(event)
    Event.objects.bulk_create(events)


# ---- Measuring -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """What a rebuild took: seconds, those of processors for itself and for the database, and bytes."""

    seconds: float
    own: float
    database: float
    memory: int


def measured(postmaster: int, processes: int) -> Run:
    """Run the command; the memory is the most that its processes had together, shared pages shared out."""
    database, begun, memory = seconds_of(postmaster), time.monotonic(), 0
    url = Postgres(Path(os.environ["TREFOIL_DATA"])).url
    environment = {**os.environ, "DATABASE_URL": url, "CELERY_BROKER_URL": "redis://localhost:1"}
    running = psutil.Popen([*COMMAND, "--processes", str(processes)], env=environment)
    used: dict[int, float] = {}
    while running.poll() is None:
        with suppress(psutil.Error):
            parts = [running, *running.children(recursive=True)]
            memory = max(memory, sum(part.memory_full_info().pss for part in parts))
            used |= {part.pid: sum(part.cpu_times()[:2]) for part in parts}
        time.sleep(0.25)
    assert running.returncode == 0
    return Run(time.monotonic() - begun, sum(used.values()), seconds_of(postmaster) - database, memory)


def derived_rows() -> Mapping[str, str]:
    """Return a digest of the rows of each table, but for the logs of games."""
    from django.apps import apps
    from django.db import connection

    models = [model for model in apps.get_models() if model.__module__.startswith(("games.", "league."))]
    digests = {}
    with connection.cursor() as cursor:
        for table in {model._meta.db_table for model in models} - {"games_move"}:
            cursor.execute(f"SELECT md5(string_agg(row::text, '' ORDER BY row::text)) FROM {table} AS row")
            digests[table] = cursor.fetchone()[0]
    return digests


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=ENTRIES)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    sys.stdout.write(f"{described()}\n")
    with server() as postmaster:
        entries = filled(asked.entries)
        from games.models import Game
        from league.models import Competition

        games, competitions = (model.objects.count() for model in (Game, Competition))
        sys.stdout.write(f"{entries:,} entries of {games:,} games in {competitions} competitions\n")
        measured(postmaster, asked.processes)
        before = derived_rows()
        run = measured(postmaster, asked.processes)
        assert derived_rows() == before
        report(entries, run, asked.processes)


def report(entries: int, run: Run, processes: int) -> None:
    """Write what was measured, and what the goal would take."""
    both, share = run.own + run.database, GOAL_ENTRIES / entries / 60
    sys.stdout.write(
        f"{run.seconds:.1f} s, {entries / run.seconds:,.0f} entries a second on {processes} processes, "
        f"{run.memory / 2**20:.0f} MB\n"
        f"processor: {run.own:.1f} s of the rebuild and {run.database:.1f} s of the database, "
        f"{entries / both:,.0f} entries a second\n"
        f"{GOAL_ENTRIES:,} entries: {share * run.seconds:.1f} minutes at this pace, "
        f"{share * both / GOAL_CORES:.1f} on {GOAL_CORES} free cores\n"
    )


if __name__ == "__main__":
    main()

"""Partitions of the move log moved to files, and back, with every log verified on both ways.

A file is JSON Lines, compressed by gzip: ``{"partition": …}``, for each game ``{"game": id}`` and the lines
of its log as `games.verify` takes them, and last ``{"games": n, "entries": m}``. Games, seats, results and
seeds stay in the database.
"""

import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import BufferedRandom, BufferedReader
from itertools import groupby
from pathlib import Path
from typing import Final, TypeAlias
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Count, Q, QuerySet, Sum

from games import database_time, exports, partitions, rebuilding, verifier
from games.engine.chain import time_in
from games.models import Game
from games.models.games import Archive
from games.partitions import TABLE, Partition

_File: TypeAlias = BufferedReader | BufferedRandom
_DIGEST: Final = re.compile("[0-9a-f]{64}")
QUIET: Final = timedelta(days=30)
"""How long nothing may have been added to the logs of a month that is archived."""


class NotArchived(Exception):
    """The archive cannot be made or restored; the message says why."""


@dataclass(frozen=True)
class Counted:
    """How many games and entries an archive holds."""

    games: int
    entries: int


def archive(month: datetime, durable: AbstractContextManager[BufferedRandom]) -> Archive:
    """Move the log entries of the games that were opened in a month to a file, and return what it holds.

    ``durable`` provides the file, and has brought it to the disk when it ends. The same entries always make
    the same bytes. Raises NotArchived and `games.verifier.WrongLog`; then nothing has changed.
    """
    partition, now = partitions.of_month(month), database_time.asked()
    games = _checked(partition, now)
    try:
        with durable as file:
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                written = _write(packed, partition, games)
            if _count(file) != written:
                raise NotArchived("The file does not hold what was written to it.")
            digest = _digest(file)
    except FileExistsError:
        raise NotArchived("There is another file of this name. Choose another one.") from None
    except OSError as error:
        raise NotArchived(f"The file could not be brought to the disk: {error.strerror}.") from None
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {partition.table} IN ACCESS EXCLUSIVE MODE")
        cursor.execute(f"SELECT count(DISTINCT game_id), count(*) FROM {partition.table}")
        if Counted(*cursor.fetchone()) != written:
            raise NotArchived("Entries were written meanwhile. Try again.")
        cursor.execute(f"ALTER TABLE {TABLE} DETACH PARTITION {partition.table}")
        cursor.execute(f"DROP TABLE {partition.table}")
        return Archive.objects.create(
            partition=partition.table, digest=digest, archived_at=now, **vars(written)
        )


def _checked(partition: Partition, now: datetime) -> QuerySet[Game]:
    """Return the games of a partition that can be archived; raise NotArchived."""
    if Archive.objects.filter(partition=partition.table).exists():
        raise NotArchived("This month is archived already.")
    games = Game.kept.filter(partitions.games_of(partition)).order_by("pk")
    if why := _hindrance(partition, games, now):
        raise NotArchived(f"{why}.")
    return games


def _hindrance(partition: Partition | None, games: QuerySet[Game], at: datetime) -> str:
    """Return why games of a partition can't be archived at a time, nothing if they can."""
    if partition is None or partition.first is None or partition.end is None:
        return "This is no month with a table of its own"
    if at < time_in(partition.end):
        return "The month is not over"
    if not games.exists():
        return "No game was opened in this month"
    over = games.filter(status__in=(Game.Status.FINISHED, Game.Status.ABANDONED), moved_at__lt=at - QUIET)
    waiting = games.count() - over.count()
    return f"{waiting} games are not over, or not for {QUIET.days} days" if waiting else ""


def wrong_archives(imported: Callable[[datetime], Q] = lambda _: Q(pk__in=())) -> Iterator[str]:
    """Yield what archives hold, as they say, that `archive` could not have moved there and that is missing.

    ``imported`` are the games that were brought here since a time: what has gone back into an archived month.
    """
    for made in Archive.objects.all():
        partition = partitions.named(made.partition)
        games = Game.kept.filter(partitions.games_of(partition))
        missing, there = partitions.archived(games), partitions.with_logs(games)
        found = missing.aggregate(games=Count("pk"), entries=Sum("seq", default=0))
        if found != {"games": made.games, "entries": made.entries}:
            yield (
                f"archive {made.partition}: it has {made.games} games of {made.entries} entries, and "
                f"{found['games']} of {found['entries']} are missing here"
            )
        if why := _hindrance(partition, missing, made.archived_at):
            yield f"archive {made.partition}: it can't be of {made.archived_at:%Y-%m-%d}. {why}"
        if made.archived_at > database_time.asked() + database_time.TOLERANCE:
            yield f"archive {made.partition}: it is dated ahead of the database's clock"
        if not _DIGEST.fullmatch(made.digest):
            yield f"archive {made.partition}: its digest is none of a file"
        if more := there.exclude(imported(made.archived_at)).count():
            yield f"archive {made.partition}: {more} games have logs here, and were not imported since"


def _write(file: gzip.GzipFile, partition: Partition, games: QuerySet[Game]) -> Counted:
    """Write verified logs, and return how much it was."""

    def line(value: object) -> None:
        file.write(f"{json.dumps(value)}\n".encode())

    line({"partition": partition.table})
    for game in games.iterator():
        log = list(exports.lines(game))
        verifier.check(log)
        line({"game": str(game.pk)})
        file.writelines(f"{each}\n".encode() for each in log)
    counted = Counted(games.count(), games.aggregate(total=Sum("seq"))["total"])
    line(vars(counted))
    return counted


def restore(file: Path, wrong: Callable[[Sequence[UUID]], Iterator[str]] = lambda _: iter(())) -> Archive:
    """Bring the entries of an archive back into the log, and return what it held.

    ``wrong`` yields what is wrong with the logs of games once they are back. Raises NotArchived for that, for
    a file that is not the one that was written, or where a game has another head, and
    `games.verifier.WrongLog`; then nothing has changed.
    """
    try:
        with file.open("rb") as opened:
            made = Archive.objects.filter(digest=_digest(opened)).first()
            if made is None:
                raise NotArchived(f"{file} is no archive of what is missing here.")
            if _count(opened) != Counted(made.games, made.entries):
                raise NotArchived(f"{file} holds other games or entries than were moved to it.")
            with transaction.atomic():
                back = [_restore(pk, log) for pk, log in _logs(opened)]
                for each in wrong(back):
                    raise NotArchived(f"{each}.")
                Archive.objects.filter(pk=made.pk).delete()
        return made
    except OSError as error:
        raise NotArchived(f"{file} cannot be read: {error.strerror}.") from None


def _restore(pk: UUID, log: Sequence[str]) -> UUID:
    if not Game.objects.filter(pk=pk, head=verifier.check(log).head).exists():
        raise NotArchived(f"The game {pk} has another log.")
    partitions.make_for(pk)
    rebuilding.write_entries(pk, log)
    return pk


def _logs(file: _File) -> Iterator[tuple[UUID, Sequence[str]]]:
    """Yield each game of an archive with the lines of its log."""
    file.seek(0)
    with gzip.open(file, "rt", encoding="utf-8", newline="\n") as opened:
        game = None
        for begins, lines in groupby(opened, key=lambda line: line.startswith('{"game": ')):
            if begins:
                *_, last = lines
                game = UUID(json.loads(last)["game"])
            elif game is not None:
                yield game, [line for line in lines if not line.startswith('{"games": ')]


def _count(file: _File) -> Counted:
    """Return how much a file really holds; each log has a line with the seed besides its entries."""
    lengths = [len(log) - 1 for _game, log in _logs(file)]
    return Counted(len(lengths), sum(lengths))


def _digest(file: _File) -> str:
    file.seek(0)
    return hashlib.file_digest(file, "sha256").hexdigest()

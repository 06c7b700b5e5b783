"""The partitions of the move log: the entries of the games that were opened in a month are one table.

A game's id holds the time of its opening, so its entries are in one partition, however long it lasts, and an
append never needs a new one. The months to come are made ahead, and a missing one when a game is opened or
brought in. There is no default partition: a month whose rows are in one could not be made any more. Ids
from elsewhere may hold a time before the first month, or none; these have partitions of their own.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Final
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.engine.chain import first_id, time_in
from games.models import Game
from games.models.games import Archive
from games.models.moves import Move

TABLE: Final = Move._meta.db_table
FIRST: Final = datetime(2026, 11, 1, tzinfo=UTC)
LAST: Final = datetime(2100, 1, 1, tzinfo=UTC)
"""The months that have partitions of their own."""
_AHEAD: Final = 4
"""How many months are made ahead, the present one included."""


@dataclass(frozen=True)
class Partition:
    """A partition's table, and the ids of its games: from ``first`` on and before ``end``; None: no bound."""

    table: str
    first: UUID | None
    end: UUID | None


BEFORE: Final = Partition(f"{TABLE}_before", None, first_id(FIRST))
UNTIMED: Final = Partition(f"{TABLE}_untimed", first_id(LAST), None)


def of_month(at: datetime) -> Partition:
    """Return the partition of the games that are opened in the month of a time, in UTC."""
    at = at.astimezone(UTC)
    if at < FIRST:
        return BEFORE
    if at >= LAST:
        return UNTIMED
    begin = datetime(at.year, at.month, 1, tzinfo=UTC)
    return Partition(f"{TABLE}_{begin:%Y_%m}", first_id(begin), first_id(_next(begin)))


def of_game(pk: UUID) -> Partition:
    """Return the partition of a game's entries."""
    if BEFORE.end is not None and pk < BEFORE.end:
        return BEFORE
    if UNTIMED.first is not None and pk >= UNTIMED.first:
        return UNTIMED
    return of_month(time_in(pk))


def named(table: str) -> Partition | None:
    """Return the partition that has a table of this name, None if no partition has."""
    for partition in (BEFORE, UNTIMED):
        if partition.table == table:
            return partition
    try:
        return of_month(datetime.strptime(f"{table} +0000", f"{TABLE}_%Y_%m %z"))
    except ValueError:
        return None


def wrong_bounds() -> Iterator[str]:
    """Yield the partitions that hold games of other times than their names say."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, pg_get_expr(relpartbound, oid) FROM pg_class "
            "WHERE oid IN (SELECT relid FROM pg_partition_tree(%s) WHERE level > 0)",
            [TABLE],
        )
        found = cursor.fetchall()
    for table, said in found:
        partition = named(table) or Partition(table, None, None)
        first, end = (f"'{each}'" if each else None for each in (partition.first, partition.end))
        if said != f"FOR VALUES FROM ({first or 'MINVALUE'}) TO ({end or 'MAXVALUE'})":
            yield f"partition {table}: it is {said}"


def make_ahead(now: datetime) -> None:
    """Make those partitions that are missing of this and the coming months, and of ids from elsewhere."""
    months = islice(_months(max(now, FIRST)), _AHEAD)
    for partition in (BEFORE, UNTIMED, *map(of_month, months)):
        _make(partition)


def make_for(pk: UUID) -> None:
    """Make the partition of a game that is to be written, if it is missing."""
    _make(of_game(pk))


def _make(partition: Partition) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT games_make_partition(%s, %s, %s) WHERE to_regclass(%s) IS NULL",
            [partition.table, partition.first, partition.end, partition.table],
        )


def _months(at: datetime) -> Iterator[datetime]:
    """Yield the beginnings of months, from that of a time on."""
    begin = datetime(at.year, at.month, 1, tzinfo=UTC)
    while True:
        yield begin
        begin = _next(begin)


def _next(begin: datetime) -> datetime:
    return datetime(begin.year + begin.month // 12, begin.month % 12 + 1, 1, tzinfo=UTC)


def with_logs(rows: QuerySet[Game]) -> QuerySet[Game]:
    """Return those of the games whose logs are here, and not in an archive."""
    return rows.exclude(_archived())


def archived(rows: QuerySet[Game]) -> QuerySet[Game]:
    """Return those of the games whose logs are not here, but in an archive."""
    return rows.filter(_archived())


def _archived() -> Q:
    """Return what is true of games in archives: of their months, a later import may have a log here."""
    months = Q(pk__in=())
    for made in Archive.objects.all():
        months |= games_of(named(made.partition))
    return months & Q(~Exists(Move.objects.filter(game=OuterRef("pk"))))


def games_of(partition: Partition | None) -> Q:
    """Return what is true of the games of a month that has a partition of its own, of none else."""
    if partition is None or partition.first is None or partition.end is None:
        return Q(pk__in=())
    return Q(pk__gte=partition.first, pk__lt=partition.end)

"""The partitions of the move log: each game's entries are in one, and each refuses changes by itself."""

from datetime import UTC, datetime
from itertools import islice
from uuid import UUID

import pgtrigger
import pytest
import time_machine
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from games import partitions
from games.engine.chain import id_at
from games.models import Game
from games.models.moves import Move
from league.ops.prepare import schema_differences
from league.tasks import tidy
from tests.games.test_log import opened, timeouts


def opened_in(year: int, month: int) -> Game:
    return opened(2, game_id=id_at(datetime(year, month, 14, tzinfo=UTC), b"\x07" * 10))


def column(sql: str, *given: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(sql, given)
        return [value for (value,) in cursor.fetchall()]


def table_of(game: Game) -> str:
    """Return the one table that has the entries of a game."""
    (table,) = column(
        "SELECT DISTINCT tableoid::regclass::text FROM games_move WHERE game_id = %s", str(game.pk)
    )
    return table


def made() -> set[str]:
    return {*column("SELECT relid::text FROM pg_partition_tree('games_move') WHERE isleaf")}


@pytest.mark.parametrize(
    ("pk", "table"),
    [
        ("00000000-0000-4000-8000-000000000000", "before"),
        ("01a19467-e7ff-7fff-bfff-ffffffffffff", "before"),
        ("01a19467-e800-7000-8000-000000000000", "2026_11"),
        ("01a19467-e800-4000-8000-000000000000", "2026_11"),
        ("03bb2cc3-d7ff-7fff-bfff-ffffffffffff", "2099_12"),
        ("03bb2cc3-d800-7000-8000-000000000000", "untimed"),
        ("ffffffff-ffff-4fff-bfff-ffffffffffff", "untimed"),
    ],
)
def test_each_id_has_a_partition(pk: str, table: str) -> None:
    found = partitions.of_game(UUID(pk))
    assert found.table == f"games_move_{table}"
    assert found.first is None or found.first <= UUID(pk)
    assert found.end is None or found.end > UUID(pk)


@pytest.mark.django_db
class TestAPartition:
    def test_has_all_entries_of_a_game_and_is_made_when_it_is_opened(self) -> None:
        games = [opened_in(2026, 10), opened_in(2091, 12), opened_in(2092, 1), opened()]
        for game in games:
            timeouts(game, 2)
        names = ["before", "2091_12", "2092_01", f"{games[-1].opened_at:%Y_%m}"]
        assert [*map(table_of, games)] == [f"games_move_{name}" for name in names]

    def test_is_there_for_this_month_and_the_next_three(self) -> None:
        coming = {partitions.of_month(each).table for each in islice(partitions._months(timezone.now()), 4)}
        tidy()
        assert coming <= (before := made())
        with time_machine.travel("2091-11-30T12:00:00Z"):
            tidy()
        names = "2091_11", "2091_12", "2092_01", "2092_02"
        assert made() - before == {f"games_move_{name}" for name in names}

    @pytest.mark.parametrize("statement", ["UPDATE {} SET seq = 7", "DELETE FROM {}", "TRUNCATE {}"])
    @pytest.mark.parametrize(("year", "month"), [(2026, 10), (2091, 5)], ids=["made_ahead", "made_now"])
    def test_refuses_everything_but_inserts(self, year: int, month: int, statement: str) -> None:
        table = table_of(opened_in(year, month))
        with (
            pytest.raises(DatabaseError, match="never changed"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(statement.format(table))
        assert Move.objects.count() == 1

    def test_without_its_triggers_is_named(self) -> None:
        assert schema_differences() == []
        table = table_of(opened_in(2091, 5))
        trigger = Move._meta.triggers[1].get_pgid(Move)  # type: ignore[attr-defined]
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER {trigger}")
        missing, _ = schema_differences()
        assert missing.startswith(f"trigger {table} CREATE TRIGGER {trigger}")

    def test_that_holds_the_games_of_another_time_is_named(self) -> None:
        assert [*partitions.wrong_bounds()] == []
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE games_move DETACH PARTITION games_move_before")
            cursor.execute(
                "ALTER TABLE games_move ATTACH PARTITION games_move_before FOR VALUES FROM "
                "('00000000-0000-0000-0000-000000000001') TO ('00000000-0000-0000-0000-000000000002')"
            )
        assert [each.split(":")[0] for each in partitions.wrong_bounds()] == ["partition games_move_before"]

    def test_has_each_entry_once(self) -> None:
        entry = Move.objects.get(game=opened_in(2091, 5))
        entry.pk = None
        with pytest.raises(DatabaseError, match="duplicate key"), transaction.atomic():
            entry.save(force_insert=True)

    def test_can_be_emptied_by_those_who_may(self) -> None:
        table = table_of(opened_in(2091, 5))
        with pgtrigger.ignore(), connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute(f"TRUNCATE {table}")
        assert not Move.objects.exists()


@pytest.mark.django_db
def test_a_new_game_s_id_has_the_time_of_its_opening() -> None:
    first, second = opened(), opened()
    assert first.pk.version == 7
    assert first.pk < second.pk
    assert partitions.of_game(first.pk) == partitions.of_month(first.opened_at)

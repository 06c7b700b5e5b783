"""A month of the move log in a file: verified, restored to the byte, and refused where it is another."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pgtrigger
import pytest
import time_machine
from django.db import connection, transaction
from django.db.models import Q

from games import archiving, log, partitions
from games.engine.chain import id_at
from games.engine.refusals import NotReplayable
from games.engine.replay import Actor
from games.models import Game
from games.models.games import Archive
from games.models.moves import Move
from games.verifier import WrongLog
from league.ops import folders
from league.ops.prepare import schema_differences
from tests.games.test_log import opened, timeouts
from tests.ops.test_durable import noted

MONTH = datetime(2026, 11, 1, tzinfo=UTC)
BEFORE_ITS_END = datetime(2026, 11, 30, tzinfo=UTC)
LATER = datetime(2027, 1, 5, tzinfo=UTC)
pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Iterator[Game]:
    """A game of a month that is over, abandoned long ago, of which this process remembers nothing."""
    with time_machine.travel(LATER, tick=False):
        yield abandoned()


def abandoned() -> Game:
    game = opened(2, game_id=id_at(datetime(2026, 11, 14, tzinfo=UTC), b"\x07" * 10))
    timeouts(game, 3)
    end = {"type": "abandon", "reason": "fire alarm"}
    log.append(game_id=game.pk, seq=5, actor=Actor("arbiter"), move=end, account=None)
    Game.objects.update(moved_at=datetime(2026, 1, 1, tzinfo=UTC))
    log._LATEST.cache_clear()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    return Game.objects.get()


def rows() -> list[Any]:
    columns = "game", "seq", "role", "seat", "account", "move", "at", "hash"
    return [*Move.objects.order_by("seq").values_list(*columns)]


def test_a_month_is_archived_and_restored_to_the_byte(game: Game, tmp_path: Path) -> None:
    file, before = tmp_path / "2026-11.gz", rows()
    made = archiving.archive(MONTH, folders.writing(file))
    assert (made.games, made.entries, rows()) == (1, 5, [])
    assert not partitions.with_logs(Game.objects.all()).exists()
    assert [*archiving.wrong_archives()] == []
    for read in (log.latest, lambda game: [*log.lines(game)], lambda game: log.position_at(game, 2)):
        with pytest.raises(NotReplayable):
            read(game)
    assert log.latest_of([game]) == {}
    archiving.restore(file)
    assert rows() == before
    assert not Archive.objects.exists()
    assert schema_differences() == []
    assert log.verified(game).entries == 5


@pytest.mark.parametrize("why", ["runs", "was_quiet_for_a_day", "is_wrong", "has_no_game", "is_no_month"])
def test_a_month_is_left_where_it_is(game: Game, tmp_path: Path, why: str) -> None:
    month = MONTH
    match why:
        case "runs":
            Game.objects.update(status=Game.Status.ACTIVE)
        case "was_quiet_for_a_day":
            Game.objects.update(moved_at=datetime.now(tz=UTC) - timedelta(days=1))
        case "is_wrong":
            with pgtrigger.ignore(), connection.cursor() as cursor:
                cursor.execute("UPDATE games_move SET account = 'eve' WHERE seq = 2")
        case "has_no_game":
            month = datetime(2026, 12, 1, tzinfo=UTC)
        case _:
            month = datetime(2026, 10, 1, tzinfo=UTC)
    before = rows()
    with pytest.raises(WrongLog if why == "is_wrong" else archiving.NotArchived):
        archiving.archive(month, folders.writing(tmp_path / "month.gz"))
    assert rows() == before
    assert [*tmp_path.iterdir()] == []


def test_a_month_is_archived_once_it_is_over(game: Game, tmp_path: Path) -> None:
    with time_machine.travel(BEFORE_ITS_END), pytest.raises(archiving.NotArchived, match="not over"):
        archiving.archive(MONTH, folders.writing(tmp_path / "month.gz"))


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"archived_at": BEFORE_ITS_END}, "it can't be of 2026-11-30. The month is not over"),
        ({"archived_at": datetime(2027, 1, 6, tzinfo=UTC)}, "ahead of the database's clock"),
        ({"digest": "A" * 64}, "its digest is none of a file"),
        ({"partition": "games_move_2026_12", "games": 0, "entries": 0}, "No game was opened in this month"),
        ({"partition": "games_move_before", "games": 0, "entries": 0}, "no month with a table of its own"),
        ({"status": Game.Status.ACTIVE}, "1 games are not over, or not for 30 days"),
        ({"moved_at": datetime(2026, 12, 20, tzinfo=UTC)}, "1 games are not over, or not for 30 days"),
    ],
)
def test_an_archive_that_could_not_be_made_is_named(
    game: Game, tmp_path: Path, change: dict[str, Any], named: str
) -> None:
    archiving.archive(MONTH, folders.writing(tmp_path / "month.gz"))
    (Game if {*change} & {"status", "moved_at"} else Archive).objects.update(**change)
    (wrong,) = archiving.wrong_archives()
    assert wrong.startswith("archive games_move_") and named in wrong


def test_a_log_that_is_left_in_an_archived_month_is_named_unless_it_was_imported(
    game: Game, tmp_path: Path
) -> None:
    archiving.archive(MONTH, folders.writing(tmp_path / "month.gz"))
    left = opened(2, game_id=id_at(datetime(2026, 11, 15, tzinfo=UTC), b"\x08" * 10))
    (wrong,) = archiving.wrong_archives()
    assert "1 games have logs here, and were not imported since" in wrong
    assert [*archiving.wrong_archives(lambda since: Q(pk=left.pk, moved_at__gte=since))] == []


def test_another_file_is_not_restored(game: Game, tmp_path: Path) -> None:
    file = tmp_path / "2026-11.gz"
    archiving.archive(MONTH, folders.writing(file))
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    with pytest.raises(archiving.NotArchived, match="no archive of what is missing"):
        archiving.restore(file)
    assert rows() == []


def test_the_only_copy_is_dropped_once_the_file_and_its_name_are_on_the_disk(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = noted(monkeypatch)

    def statement(execute: Any, sql: str, *given: Any) -> Any:
        done.extend(["drop"] * sql.startswith("DROP"))
        return execute(sql, *given)

    with connection.execute_wrapper(statement):
        archiving.archive(MONTH, folders.writing(tmp_path / "2026-11.gz"))
    assert done == ["file", "name", "folder", "drop"]


def test_another_file_is_not_replaced_and_the_same_one_is_taken(game: Game, tmp_path: Path) -> None:
    file, before = tmp_path / "2026-11.gz", rows()
    file.write_text("the only copy of October")
    with pytest.raises(archiving.NotArchived, match="another file of this name"):
        archiving.archive(MONTH, folders.writing(file))
    assert (file.read_text(), rows()) == ("the only copy of October", before)
    file.unlink()
    with transaction.atomic():
        archiving.archive(MONTH, folders.writing(file))
        transaction.set_rollback(True)
    assert archiving.archive(MONTH, folders.writing(file)).entries == 5

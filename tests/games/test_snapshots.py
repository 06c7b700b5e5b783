"""Snapshots of long games: they spare a replay, and are never believed over the log."""

from collections.abc import Iterable
from unittest.mock import patch

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import log, positions, rebuilding
from games.engine import replay
from games.engine.replay import Position
from games.models import Game
from games.models.moves import Move, Seed
from games.models.snapshots import Snapshot
from games.positions import Made
from tests.games.test_log import finished, opened, timeouts

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "EVERY", 4)


@pytest.fixture
def game() -> Game:
    """A game of ten entries, which this process has never looked at."""
    game = opened(2)
    timeouts(game, 9)
    game.refresh_from_db()
    log._LATEST.cache_clear()
    return game


def replayed(game: Game) -> int:
    """Return how many entries a first look at a game plays again."""
    log._LATEST.cache_clear()
    played = list[object]()

    def counted(position: Position, later: Iterable[Made]) -> Position:
        again = [*later]
        played.extend(again)
        return folded(position, again)

    folded = replay.folded
    with patch.object(replay, "folded", counted):
        log.latest(game)
    return len(played)


def moves_of(queries: CaptureQueriesContext) -> list[str]:
    """Return the statements that read entries."""
    return [query["sql"] for query in queries if 'FROM "games_move"' in query["sql"]]


def test_are_written_as_the_log_grows(game: Game) -> None:
    assert list(Snapshot.objects.order_by("seq").values_list("seq", flat=True)) == [4, 8]


def test_give_the_positions_of_a_full_replay(game: Game) -> None:
    kept = {seq: log.position_at(game, seq) for seq in range(1, 11)}
    Snapshot.objects.all().delete()
    assert kept == {seq: log.position_at(game, seq) for seq in range(1, 11)}


def test_spare_the_entries_before(game: Game) -> None:
    assert replayed(game) == 2


def test_that_are_missing_are_written_at_the_first_look(game: Game) -> None:
    Snapshot.objects.all().delete()
    assert replayed(game) == 9
    assert replayed(game) == 2


@pytest.mark.parametrize("change", [
    {"head": "11" * 32}, {"signature": "11" * 32}, {"position": b"nothing"}, {"seq": 7},
])  # fmt: skip
def test_that_are_wrong_are_ignored_and_written_again(game: Game, change: dict[str, object]) -> None:
    truth = log.latest(game)
    Snapshot.objects.filter(seq=4).delete()
    Snapshot.objects.update(**change)
    log._LATEST.cache_clear()
    assert log.latest(game) == truth
    assert replayed(game) == 2


def test_whose_signed_position_refuses_the_log_are_ignored(game: Game) -> None:
    truth, other = log.latest(game), log.position_at(game, 3)
    head = Snapshot.objects.get(seq=8).head
    positions.write_snapshots(game.pk, [positions.Kept(8, head, other)])
    log._LATEST.cache_clear()
    assert log.latest(game) == truth


def test_of_another_game_are_ignored(game: Game) -> None:
    other = opened(2)
    Snapshot.objects.filter(seq=8).update(game=other)
    timeouts(other, 7)
    truth = log.latest(other)
    log._LATEST.cache_clear()
    assert log.latest(other) == truth


def test_of_another_release_are_ignored(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "fingerprint", lambda: "another")
    assert replayed(game) > 2
    assert replayed(game) == 2


def test_do_not_hold_the_secret_seed(game: Game) -> None:
    secret = bytes(Seed.objects.get(game=game).secret)
    assert not any(secret in bytes(row.position) for row in Snapshot.objects.all())


def test_of_a_running_game_are_written_again_with_all_that_is_rebuilt(game: Game) -> None:
    Snapshot.objects.update(signature="11" * 32)
    rebuilding.rebuild([game.pk])
    assert replayed(game) == 2


def test_of_a_game_that_is_over_are_dropped_with_all_that_is_rebuilt() -> None:
    over = finished()
    assert Snapshot.objects.exists()
    rebuilding.rebuild([over.pk])
    assert not Snapshot.objects.exists()


def test_of_another_release_are_written_again_before_anybody_looks(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "fingerprint", lambda: "another")
    log.warm(1)
    assert replayed(game) == 2


def test_spare_entries_where_many_games_are_read(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    short = opened(2)
    truth = {each.pk: log.latest(each) for each in (game, short)}
    for read in (4, 11, 4):  # of the long game 3 entries, then with all its snapshots wrong all 10 of them
        log._LATEST.cache_clear()
        with CaptureQueriesContext(connection) as queries:
            assert log.latest_of([game, short]) == truth
        assert sum(len(Move.objects.raw(sql)) for sql in moves_of(queries)) == read
        if read == 4:
            Snapshot.objects.update(signature="11" * 32)


def test_spare_entries_before_a_position_and_those_long_after_it(game: Game) -> None:
    position = log.position_at(game, 2)
    with CaptureQueriesContext(connection) as queries:
        entry, later = next(log.each_later(game, position))
    assert (entry.seq, later) == (3, log.position_at(game, 3))
    assert [len(Move.objects.raw(sql)) for sql in moves_of(queries)] == [4]


def test_that_cannot_be_written_fail_no_append(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(positions, "write_snapshots", fail)
    timeouts(game, 3)
    assert Game.objects.get().seq == 13

"""Entries are dated by the database's clock, and deadlines are judged by it, whatever a host believes."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.db import OperationalError, connection
from django.db.models import F
from django.utils import timezone

from games import database_time, log
from games.engine.replay import Actor
from games.models import Game
from league.services.play import run_out
from tests.games.test_log import draw, opened

HOUR, SECOND = timedelta(hours=1), timedelta(seconds=1)
Ahead = Callable[[timedelta], None]
pytestmark = pytest.mark.django_db


@pytest.fixture
def host_ahead(monkeypatch: pytest.MonkeyPatch) -> Ahead:
    """Let this host's clock be ahead of the database's, without anybody knowing."""

    def put(by: timedelta) -> None:
        monkeypatch.setattr(timezone, "now", lambda: datetime.now(tz=timezone.get_default_timezone()) + by)

    return put


@pytest.fixture
def misled(monkeypatch: pytest.MonkeyPatch) -> Ahead:
    """Let this process think that the database's clock is ahead, as after a failover to another one."""

    def mislead(by: timedelta) -> None:
        monkeypatch.setattr(database_time._estimate, "ahead", by)

    return mislead


@pytest.fixture
def dates_at(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Let this process date everything by the database's clock, wrong by so many seconds."""

    def put(wrong: int) -> None:
        monkeypatch.setattr(database_time, "now", lambda: database() + timedelta(seconds=wrong))

    return put


WRONG = (-2, 60)
"""By how many seconds a date is wrong; a later one may take a busy machine long to write."""


@pytest.fixture
def decided_long_ago(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """Let everything be decided since five seconds before the test; returns that time."""
    since, began = time.monotonic() - 5, database() - timedelta(seconds=5)
    monkeypatch.setattr(database_time, "now", lambda: began)
    monkeypatch.setattr(database_time.Moment, "taken", lambda _moment: time.monotonic() - since)
    return began


def is_the_database_s(ask: Callable[[], datetime]) -> bool:
    """Return whether a time is that of the database, as exactly as it can be known while it is asked for."""
    before = database()
    asked, after = ask(), database()
    return abs(asked - after) < SECOND + 2 * (after - before)


def database() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
        return now


@pytest.mark.parametrize("hours", [-1, 1], ids=["behind", "ahead"])
def test_an_entry_has_the_database_s_time_on_a_host_whose_clock_is_wrong(
    host_ahead: Ahead, hours: int
) -> None:
    game, before = opened(), database()
    host_ahead(hours * HOUR)
    for _turn in range(2):
        assert is_the_database_s(lambda: timed_out(game).entry.at)
    assert abs(database_time.ahead() + hours * HOUR) < SECOND + (database() - before)


def timed_out(game: Game) -> log.Appended:
    game.refresh_from_db()
    actor = Actor("clock", game.awaited[0])
    return log.append(game_id=game.pk, seq=game.seq + 1, actor=actor, move={"type": "timeout"}, account=None)


def test_nobody_is_out_of_time_on_a_worker_that_is_ahead(host_ahead: Ahead) -> None:
    game = opened(clock={"move": 600})
    host_ahead(HOUR)
    run_out(game_id=game.pk)
    assert len(log.entries(game)) == 1


def test_an_entry_with_another_date_is_not_written(dates_at: Callable[[int], None]) -> None:
    game = opened()
    for wrong in WRONG:
        dates_at(wrong)
        game.refresh_from_db()
        Game.objects.update(moved_at=F("moved_at") - HOUR)
        with pytest.raises(OperationalError, match="could not be dated"):
            draw(game)
    assert len(log.entries(game)) == 1


def test_a_log_that_is_dated_ahead_goes_on_at_its_last_date() -> None:
    game = opened()
    Game.objects.update(moved_at=(later := timezone.now() + HOUR))
    assert draw(game).entry.at == later


@pytest.mark.parametrize("hours", [-1, 1], ids=["behind", "ahead"])
class TestAnOpening:
    def test_has_the_database_s_time_on_a_host_whose_clock_is_wrong(
        self, host_ahead: Ahead, hours: int
    ) -> None:
        host_ahead(hours * HOUR)
        games: list[Game] = []

        def opens() -> datetime:
            games.append(opened(clock={"move": 600}))
            return games[0].opened_at

        assert is_the_database_s(opens)
        game, entry = games[0], log.entries(games[0])[0]
        assert entry.at == game.opened_at == game.moved_at
        assert game.deadline == entry.at + timedelta(minutes=10)

    def test_is_dated_again_where_the_statement_refuses_its_date(self, misled: Ahead, hours: int) -> None:
        misled(hours * HOUR)
        assert is_the_database_s(lambda: log.entries(opened())[0].at)
        assert Game.objects.count() == 1


def test_an_opening_with_another_date_is_not_written(dates_at: Callable[[int], None]) -> None:
    for wrong in WRONG:
        dates_at(wrong)
        with pytest.raises(OperationalError, match="could not be dated"):
            opened()
    assert not Game.objects.exists()


def test_an_opening_may_take_long(decided_long_ago: datetime) -> None:
    assert opened().opened_at == decided_long_ago


def test_a_host_whose_clock_is_set_asks_the_database_at_once(host_ahead: Ahead) -> None:
    database_time.asked()
    host_ahead(HOUR)
    assert is_the_database_s(database_time.now)
    host_ahead(-HOUR)
    assert is_the_database_s(database_time.now)

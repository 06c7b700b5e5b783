"""Entries are dated by the database's clock, and deadlines are judged by it, whatever a host believes."""

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

HOUR = timedelta(hours=1)
Ahead = Callable[[timedelta], None]
pytestmark = pytest.mark.django_db


@pytest.fixture
def host_ahead(monkeypatch: pytest.MonkeyPatch) -> Ahead:
    """Let this host's clock be ahead of the database's, without anybody knowing."""

    def put(by: timedelta) -> None:
        monkeypatch.setattr(timezone, "now", lambda: datetime.now(tz=timezone.get_default_timezone()) + by)

    return put


def database() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
        return now


@pytest.mark.parametrize("hours", [-1, 1], ids=["behind", "ahead"])
def test_an_entry_has_the_database_s_time_on_a_host_whose_clock_is_wrong(
    host_ahead: Ahead, hours: int
) -> None:
    game = opened()
    host_ahead(hours * HOUR)
    for _turn in range(2):
        entry = timed_out(game).entry
        assert abs(entry.at - database()) < timedelta(seconds=1)
    assert abs(database_time.ahead() + hours * HOUR) < timedelta(seconds=1)


def timed_out(game: Game) -> log.Appended:
    game.refresh_from_db()
    actor = Actor("clock", game.awaited[0])
    return log.append(game_id=game.pk, seq=game.seq + 1, actor=actor, move={"type": "timeout"}, account=None)


def test_nobody_is_out_of_time_on_a_worker_that_is_ahead(host_ahead: Ahead) -> None:
    game = opened(clock={"move": 600})
    host_ahead(HOUR)
    run_out(game_id=game.pk)
    assert len(log.entries(game)) == 1


def test_an_entry_with_another_date_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    game = opened()
    for wrong in (2, -2):
        monkeypatch.setattr(
            database_time, "now", lambda wrong=wrong: timezone.now() + timedelta(seconds=wrong)
        )
        game.refresh_from_db()
        Game.objects.update(moved_at=F("moved_at") - HOUR)
        with pytest.raises(OperationalError, match="could not be dated"):
            draw(game)
    assert len(log.entries(game)) == 1


def test_a_log_that_is_dated_ahead_goes_on_at_its_last_date() -> None:
    game = opened()
    Game.objects.update(moved_at=(later := timezone.now() + HOUR))
    assert draw(game).entry.at == later

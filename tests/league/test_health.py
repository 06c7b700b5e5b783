"""Readiness: what is found of database and broker, and what it means."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from games.models import Game
from league.models import Competition, Notice, Ratings, Standings
from league.ops import checks as outside
from league.ops.servers import CannotServe
from league.projections import ratings as rating_lists
from league.projections.standings import compute_standings
from league.queries import due
from league.web import health
from tests.factories import Cast
from tests.league.playing import in_play, play_all


def silent() -> None:
    raise CannotServe("silent")


@pytest.mark.django_db
class TestReadiness:
    def test_is_true_for_a_service_without_waiting_work(self) -> None:
        found = health.report(health.lag(), True)
        assert found == {"ready": True, "database": True, "broker": True, "lag_seconds": 0}

    def test_is_false_without_the_broker(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(outside, "check_broker", silent)
        found = health.report(health.lag(), health.broker())
        assert found == {"ready": False, "database": True, "broker": False, "lag_seconds": 0}

    def test_is_false_without_the_database(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(outside, "check_database", silent)
        found = health.report(health.lag(), True)
        assert found == {"ready": False, "database": False, "broker": True, "lag_seconds": None}

    def test_is_false_if_the_database_connection_is_lost(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def gone() -> None:
            raise OperationalError

        monkeypatch.setattr(due, "behind_since", gone)
        assert health.lag() is None

    def test_is_false_where_nothing_was_found_in_time(self) -> None:
        assert not health.report(None, None)["ready"]

    @pytest.mark.parametrize("waits", ["record", "compute", "rate"])
    def test_is_false_if_results_wait_too_long(self, cast: Cast, waits: str) -> None:
        competition = in_play(cast)
        compute_standings(competition.pk)
        rating_lists.compute_ratings(competition.pk)
        assert health.lag() == 0
        long_ago = timezone.now() - timedelta(minutes=10)
        if waits == "record":
            play_all(competition)
            Game.objects.update(moved_at=long_ago)
        else:
            Competition.objects.update(changed_at=long_ago)
            behind = Standings if waits == "compute" else Ratings
            behind.objects.update(as_of=0)
        waited = health.lag()
        assert waited is not None and waited // 60 == 10
        assert not health.report(waited, True)["ready"]


@pytest.mark.django_db
def test_it_is_told_for_how_long_the_oldest_work_of_each_task_has_waited() -> None:
    for hours in (1, 2):
        due_at = timezone.now() - timedelta(hours=hours)
        Notice.objects.create(key=str(hours), kind="invitation", about={}, due_at=due_at)
    found = health.waiting()
    assert found
    assert found.seconds == {
        **dict.fromkeys(health._LAGS, 0.0),
        "send_notices": pytest.approx(2 * 3600, abs=60),
    }

"""Health checks: whether the process is live, and whether the service is ready."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client, override_settings
from django.utils import timezone

from games.models import Game
from league.models import Competition, Ratings, Standings
from league.ops import checks as outside
from league.ops.servers import CannotServe
from league.projections import ratings as rating_lists
from league.projections.standings import compute_standings
from league.queries import due
from tests.factories import Cast
from tests.league.playing import in_play, play_all

AS_A_PROBE: dict[str, Any] = {"HTTP_HOST": "10.0.0.7:8000"}


@pytest.fixture(autouse=True)
def a_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(outside, "check_broker", lambda: None)


def silent() -> None:
    raise CannotServe("silent")


def ready() -> tuple[int, Any]:
    cache.clear()
    answer = Client().get("/readyz", **AS_A_PROBE)
    return answer.status_code, answer.json()


def test_a_process_that_responds_is_live() -> None:
    with override_settings(ALLOWED_HOSTS=["trefoil.example"], SECURE_SSL_REDIRECT=True):
        answer = Client().get("/healthz", **AS_A_PROBE)
    assert (answer.status_code, answer.content) == (200, b"ok\n")


@pytest.mark.django_db
class TestReadiness:
    def test_is_true_for_a_service_without_waiting_work(self) -> None:
        with override_settings(ALLOWED_HOSTS=["trefoil.example"], SECURE_SSL_REDIRECT=True):
            assert ready() == (200, {"ready": True, "database": True, "broker": True, "lag_seconds": 0})

    def test_is_false_without_the_broker(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(outside, "check_broker", silent)
        assert ready() == (503, {"ready": False, "database": True, "broker": False, "lag_seconds": 0})

    def test_is_false_without_the_database(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(outside, "check_database", silent)
        assert ready() == (503, {"ready": False, "database": False, "broker": True, "lag_seconds": None})

    def test_is_false_if_the_database_connection_is_lost(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def gone() -> None:
            raise OperationalError

        monkeypatch.setattr(due, "behind_since", gone)
        assert ready()[1]["lag_seconds"] is None

    @pytest.mark.parametrize("waits", ["record", "compute", "rate"])
    def test_is_false_if_results_wait_too_long(self, cast: Cast, waits: str) -> None:
        competition = in_play(cast)
        compute_standings(competition.pk)
        rating_lists.compute_ratings(competition.pk)
        assert ready()[0] == 200
        long_ago = timezone.now() - timedelta(minutes=10)
        if waits == "record":
            play_all(competition)
            Game.objects.update(moved_at=long_ago)
        else:
            Competition.objects.update(changed_at=long_ago)
            behind = Standings if waits == "compute" else Ratings
            behind.objects.update(as_of=0)
        status, shown = ready()
        assert (status, shown["lag_seconds"] // 60) == (503, 10)

    def test_is_cached_between_checks(self, django_assert_num_queries: Any) -> None:
        ready()
        with django_assert_num_queries(0):
            assert Client().get("/readyz").status_code == 200

"""Readiness: what is found of database and broker, and what it means."""

from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from games.models import Game
from league.admin.well import all_told
from league.models import ClubGame, Competition, Email, Ratings, Round, Standings, Table
from league.ops import prepare
from league.ops.servers import CannotServe
from league.projections import ratings as rating_lists
from league.projections.standings import compute_standings
from league.queries import due
from league.web import health
from tests import patience
from tests.factories import Cast
from tests.league.playing import in_play, play_all

WELL = {"ready": False, "database": True, "broker": True, "notifications": True, "lag_seconds": 0}


def silent() -> None:
    raise CannotServe("silent")


@pytest.mark.django_db
class TestReadiness:
    def test_is_true_for_a_service_without_waiting_work(self) -> None:
        found = health.report(health.lag(), True, True)
        assert found == {**WELL, "ready": True}

    def test_is_false_without_the_broker(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(prepare, "check_broker", silent)
        found = health.report(health.lag(), health.broker(), True)
        assert found == {**WELL, "broker": False}

    def test_is_false_without_the_database(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(prepare, "check_database", silent)
        found = health.report(health.lag(), True, True)
        assert found == {**WELL, "database": False, "lag_seconds": None}

    def test_is_false_if_the_database_connection_is_lost(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def gone() -> None:
            raise OperationalError

        monkeypatch.setattr(due, "behind_since", gone)
        assert health.lag() is None

    def test_is_false_where_streams_hear_of_nothing(self) -> None:
        assert health.report(0, True, False) == {**WELL, "notifications": False}

    def test_is_false_where_nothing_was_found_in_time(self) -> None:
        assert not health.report(None, None, None)["ready"]

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
        assert not health.report(waited, True, True)["ready"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("direct", "heard"),
    [({}, True), ({"CONN_MAX_AGE": 0}, True), ({"HOST": "/nowhere"}, False), ({"NAME": "postgres"}, False)],
    ids=["none", "right", "away", "another-database"],
)
def test_an_address_past_the_pooler_is_right_if_notifications_are_heard_there(
    monkeypatch: pytest.MonkeyPatch, direct: dict[str, object], heard: bool
) -> None:
    monkeypatch.setattr(prepare, "HEARD_SECONDS", patience.SECONDS if heard else 0.2)
    monkeypatch.setitem(connection.settings_dict, "DIRECT", direct)
    assert health.notifications() is heard
    assert {told.well for told in all_told() if told.title == "Live pages"} == {heard}


@pytest.mark.django_db
def test_games_past_the_deadline_of_their_round_or_table_lag_too(cast: Cast) -> None:
    competition = in_play(cast, 2, overdue="forfeit")
    assert due.games_overdue.oldest() is None
    for late in (Round, Table):
        past = timezone.now() - timedelta(hours=1 if late is Round else 2)
        if late is Round:
            Round.objects.update(deadline=past)
        else:
            Table.objects.update(postponed_reason="ill", postponed_until=past)
        assert due.games_overdue.oldest() == past
        assert [*due.games_overdue()] == [ClubGame.objects.get(competition=competition).pk]


@pytest.mark.django_db
def test_it_is_told_for_how_long_the_oldest_work_of_each_task_has_waited() -> None:
    for hours in (1, 2):
        at = timezone.now() - timedelta(hours=hours)
        Email.objects.create(key=str(hours), kind="invitation", about={}, next_at=at)
    found = health.waiting()
    assert found
    assert found.seconds == {
        **{work.name: 0.0 for work in health.works()},
        "send_emails": pytest.approx(2 * 3600, abs=60),
    }

"""Configured servers must respond and be recent enough."""

import pytest
from celery import Celery

from league.ops import checks as outside
from league.ops.servers import CannotServe
from tests import patience


@pytest.mark.django_db
def test_an_old_postgresql_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    outside.check_database()
    monkeypatch.setattr(outside, "OLDEST", 99)
    with pytest.raises(
        CannotServe, match=r"^The database is PostgreSQL \d+.*, and Trefoil needs 99 or later"
    ):
        outside.check_database()


def test_a_broker_that_responds_is_accepted(broker_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "_BROKER_SECONDS", patience.SECONDS)
    monkeypatch.setattr(outside, "current_app", Celery(broker=broker_url, set_as_current=False))
    outside.check_broker()


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "redis+socket:///nowhere", "amqp://127.0.0.1:1//"])
def test_a_broker_that_does_not_respond_is_named(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "current_app", Celery(broker=url, set_as_current=False))
    with pytest.raises(CannotServe, match=r"broker does not answer. Check CELERY_BROKER_URL"):
        outside.check_broker()

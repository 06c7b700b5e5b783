"""“Is all well?” on the desk: in plain words, for the platform's owners alone."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django import Settings

from league.admin.well import all_told, of_addresses
from league.models import Email, PeriodicRun
from league.services import keys, queue
from tests.factories import Cast
from tests.league.test_admin_scope import logged_in

pytestmark = pytest.mark.django_db


def well() -> dict[str, bool]:
    return {told.title: told.well for told in all_told()}


def test_the_page_is_for_platform_owners(cast: Cast) -> None:
    client = logged_in(cast.olga)
    assert client.get("/admin/well/").status_code == 403
    cast.olga.is_superuser = True
    cast.olga.save()
    page = client.get("/admin/well/").content.decode()
    assert "There is no backup yet: run manage.py backup every night." in page
    assert '<a href="/admin/well/"' in Client.get(client, "/admin/").content.decode()


@pytest.mark.parametrize(
    ("behind_tls", "forwarded", "seen", "told"),
    [
        (False, "", "203.0.113.7", []),
        (False, "203.0.113.7", "10.0.0.2", [False]),
        (True, "", "10.0.0.2", [False]),
        (True, "198.51.100.1, 203.0.113.7", "203.0.113.7", [True]),
    ],
    ids=["no-proxy", "not-trusted", "forwards-none", "well"],
)
def test_a_proxy_that_hides_who_asks_is_told(
    settings: Settings, behind_tls: bool, forwarded: str, seen: str, told: list[bool]
) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if behind_tls else None
    sent = {"X-Forwarded-For": forwarded} if forwarded else {}
    request = RequestFactory().get("/admin/well/", headers=sent, REMOTE_ADDR=seen)
    assert [each.well for each in of_addresses(request)] == told


def test_workers_and_backups_are_well_once_seen_lately() -> None:
    told = well()
    assert (told["Scheduler and workers"], told["Backup"], told["Clock"]) == (False, False, True)
    queue.is_due("sweep", timedelta(seconds=15))
    PeriodicRun.objects.create(name="backup", began_at=timezone.now())
    told = well()
    assert (told["Scheduler and workers"], told["Backup"]) == (True, True)
    PeriodicRun.objects.update(began_at=timezone.now() - timedelta(days=2))
    told = well()
    assert (told["Scheduler and workers"], told["Backup"]) == (False, False)


@pytest.mark.parametrize(("attempts", "minutes"), [(0, -60), (3, 5)], ids=["not-sent", "not-taken"])
def test_emails_that_wait_too_long_are_counted(attempts: int, minutes: int) -> None:
    assert well()["Email"]
    at = timezone.now() + timedelta(minutes=minutes)
    Email.objects.create(key="k", kind="invitation", about={}, next_at=at, attempts=attempts)
    assert [told.sentence for told in all_told() if told.title == "Email"] == [
        "1 email could not be sent. Check EMAIL_URL and the log of the worker."
    ]


def test_parts_that_ended_are_told_with_what_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREFOIL_DATA", str(tmp_path))  # its own, for all tests see the usual one's parts
    (tmp_path / "parts-web.json").symlink_to("removed just now")
    ended = (timezone.now() - timedelta(minutes=5)).timestamp()
    parts = [
        {"name": "web.1", "runs": True, "ends": 0, "last_end": None},
        {"name": "worker", "runs": True, "ends": 3, "last_end": ended},
        {"name": "beat", "runs": False, "ends": 1, "last_end": ended},
        {"name": "PostgreSQL", "runs": True, "ends": 2, "hung": 1, "last_end": ended},
        {"name": "broker", "runs": True, "silent": True, "ends": 0, "last_end": None},
    ]
    (tmp_path / "parts-all.json").write_text(json.dumps({"supervisor": 1, "parts": parts}))
    found = {told.title: told for told in all_told() if "Part" in told.title}
    assert [told.well for told in found.values()].count(False) == 4
    assert "It ended by itself 3 times" in found["Part “worker” on this machine"].sentence
    assert found["Part “web.1” on this machine"].sentence == "It runs."
    assert "Once it had stopped answering." in found["Part “PostgreSQL” on this machine"].sentence
    assert "does not answer now" in found["Part “broker” on this machine"].sentence


def test_keys_are_well_once_packed(tmp_path: Path) -> None:
    assert not well()["Keys beside the database"]
    keys.pack(tmp_path / "packed", "a long passphrase")
    assert well()["Keys beside the database"]

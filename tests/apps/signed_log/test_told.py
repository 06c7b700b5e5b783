"""Where else the signed log is told of: “Is all well?”, emails and backups."""

from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.utils import timezone
from pytest_django import Settings

from league import hooks
from league.admin.well import all_told
from league.apps.signed_log import leaves, signing
from league.apps.signed_log.models import LogEpoch
from league.apps.signed_log.queries import newest_head
from league.models import Player
from league.ops import backups
from league.services import keys
from tests.apps.signed_log.test_signed_log import key_file
from tests.factories import Cast
from tests.league.test_backups import site_keys
from tests.league.test_commands import said
from tests.league.test_well import well

__all__ = ["key_file", "site_keys"]

pytestmark = pytest.mark.django_db


def test_keys_are_well_once_packed_since_the_newest_was_made(tmp_path: Path, settings: Settings) -> None:
    settings.LOG_KEY_FILE = str(tmp_path / "log_key")
    signing.enter_and_sign()
    assert not well()["Keys beside the database"]
    keys.pack(tmp_path / "packed", "a long passphrase")
    assert well()["Keys beside the database"]
    signing.rotate_key()
    assert not well()["Keys beside the database"]


def test_a_signed_log_that_stands_still_is_told(
    cast: Cast, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LOG_KEY_FILE = str(tmp_path / "log_key")
    assert not well()["Signed log"]
    signing.enter_and_sign()
    assert well()["Signed log"]
    cast.game("tally")
    leaves.enter_all()
    assert well()["Signed log"]
    monkeypatch.setattr("league.apps.signed_log.hooks._LATE", timedelta(0))
    assert not well()["Signed log"]


def test_a_clock_of_the_database_that_is_behind_the_signed_log_is_told(
    tmp_path: Path, settings: Settings
) -> None:
    settings.LOG_KEY_FILE = str(tmp_path / "log_key")
    signing.enter_and_sign()
    with time_machine.travel(timezone.now() - timedelta(hours=1), tick=False):
        (told,) = (told for told in all_told() if told.title == "Signed log")
    assert not told.well and told.sentence.startswith("The clock of the database is behind")


def test_emails_of_results_tell_the_newest_head(cast: Cast) -> None:
    assert [each() for each in hooks.RESULT_HEADERS] == [{}]
    signing.enter_and_sign()
    head = newest_head()
    assert head is not None
    told = {"X-Signed-Log": f"{head.row.size} leaves, root {head.root}"}
    assert [each() for each in hooks.RESULT_HEADERS] == [told]


def test_a_key_that_is_on_no_backup_and_not_on_the_machine_is_told(key_file: Path) -> None:
    signing.enter_and_sign()
    assert not signing.lacking()
    key_file.unlink()
    assert "the key of the signed log is not on this machine" in signing.lacking()


@pytest.mark.django_db(transaction=True)
def test_a_backup_with_its_keys_restores_to_a_site_that_signs(
    cast: Cast, tmp_path: Path, site_keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, packed = str(tmp_path / "all.dump"), str(tmp_path / "keys")
    monkeypatch.setattr(backups, "run_on", lambda _database, _command: "")
    signing.enter_and_sign()
    assert f"It does not hold {site_keys}/log_key, {site_keys}/log_key.head: copy" in said("backup", file)
    said("backup", file, "--replace", "--keys", packed)
    before = {path.name: path.read_text() for path in site_keys.iterdir()}
    for path in site_keys.iterdir():
        path.unlink()
    assert "The key of the signed log is not here" in said("restore", file, "--replace")
    (site_keys / "log_key").write_text("another")
    said("restore", file, "--replace", "--keys", packed)
    assert {path.name: path.read_text() for path in site_keys.iterdir()} == {
        **before, "log_key.before": "another",
    }  # fmt: skip
    assert not signing.lacking()


@pytest.mark.django_db(transaction=True)
def test_a_backup_of_before_another_key_restores_to_a_site_that_signs_with_that_key(
    cast: Cast, tmp_path: Path, site_keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = str(tmp_path / "all.dump")
    Player.objects.update(appeared=False)
    monkeypatch.setattr(backups, "run_on", lambda _database, _command: "")
    signing.enter_and_sign()
    said("backup", file)
    said("rotate_log_key")
    key = (site_keys / "log_key").read_text()
    assert "a new epoch tells so" in said("restore", file, "--replace")
    signing.enter_and_sign()
    assert (site_keys / "log_key").read_text() == key
    assert "is lost or was replaced" in LogEpoch.objects.latest("number").reason
    assert said("verify_logs").startswith("Every log is correct")
    assert "a new key signs" in said("rotate_log_key")

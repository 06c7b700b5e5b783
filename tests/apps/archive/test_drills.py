"""Restore drills: a backup is restored beside and verified, and the desk says how that went."""

import os
from pathlib import Path

import pytest
from django.core.management import CommandError
from pytest_django import Settings

from league.admin.well import all_told
from league.apps.archive import drills
from league.apps.archive import hooks as own
from league.apps.archive.models import RestoreDrill
from league.hooks import upkeep
from league.hooks.upkeep import Told
from league.models import Account, PeriodicRun
from tests.factories import Cast
from tests.league.playing import in_play
from tests.league.test_commands import said


def told() -> Told:
    return next(each for each in all_told() if each.title == "Restoring")


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    settings.BACKUP_FOLDER = str(tmp_path)
    return tmp_path


@pytest.mark.django_db(transaction=True)
def test_the_newest_backup_is_restored_beside_and_verified(cast: Cast, folder: Path) -> None:
    in_play(cast, 4, ruleset="scoops")
    said("backup")
    (backup,) = folder.glob("trefoil-*.dump")
    assert "was restored beside and verified" in said("restore_drill")
    assert Account.objects.filter(username="olga").exists()
    assert (told().well, backup.name in told().sentence) == (True, True)


@pytest.mark.django_db
class TestADrill:
    def test_of_a_file_that_is_no_backup_is_not_well(self, folder: Path) -> None:
        (folder / "broken.dump").write_text("nothing")
        with pytest.raises(SystemExit):
            said("restore_drill")
        assert not told().well
        assert "broken.dump is not good. It cannot be restored: " in told().sentence

    def test_takes_the_newest_backup(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        tried: list[str] = []
        for at, name in enumerate(["newest.dump", "older.dump", "other.txt"]):
            (folder / name).touch()
            os.utime(folder / name, (1000 - at, 1000 - at))

        def try_it(file: Path, _database: object) -> str:
            tried.append(file.name)
            return ""

        monkeypatch.setattr(drills, "trouble", try_it)
        said("restore_drill")
        said("restore_drill", str(folder / "older.dump"))
        assert tried == ["newest.dump", "older.dump"]
        assert RestoreDrill.objects.count() == 2

    def test_says_what_is_on_no_backup_and_not_on_the_machine(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder / "a.dump").touch()
        keys = upkeep.Keys(dict, "", lambda: None, lambda: "A key is nowhere.", lambda: iter(()))
        monkeypatch.setattr(upkeep, "KEYS", [keys])
        monkeypatch.setattr(drills, "trouble", lambda *_: "")
        assert "A key is nowhere." in said("restore_drill")
        assert "A key is nowhere." in told().sentence

    def test_needs_a_backup(self, folder: Path) -> None:
        with pytest.raises(CommandError, match="no backup in BACKUP_FOLDER"):
            said("restore_drill")

    def test_that_was_never_held_or_is_old_is_not_well(self) -> None:
        assert not told().well
        old = RestoreDrill.objects.create(at="2026-01-01T00:00Z", file="old.dump", well=True, seconds=2)
        assert (told().well, "old.dump" in told().sentence) == (False, True)
        assert str(old).startswith("old.dump")

    def test_is_begun_each_day_where_there_are_backups(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        begun: list[object] = []
        monkeypatch.setattr(
            "league.apps.archive.drills.subprocess.Popen", lambda command, **_: begun.append(command[-1])
        )
        own.sweep()
        assert begun == []
        PeriodicRun.objects.all().delete()
        (folder / "a.dump").touch()
        for _ in range(2):
            own.sweep()
        assert begun == ["restore_drill"]

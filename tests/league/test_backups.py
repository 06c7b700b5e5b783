"""Backups: the whole database is saved and restored completely, or not at all."""

import stat
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError
from django.db import connection
from pytest_django import Settings

from games.engine.refusals import Illegal
from league import log
from league.core.verbs.course import CancelCompetition
from league.core.verbs.cut_off import Recommit
from league.core.verbs.draw import DrawRound
from league.core.verbs.start import StartCompetition
from league.models import Account, Club
from league.ops import backups, processes
from league.services import clubs
from tests import patience
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import finished, opened
from tests.league.test_commands import said
from tests.league.test_projections import dumped


@pytest.fixture
def site_keys(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the site's keys, which are of this test alone."""
    folder = tmp_path / "site"
    folder.mkdir()
    settings.DATA_DIR, settings.LOG_KEY_FILE = folder, str(folder / "log_key")
    settings.PUSH_KEY_FILE = str(folder / "push_key")
    monkeypatch.setenv("KEYS_PASSPHRASE", "a long passphrase")
    return folder


def alone() -> bool:
    """End what threads of a site have open, and return whether nothing is left; an end takes its time."""
    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_terminate_backend(pid) {others} AND backend_type = 'client backend'")
        return not cursor.rowcount


@pytest.mark.django_db(transaction=True)
class TestABackup:
    @pytest.mark.usefixtures("own_folder")
    def test_restores_everything(self, cast: Cast, tmp_path: Path) -> None:
        file, before = tmp_path / "all.dump", (finished(cast), dumped())[1]
        assert said("backup", str(file)).startswith(f"{file}: ")
        clubs.create_club(by=cast.nora, name="Later", slug="later")
        act(cast.olga, opened(cast, name="Later"), CancelCompetition, reason="flood")
        # The process that verifies does not know the tests' own ruleset.
        assert "The database is restored" in said("restore", str(file), "--replace", "--unverified")
        assert dumped() == before
        assert not Club.objects.filter(slug="later").exists()
        assert said("verify_logs") == "Every log is correct: games 4, competitions 1.\n"

    def test_has_no_secret_of_draws_so_that_a_competition_commits_again(
        self, cast: Cast, tmp_path: Path
    ) -> None:
        competition = opened(cast, 8)
        act(cast.olga, competition, StartCompetition)
        file = tmp_path / "all.dump"
        said("backup", str(file))
        said("restore", str(file), "--replace")
        assert not log.trees(competition.pk)
        with pytest.raises(Illegal, match="Commit to a new one"):
            act(cast.olga, competition, DrawRound)
        again = act(cast.olga, competition, Recommit, reason="restored from a backup")
        seq = again.competition.seq
        retried = act(cast.olga, competition, Recommit, reason="restored from a backup", seq=seq)
        assert (retried.created, len(log.trees(competition.pk))) == (False, 1)
        act(cast.olga, competition, DrawRound)
        assert log.verified(competition).root == retried.state.root

    def test_can_be_read_only_by_its_owner(self, cast: Cast, tmp_path: Path) -> None:
        said("backup", str(tmp_path / "all.dump"))
        assert stat.S_IMODE((tmp_path / "all.dump").stat().st_mode) == 0o600
        assert [path.name for path in tmp_path.iterdir()] == ["all.dump"]

    def test_replaces_a_database_only_when_asked_to(self, cast: Cast, tmp_path: Path) -> None:
        said("backup", str(tmp_path / "all.dump"))
        with pytest.raises(CommandError, match="With --replace all of"):
            said("restore", str(tmp_path / "all.dump"))

    def test_that_is_not_right_is_not_put_in_place_unasked(
        self, cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        said("backup", str(tmp_path / "all.dump"))
        monkeypatch.setattr(backups, "run_on", lambda _database, command: command)
        clubs.create_club(by=cast.nora, name="Later", slug="later")
        with pytest.raises(CommandError, match="Nothing was restored: upgrade\nWith --unverified"):
            said("restore", str(tmp_path / "all.dump"), "--replace")
        assert Club.objects.filter(slug="later").exists()

    def test_is_restored_in_one_transaction_where_no_database_may_be_made(
        self, cast: Cast, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        said("backup", str(tmp_path / "all.dump"))
        clubs.create_club(by=cast.nora, name="Later", slug="later")
        monkeypatch.setattr(backups, "has_room_beside", lambda _database: False)
        monkeypatch.setattr(backups, "run_on", lambda _database, command: "")
        served = psycopg.connect(backups.url(connection.settings_dict))
        with served, pytest.raises(CommandError, match="Stop the service first"):
            said("restore", str(tmp_path / "all.dump"), "--replace")
        assert processes.eventually(alone, patience.SECONDS, every=0.1)
        said("restore", str(tmp_path / "all.dump"), "--replace")
        assert not Club.objects.filter(slug="later").exists()

    def test_opens_its_keys_with_the_passphrase_alone(
        self, cast: Cast, tmp_path: Path, site_keys: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (site_keys / "push_key").write_text("secret")
        said("backup", str(tmp_path / "all.dump"), "--keys", str(tmp_path / "keys"))
        assert stat.S_IMODE((tmp_path / "keys").stat().st_mode) == 0o600
        monkeypatch.setenv("KEYS_PASSPHRASE", "something else")
        with pytest.raises(CommandError, match="Nothing was restored: The passphrase is another one"):
            said("restore", str(tmp_path / "all.dump"), "--replace", "--keys", str(tmp_path / "keys"))
        monkeypatch.setenv("KEYS_PASSPHRASE", "short")
        with pytest.raises(CommandError, match="at least 12 characters"):
            said("backup", str(tmp_path / "other.dump"), "--keys", str(tmp_path / "other"))

    def test_replaces_no_other_file_unasked(self, cast: Cast, tmp_path: Path) -> None:
        (tmp_path / "all.dump").write_text("the only copy of October")
        with pytest.raises(CommandError, match="With --replace it is replaced"):
            said("backup", str(tmp_path / "all.dump"))
        assert (tmp_path / "all.dump").read_text() == "the only copy of October"

    def test_with_one_wrong_bit_is_not_restored(self, cast: Cast, tmp_path: Path) -> None:
        file = tmp_path / "all.dump"
        said("backup", str(file))
        good = file.read_bytes()
        for place in (0, len(good) // 3, len(good) // 2, len(good) - 100, len(good) - 1):
            file.write_bytes(good[:place] + bytes([good[place] ^ 4]) + good[place + 1 :])
            with pytest.raises(backups.NoBackup, match=r"all\.dump (is damaged|has no checksum)"):
                backups.load({"NAME": "nowhere"}, file)
        file.write_bytes(good[:-1])
        with pytest.raises(CommandError, match=r"Nothing was restored: .*all\.dump has no checksum"):
            said("restore", str(file), "--replace")

    def test_that_is_invalid_changes_nothing(self, cast: Cast, tmp_path: Path) -> None:
        (tmp_path / "other").write_text("something else")
        with pytest.raises(CommandError, match="Nothing was restored"):
            said("restore", str(tmp_path / "other"), "--replace")
        assert Account.objects.filter(username="olga").exists()


@pytest.mark.parametrize("command", [("backup", "/nowhere/all.dump"), ("restore", "/nowhere/all.dump")])
def test_a_missing_or_unreadable_file_is_named(db: None, command: tuple[str, str]) -> None:
    with pytest.raises(CommandError, match=r"/nowhere/all\.dump"):
        said(*command)


def test_a_password_is_not_on_a_command_line() -> None:
    answer = {"NAME": "trefoil", "USER": "ann", "PASSWORD": "s3cret", "HOST": "db", "PORT": ""}
    address = backups.address({**answer, "OPTIONS": {"sslmode": "require", "pool": True}})
    assert address == "dbname=trefoil user=ann host=db sslmode=require"

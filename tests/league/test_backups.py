"""Backups: the whole database is saved and restored completely, or not at all."""

import stat
from pathlib import Path

import pytest
from django.core.management import CommandError

from games.engine.refusals import Illegal
from league import log
from league.core.verbs.cancel import CancelCompetition
from league.core.verbs.draw import DrawRound
from league.core.verbs.recommit import Recommit
from league.core.verbs.start import StartCompetition
from league.models import Account, Club
from league.ops import backups
from league.services import clubs
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import finished, opened
from tests.league.test_commands import said
from tests.league.test_projections import dumped


@pytest.mark.django_db(transaction=True)
class TestABackup:
    @pytest.mark.usefixtures("own_folder")
    def test_restores_everything(self, cast: Cast, tmp_path: Path) -> None:
        file, before = tmp_path / "all.dump", (finished(cast), dumped())[1]
        assert said("backup", str(file)).startswith(f"{file}: ")
        clubs.create_club(by=cast.nora, name="Later", slug="later")
        act(cast.olga, opened(cast, name="Later"), CancelCompetition, reason="flood")
        assert "The database is restored" in said("restore", str(file), "--replace")
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

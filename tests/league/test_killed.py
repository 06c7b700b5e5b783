"""Commands that are killed by `kill -9` in their midst: the same command again does all of it."""

from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection

from games.models import Game
from league.models import Competition
from league.ops import backups
from tests.factories import Cast
from tests.killed import command, killed
from tests.league.playing import finished
from tests.league.test_commands import said
from tests.league.test_projections import dumped

pytestmark = pytest.mark.django_db(transaction=True)


# ---- Another database in its place ---------------------------------------------------------------


def which(database: Mapping[str, Any]) -> str:
    with psycopg.connect(backups.url(database)) as there:
        ((which,),) = there.execute("SELECT it FROM which").fetchall()
    return str(which)


def replace(database: Mapping[str, Any]) -> None:
    with backups.beside(database, "_new") as fresh:
        with psycopg.connect(backups.url(fresh)) as there:
            there.execute("CREATE TABLE which AS SELECT 'new' AS it")
        backups.put_in_its_place(database, fresh)


@pytest.fixture
def old() -> Iterator[Mapping[str, Any]]:
    """A small database, with settings of its own, to which somebody is connected."""
    with backups.beside(connection.settings_dict, "_old") as database:
        with psycopg.connect(backups.url(database)) as there:
            there.execute("CREATE TABLE which AS SELECT 'old' AS it")
            there.execute(f"ALTER DATABASE {database['NAME']} SET search_path TO public, pg_temp")
            there.execute(f"REVOKE TEMPORARY ON DATABASE {database['NAME']} FROM PUBLIC")
        yield database


@pytest.mark.long
def test_wherever_a_swap_is_killed_the_old_or_the_new_database_serves(old: Mapping[str, Any]) -> None:
    served = list[str]()
    for after in count():
        with psycopg.connect(backups.url(old)):  # as `up` is
            if not killed(replace, dict(old), after=after):
                break
        served.append(which(old))
        with psycopg.connect(backups.url(old)) as there:
            there.execute("UPDATE which SET it = 'old'")
    assert (which(old), {*served}) == ("new", {"old", "new"})
    with psycopg.connect(backups.url(old)) as there:
        assert there.execute("SHOW search_path").fetchone() == ("public, pg_temp",)
        assert there.execute(
            "SELECT has_database_privilege('public', current_database(), 'TEMP')"
        ).fetchone() == (False,)
        names = there.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [f"{old['NAME']}%"])
        assert [*names] == [(old["NAME"],)]


def test_a_restore_that_is_killed_leaves_what_was_there(cast: Cast, tmp_path: Path) -> None:
    file = tmp_path / "all.dump"
    said("backup", str(file))
    finished(cast)
    before = dumped()
    connection.close()
    restore = ("restore", str(file), "--replace", "--unverified")
    assert killed(command, *restore, at="subprocess.Popen.*-m.*django")
    assert dumped() == before
    connection.close()
    command(*restore)
    assert not Game.objects.exists()


# ---- All else ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("own_folder")
@pytest.mark.parametrize("what", ["rebuild", "upgrade"])
@pytest.mark.parametrize("at", ['INSERT INTO "league_table"', "os.rename"])
def test_what_is_computed_is_computed_by_the_same_command_again(cast: Cast, what: str, at: str) -> None:
    competition = finished(cast)
    before = dumped()
    Competition.objects.filter(pk=competition.pk).update(seq=1)
    assert killed(command, what, "--processes=1", at=at)
    said(what, "--processes=1")
    assert dumped() == before


@pytest.mark.parametrize("at", ["subprocess.Popen", "fsync", "os.link", "os.remove"])
def test_a_backup_is_there_whole_or_not_at_all(cast: Cast, tmp_path: Path, at: str) -> None:
    file = tmp_path / "all.dump"
    assert killed(command, "backup", str(file), at=at)
    assert file.exists() == (at == "os.remove")
    said("backup", str(file), "--replace")
    assert [path.name for path in tmp_path.iterdir()] == ["all.dump"]

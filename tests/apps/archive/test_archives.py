"""A month is archived whole or not at all, also where the command is killed."""

from pathlib import Path

import pytest
import time_machine

from games import archiving, database_time
from games.models import Game
from tests.games.test_archiving import LATER, game, rows
from tests.killed import command, killed
from tests.league.test_commands import said

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["game"]


def command_later(*arguments: str) -> None:
    """Run a command by host and database clocks of when the month is over."""
    with time_machine.travel(LATER, tick=False), pytest.MonkeyPatch.context() as patch:
        patch.setattr(database_time, "sql", lambda: f"'{LATER.isoformat()}'::timestamptz")
        command(*arguments)


@pytest.mark.parametrize("at", ["fsync", "os.link", "os.remove", "LOCK TABLE", "DROP TABLE"])
def test_a_month_is_in_the_database_or_in_the_archive(game: Game, tmp_path: Path, at: str) -> None:
    before, archive = rows(), ("archive_logs", "2026-11", str(tmp_path / "2026-11.gz"))
    assert killed(command_later, *archive, at=at)
    assert rows() == before
    said(*archive)
    assert rows() == []
    archiving.restore(tmp_path / "2026-11.gz")
    assert rows() == before

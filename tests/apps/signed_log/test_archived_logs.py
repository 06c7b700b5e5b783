"""Logs in archives are held against the leaves that were published of them."""

from datetime import datetime, timedelta
from pathlib import Path

import pgtrigger
import pytest
import time_machine
from django.db import connection, transaction
from django.utils import timezone

from games import archiving, log
from games.engine.replay import Actor
from games.models import Game
from games.models.games import Archive
from games.models.moves import Move
from games.verifier import WrongLog
from league.apps.signed_log import signing
from league.apps.signed_log.check import differences, of_games
from league.ops import folders
from tests.apps.signed_log.test_signed_log import key_file
from tests.apps.signed_log.test_tampering import club
from tests.factories import Cast
from tests.league.playing import play
from tests.league.test_tampering import Club, found, rewritten

__all__ = ["club", "key_file"]


def archived(at: datetime, file: Path) -> None:
    """Archive the month of a time, long after."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    archiving.archive(at, folders.writing(file))


def test_a_log_in_an_archive_is_compared_by_its_head(club: Club, tmp_path: Path) -> None:
    end = {"type": "abandon", "reason": "fire alarm"}
    log.append(game_id=club.running.pk, seq=3, actor=Actor("arbiter"), move=end, account=None)
    signing.enter_and_sign()
    seq = club.ended.seq
    with time_machine.travel(timezone.now() + timedelta(days=100), tick=False):
        archived(club.ended.opened_at, tmp_path / "month.gz")
        assert found() == []
    for change, named in (
        ({"head": "00" * 32}, "is not the one that was published"),
        ({"seq": seq - 1, "head": "00" * 32}, f"entry {seq}, published"),
        ({"seq": seq + 1, "head": "00" * 32}, "entries that were never published"),
    ):
        with transaction.atomic():
            Game.objects.filter(pk=club.ended.pk).update(moved_at="2026-11-01T00:00:00Z", **change)
            named_ = [*differences({})]
            transaction.set_rollback(True)
        assert any(each.startswith(f"game {club.ended.pk}: ") and named in each for each in named_)


def test_an_archive_of_other_logs_than_were_published_is_not_restored(
    cast: Cast, key_file: Path, tmp_path: Path
) -> None:
    file, game = tmp_path / "month.gz", play(cast.game("tally"))
    signing.enter_and_sign()
    with pgtrigger.ignore():
        rewritten(game, lambda entry: setattr(entry, "at", entry.at + timedelta(seconds=1)))()
    with time_machine.travel(timezone.now() + timedelta(days=100), tick=False):
        archived(game.opened_at, file)
    Archive.objects.update(games=2)
    with pytest.raises((archiving.NotArchived, WrongLog), match="other games or entries"):
        archiving.restore(file, of_games)
    Archive.objects.update(games=1)
    with pytest.raises((archiving.NotArchived, WrongLog), match="is not the one that was published"):
        archiving.restore(file, of_games)
    assert (Move.objects.count(), Archive.objects.count()) == (0, 1)

"""Everything published that a superuser of the database could change in secret is found and named."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path

import pgtrigger
import pytest
import time_machine
from django.utils import timezone

from games import rebuilding
from games.engine import chain
from games.models import Game, Seat
from games.models.moves import Move, Seed
from games.models.snapshots import Snapshot
from league.apps.signed_log import leaves, signing
from league.apps.signed_log.check import remarks
from league.apps.signed_log.models import LogEpoch, LogHead, LogLeaf, LogSalt, SignedLog
from league.apps.signed_log.queries import gaps
from league.models import ClubChange, ClubGame, Player, PlayerRecord
from league.models.events import Event
from league.projections import standings
from league.services.players import NewPlayer, create_players, remove_player
from tests.apps.signed_log.test_signed_log import key_file
from tests.factories import Cast
from tests.league.playing import play
from tests.league.test_tampering import (
    Club,
    Then,
    check,
    found,
    made,
    rewritten,
    with_an_unlinked_player,
    with_another_owner,
)

__all__ = ["key_file"]


@pytest.fixture
def club(cast: Cast, key_file: Path) -> Club:
    return made(cast, signing.enter_and_sign)


def without_a_game(club: Club) -> None:
    for rows in (Move, Seat, Seed, Snapshot, ClubGame):
        rows._default_manager.filter(game=club.ended).delete()
    Game.objects.filter(pk=club.ended.pk).delete()


def with_another_chain(club: Club) -> Then:
    def change(entry: Move) -> None:
        entry.account = None

    return rewritten(club.ended, change)


def with_other_times(club: Club) -> Then:
    def change(entry: Move) -> None:
        entry.at -= timedelta(days=1)

    return rewritten(club.ended, change)


def with_a_shorter_game(club: Club) -> Then:
    Move.objects.filter(game=club.running, seq=2).delete()
    return partial(rebuilding.rebuild, [club.running.pk])


def with_a_shorter_competition(club: Club) -> Then:
    Event.objects.filter(competition=club.competition, seq=club.competition.seq).delete()
    return partial(standings.rebuild, club.competition.pk)


def with_another_record_too(club: Club) -> None:
    with_an_unlinked_player(club)
    PlayerRecord.objects.filter(player=club.cast.paul_plays.pk).update(account=None)


def without_salts(club: Club) -> None:
    LogSalt.objects.filter(leaf__kind="player", leaf__subject=club.cast.paul_plays.pk).delete()
    with_another_record_too(club)


def with_an_emptied_salt(club: Club) -> None:
    LogSalt.objects.filter(leaf__kind="player", leaf__subject=club.cast.paul_plays.pk).update(salt=b"")
    with_another_record_too(club)


def removed_in_the_record_too(club: Club) -> None:
    with_an_emptied_salt(club)
    Player.objects.filter(pk=club.cast.paul_plays.pk).update(anonymous=True)
    PlayerRecord.objects.filter(player=club.cast.paul_plays.pk).update(removed=True)


def renamed_without_a_salt(club: Club) -> None:
    player = Player.objects.get(club=club.town, name="Ada")
    made = ClubChange.objects.filter(about=player.pk)
    LogSalt.objects.filter(leaf__kind="club", leaf__seq__in=made.values("pk")).update(salt=b"")
    made.update(subject="Eve", values={"name": [None, "Eve"]})
    Player.objects.filter(pk=player.pk).update(name="Eve")


def renamed_by_a_change_of_nobody(club: Club) -> None:
    renamed_without_a_salt(club)
    ClubChange.objects.filter(subject="Eve").update(about=None)


def without_a_change(club: Club) -> None:
    ClubChange.objects.filter(club=club.cast.club).latest("pk").delete()


def with_a_game_from_nowhere(club: Club) -> Then:
    def add() -> None:
        club.cast.game("tally")
        Game.objects.update(moved_at="2020-01-01T00:00:00Z")

    return add


def with_a_shorter_tree(club: Club) -> None:
    """Remove a game and also its leaves, at the end of the tree, with all that was signed since."""
    without_a_game(club)
    size = LogLeaf.objects.filter(subject=club.ended.pk).order_by("index")[0].index
    LogHead.objects.filter(size__gt=size).delete()
    LogSalt.objects.filter(leaf__index__gte=size).delete()
    LogLeaf.objects.filter(index__gte=size).delete()
    SignedLog.objects.update(size=size)


def with_another_leaf(club: Club) -> None:
    leaf = LogLeaf.objects.filter(kind="game").earliest("index")
    LogLeaf.objects.filter(pk=leaf.pk).update(head=bytes(32))


def with_workers_long_ago(club: Club) -> Then:
    SignedLog.objects.update(as_of="2020-01-01T00:00:00Z")
    return with_a_game_from_nowhere(club)


def with_an_old_game(club: Club) -> Then:
    """Add a game that is dated months ago, published with all that followed since."""

    def add() -> None:
        game = play(club.cast.game("tally"))
        with pgtrigger.ignore():
            rewritten(game, lambda entry: setattr(entry, "at", entry.at - timedelta(days=400)))()
        leaves.enter_all(whenever=True)

    return add


def with_an_old_leaf(club: Club) -> Then:
    def change() -> None:
        club.cast.game("tally")
        leaves.enter_all()
        with pgtrigger.ignore():
            last = LogLeaf.objects.latest("index").pk
            LogLeaf.objects.filter(pk=last).update(at="2025-10-01T00:00:00Z")

    return change


def with_an_old_head(club: Club) -> None:
    first = LogHead.objects.earliest("size")
    at, old = chain.stamp(first.at), chain.stamp(first.at - timedelta(days=400))
    LogHead.objects.filter(pk=first.pk).update(
        note=first.note.replace(at, old), at=first.at - timedelta(days=400)
    )


def without_heads(club: Club) -> None:
    LogHead.objects.all().delete()


def without_the_last_head(club: Club) -> None:
    LogHead.objects.latest("pk").delete()


def without_the_salt_of_a_role(club: Club) -> None:
    change = ClubChange.objects.filter(about=club.cast.paul.pk).latest("pk")
    LogSalt.objects.filter(leaf__kind="club", leaf__seq=change.pk).delete()
    ClubChange.objects.filter(pk=change.pk).update(values={"role": [None, "owner"]})
    with_another_owner(club)


def with_another_epoch(club: Club) -> None:
    LogEpoch.objects.update(reason="nothing happened")


def without_the_signed_log(club: Club) -> None:
    for rows in (LogHead, LogSalt, LogLeaf, SignedLog):
        rows._default_manager.all().delete()


TAMPERING: dict[Callable[[Club], Then | None], tuple[str, str]] = {
    without_a_game: ("game {ended}", "it is gone"),
    with_another_chain: ("game {ended}", "entry 1 is not the one that was published"),
    with_other_times: ("game {ended}", "the log was rewritten"),
    with_a_shorter_game: ("game {running}", "is missing: the log was cut"),
    with_a_shorter_competition: ("competition {competition}", "is missing: the log was cut"),
    with_another_record_too: ("player {player}", "entry 1 is not the one that was published"),
    without_salts: ("player {player}", "a salt of its leaves is gone"),
    with_an_emptied_salt: ("player {player}", "a salt of its leaves is gone"),
    removed_in_the_record_too: ("player {player}", "a salt of its leaves is gone"),
    renamed_without_a_salt: ("the record of club {town}", "the salt of change"),
    renamed_by_a_change_of_nobody: ("the record of club {town}", "the salt of change"),
    without_a_change: ("the record of club {club}", "the log was cut"),
    with_a_game_from_nowhere: ("game", "never published"),
    with_a_shorter_tree: ("signed log", "it was cut: the head that is kept beside the key"),
    with_another_leaf: ("signed log", "has another hash than what it says"),
    with_workers_long_ago: ("game", "never published"),
    with_an_old_game: ("game", "and no import says so"),
    with_an_old_leaf: ("signed log", "is dated before the head that was published before it"),
    with_an_old_head: ("signed log", "was not signed so"),
    without_heads: ("signed log", "no head is stored"),
    without_the_last_head: ("signed log", "the head that is kept beside the key is not among the heads"),
    without_the_salt_of_a_role: ("the record of club {town}", "the salt of change"),
    with_another_epoch: ("the epochs of signed log", "entry 1 is not the one that was published"),
    without_the_signed_log: ("signed log", "it is gone"),
}


@pytest.mark.long
def test_every_change_of_what_was_published_is_named(club: Club) -> None:
    check(club, TAMPERING)


def test_a_time_in_which_nothing_was_published_is_named(club: Club) -> None:
    assert gaps() == []
    club.cast.game("tally")
    with time_machine.travel(timezone.now() + timedelta(hours=2), tick=False):
        signing.enter_and_sign()
        assert found() == []
    assert len(gaps()) == 1


def test_a_removal_takes_the_salts_of_that_player_alone(club: Club) -> None:
    again, other = create_players(
        by=club.cast.olga, club=club.cast.club, new=[NewPlayer("Cy"), NewPlayer("Cy")]
    )
    signing.enter_and_sign()
    for player in (club.cast.paul_plays, again):
        remove_player(by=club.cast.olga, player=player)
    assert "3 leaves" in [*remarks()][-1] and not found()
    signing.enter_and_sign()
    assert not found()
    assert LogSalt.objects.filter(leaf__kind="player", leaf__subject=other.pk).exists()
    with pgtrigger.ignore():
        ClubChange.objects.filter(about=other.pk).update(values={})
    assert any("is not the one that was published" in each for each in found())

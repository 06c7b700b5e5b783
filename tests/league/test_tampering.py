"""Everything that a superuser of the database could change in secret is found and named.

Each change is made with the triggers off, as thoroughly as can be: chains are made anew, rows rebuilt.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import pgtrigger
import pytest
from django.db import transaction
from django.utils import timezone

from games import partitions, rebuilding
from games.engine import chain
from games.models import Game, Seat
from games.models.archives import Archive
from games.models.moves import Move, Seed
from games.models.snapshots import Snapshot
from league.models import (
    ClubChange,
    ClubGame,
    Competition,
    LogHead,
    LogLeaf,
    LogSalt,
    Player,
    PlayerRecord,
    Rating,
    SignedLog,
)
from league.models.events import Event
from league.projections import competitions as projections
from league.projections.ratings import compute_ratings
from league.services import gate, signing, tampering
from league.services.clubs import change_club
from league.services.shares import Place
from tests.factories import Cast
from tests.league.playing import finished, moved, play
from tests.league.test_signed_log import key_file

__all__ = ["key_file"]


Then: TypeAlias = Callable[[], object]
"""What is done with the triggers on, after a change."""


@dataclass(frozen=True)
class Club:
    """What there is to be changed: games, a competition, a player."""

    cast: Cast
    ended: Game
    running: Game
    competition: Competition


def found() -> list[str]:
    steps = gate.verify(processes=1, since=Place())
    return [
        *(wrong for step in steps for wrong in step.done.wrong),
        *tampering.differences(kept=signing.kept()),
    ]


def rewritten(game: Game, change: Callable[[Move], None]) -> Then:
    """Change all entries of a game, and make its chain and rows anew."""
    head = chain.ORIGIN
    for entry in Move.objects.filter(game=game).order_by("seq"):
        change(entry)
        head = chain.link(head, entry.as_json())
        rows = Move.objects.filter(game=game, seq=entry.seq)
        rows.update(account=entry.account, at=entry.at, hash=head)
    return partial(rebuilding.rebuild, [game.pk])


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
    return partial(projections.rebuild, club.competition.pk)


def with_an_unlinked_player(club: Club) -> None:
    Player.objects.filter(pk=club.cast.paul_plays.pk).update(account=None)


def with_another_record_too(club: Club) -> None:
    with_an_unlinked_player(club)
    PlayerRecord.objects.filter(player=club.cast.paul_plays.pk).update(account=None)


def with_other_ratings(club: Club) -> None:
    Rating.objects.filter(player=club.cast.paul_plays).update(points=2000)


def with_another_seed(club: Club) -> None:
    Seed.objects.filter(game=club.running).update(secret=bytes(32))


def without_salts(club: Club) -> None:
    LogSalt.objects.filter(leaf__kind="player", leaf__subject=club.cast.paul_plays.pk).delete()
    with_another_record_too(club)


def without_a_change(club: Club) -> None:
    ClubChange.objects.latest("pk").delete()


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


TAMPERING: dict[Callable[[Club], Then | None], tuple[str, str]] = {
    without_a_game: ("game {ended}", "it is gone"),
    with_another_chain: ("game {ended}", "entry 1 is not the one that was published"),
    with_other_times: ("game {ended}", "the log was written anew"),
    with_a_shorter_game: ("game {running}", "is missing: the log was cut"),
    with_a_shorter_competition: ("competition {competition}", "is missing: the log was cut"),
    with_an_unlinked_player: ("player {player}", "unlinked past the service"),
    with_another_record_too: ("player {player}", "entry 1 is not the one that was published"),
    with_other_ratings: ("club {club}", "points is 2000"),
    with_another_seed: ("game {running}", "the seed was changed"),
    without_salts: ("player {player}", "a salt of its leaves is gone"),
    without_a_change: ("the record of club {club}", "the log was cut"),
    with_a_game_from_nowhere: ("game", "never published"),
    with_a_shorter_tree: ("signed log", "it was cut: the head that is kept beside the key"),
    with_another_leaf: ("signed log", "has another hash than what it says"),
}


@pytest.fixture
def club(cast: Cast, key_file: Path) -> Club:
    competition = finished(cast, 4)
    compute_ratings(competition.pk)
    for name in ("Quay", "Pier"):
        change_club(by=cast.olga, club=cast.club, name=name, timezone="UTC")
    running = cast.game("tally")
    moved(running, 0, {"type": "say", "number": 1})
    signing.enter_and_sign()
    ended = play(cast.game("tally"))
    signing.enter_and_sign()
    return Club(cast, ended, running, competition)


def test_every_change_past_the_service_is_named(club: Club) -> None:
    assert found() == []
    ids: dict[str, Any] = {
        "ended": club.ended.pk,
        "running": club.running.pk,
        "competition": club.competition.pk,
        "player": club.cast.paul_plays.pk,
        "club": club.cast.club.pk,
    }
    for tamper, (where, what) in TAMPERING.items():
        with transaction.atomic():
            with pgtrigger.ignore():
                then = tamper(club)
            if then:
                then()
            named = found()
            transaction.set_rollback(True)
        assert any(each.startswith(where.format(**ids)) and what in each for each in named), (tamper, named)
    assert found() == []


def test_a_log_in_an_archive_is_compared_by_its_head(club: Club) -> None:
    table = partitions.of_game(club.ended.pk).table
    Archive.objects.create(partition=table, digest="", games=1, entries=1, archived_at=timezone.now())
    with pgtrigger.ignore():
        Move.objects.filter(game=club.ended).delete()
    assert [*tampering.differences(kept=signing.kept())] == []
    Game.objects.filter(pk=club.ended.pk).update(head="00" * 32)
    (difference,) = tampering.differences(kept=signing.kept())
    assert difference.startswith(f"game {club.ended.pk}: entry")

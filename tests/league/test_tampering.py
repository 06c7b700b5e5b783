"""Everything that a superuser of the database could change in secret is found and named.

Each change is made with the triggers off, as thoroughly as can be: chains are made anew, rows rebuilt.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias
from uuid import uuid4

import pgtrigger
import pytest
import time_machine
from django.db import connection, transaction
from django.utils import timezone
from league.queries.signed_log import gaps

from games import partitions, rebuilding
from games.engine import chain
from games.models import Game, Seat
from games.models.archives import Archive
from games.models.moves import Move, Seed
from games.models.snapshots import Snapshot
from league.models import (
    Club as ClubModel,
)
from league.models import (
    ClubChange,
    ClubGame,
    Competition,
    LogEpoch,
    LogHead,
    LogLeaf,
    LogSalt,
    Member,
    Player,
    PlayerRecord,
    Rating,
    Ratings,
    SignedLog,
)
from league.models.events import Event
from league.projections import competitions as projections
from league.projections.ratings import compute_ratings
from league.projections.standings import compute_standings
from league.services import gate, sequencing, signing, tampering
from league.services.clubs import NewPlayer, add_member, change_club, create_club, create_players
from league.services.people import remove_player
from league.services.shares import Place, to_its_end
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
    town: ClubModel


def found() -> list[str]:
    steps = gate.verify(processes=1, since=Place())
    return [
        *(wrong for step in steps for wrong in step.done.wrong),
        *tampering.differences(),
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


def with_an_emptied_salt(club: Club) -> None:
    LogSalt.objects.filter(leaf__kind="player", leaf__subject=club.cast.paul_plays.pk).update(salt=b"")
    with_another_record_too(club)


def said_to_be_removed(club: Club) -> None:
    with_an_emptied_salt(club)
    Player.objects.filter(pk=club.cast.paul_plays.pk).update(anonymous=True)


def removed_in_the_record_too(club: Club) -> None:
    said_to_be_removed(club)
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


def with_ratings_that_lag(club: Club) -> None:
    with_other_ratings(club)
    Ratings.objects.filter(competition=club.competition).update(as_of=club.competition.seq - 1)


def with_an_archive_from_nowhere(club: Club) -> None:
    table = partitions.of_game(club.ended.pk).table
    Archive.objects.create(partition=table, digest="", games=1, entries=4, archived_at=timezone.now())
    Seat.objects.filter(game=club.ended, number=0).update(team=7)


def with_workers_long_ago(club: Club) -> Then:
    SignedLog.objects.update(as_of="2020-01-01T00:00:00Z")
    return with_a_game_from_nowhere(club)


def with_an_old_game(club: Club) -> Then:
    """Add a game that is dated months ago, published with all that followed since."""

    def add() -> None:
        game = play(club.cast.game("tally"))
        with pgtrigger.ignore():
            rewritten(game, lambda entry: setattr(entry, "at", entry.at - timedelta(days=400)))()
        sequencing.enter_all(whenever=True)

    return add


def with_an_old_leaf(club: Club) -> Then:
    def change() -> None:
        club.cast.game("tally")
        sequencing.enter_all()
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


def with_another_body_of_a_trigger(club: Club) -> None:
    trigger = LogLeaf._meta.triggers[0].get_pgid(LogLeaf)  # type: ignore[attr-defined]
    body = "RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'"
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(f"CREATE OR REPLACE FUNCTION {trigger}() {body}")


def with_a_rating_twice(club: Club) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE league_rating DROP CONSTRAINT league_rating_pkey CASCADE")
        cursor.execute("ALTER TABLE league_rating DROP CONSTRAINT unique_rating_ruleset")
        cursor.execute("INSERT INTO league_rating SELECT * FROM league_rating LIMIT 1")


def with_a_league_game_made_casual(club: Club) -> None:
    games = ClubGame.objects.filter(competition=club.competition)
    games.update(competition=None, table=None, recorded=False)


def with_options_that_nothing_reads(club: Club) -> None:
    Event.objects.filter(competition=club.competition, seq=1).update(event={"type": "opened"})
    Competition.objects.filter(pk=club.competition.pk).update(head="00" * 32)


def flagged_as_practice(club: Club) -> None:
    Game.objects.filter(pk=club.ended.pk).update(practice=True)


def with_a_copy_dated_ahead(club: Club) -> None:
    ahead, game = timedelta(days=2000), Game.objects.get(pk=club.ended.pk)
    seats, seed = list(Seat.objects.filter(game=game)), Seed.objects.get(game=game)
    entries = list(Move.objects.filter(game=game).order_by("seq"))
    game.pk, game.opened_at, game.moved_at = uuid4(), game.opened_at + ahead, game.moved_at + ahead
    head = chain.ORIGIN
    for entry in entries:
        entry.pk, entry.game, entry.at = None, game, entry.at + ahead
        head = entry.hash = chain.link(head, entry.as_json())
    game.head = head
    game.save(force_insert=True)
    Seed.objects.create(game=game, secret=bytes(seed.secret))
    Move.objects.bulk_create(entries)
    for seat in seats:
        seat.pk, seat.game = None, game
    Seat.objects.bulk_create(seats)


def with_names_exchanged(club: Club, **more: bool) -> None:
    first, second = Player.objects.filter(club=club.town)
    Player.objects.filter(pk=first.pk).update(name=second.name, **more)
    Player.objects.filter(pk=second.pk).update(name=first.name, **more)


def with_names_exchanged_by_removals(club: Club) -> Then:
    return partial(with_names_exchanged, club, anonymous=True)


def with_another_name_of_who_was_removed(club: Club) -> Then:
    def rename() -> None:
        remove_player(by=club.cast.olga, player=club.cast.paul_plays)
        Player.objects.filter(pk=club.cast.paul_plays.pk).update(name="Kim the Great")

    return rename


def with_another_owner(club: Club) -> None:
    Member.objects.filter(club=club.town, account=club.cast.paul).update(role="owner")


def with_an_owner_from_nowhere(club: Club) -> None:
    Member.objects.create(club=club.town, account=club.cast.nora, role="owner")


def without_a_member(club: Club) -> None:
    Member.objects.filter(club=club.town, account=club.cast.paul).delete()


def with_another_zone(club: Club) -> None:
    ClubModel.objects.filter(pk=club.town.pk).update(name="Shore", timezone="Asia/Tokyo")


def with_another_club(club: Club) -> None:
    ClubGame.objects.filter(pk=club.ended.pk).update(club=club.town)


def with_another_opener(club: Club) -> None:
    ClubGame.objects.filter(pk=club.ended.pk).update(made_by=club.cast.nora)


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
    with_an_unlinked_player: ("player {player}", "unlinked past the service"),
    with_another_record_too: ("player {player}", "entry 1 is not the one that was published"),
    with_other_ratings: ("club {club}", "points is 2000"),
    with_another_seed: ("game {running}", "the seed was changed"),
    without_salts: ("player {player}", "a salt of its leaves is gone"),
    with_an_emptied_salt: ("player {player}", "a salt of its leaves is gone"),
    said_to_be_removed: ("player {player}", "is removed, by the record it is not removed"),
    removed_in_the_record_too: ("player {player}", "a salt of its leaves is gone"),
    renamed_without_a_salt: ("the record of club {town}", "the salt of change"),
    renamed_by_a_change_of_nobody: ("the record of club {town}", "the salt of change"),
    without_a_change: ("the record of club {club}", "the log was cut"),
    with_a_game_from_nowhere: ("game", "never published"),
    with_a_shorter_tree: ("signed log", "it was cut: the head that is kept beside the key"),
    with_another_leaf: ("signed log", "has another hash than what it says"),
    with_ratings_that_lag: ("club {club}", "points is 2000"),
    with_an_archive_from_nowhere: ("archive games_move_", "it has 1 games of 4 entries, and 0"),
    with_workers_long_ago: ("game", "never published"),
    with_an_old_game: ("game", "and no import says so"),
    with_an_old_leaf: ("signed log", "is dated before the head that was published before it"),
    with_an_old_head: ("signed log", "was not signed so"),
    without_heads: ("signed log", "no head is stored"),
    without_the_last_head: ("signed log", "the head that is kept beside the key is not among the heads"),
    with_another_body_of_a_trigger: ("schema", "function pgtrigger_leaf"),
    with_a_rating_twice: ("schema", "constraint league_rating.league_rating_pkey"),
    with_a_league_game_made_casual: ("competition autumn", "competition_id is None"),
    with_options_that_nothing_reads: ("competition autumn", "entry 1 is wrong"),
    flagged_as_practice: ("game {ended}", "practice"),
    with_a_copy_dated_ahead: ("game", "dated ahead of the database's clock"),
    with_names_exchanged: ("club {town}", "has another name than the record says"),
    with_names_exchanged_by_removals: ("club {town}", "another name than the record of the removal says"),
    with_another_name_of_who_was_removed: ("club {club}", "another name than the record of the removal says"),
    with_another_owner: ("club {town}", "is owner, by the record player"),
    with_an_owner_from_nowhere: ("club {town}", "is owner, by the record None"),
    without_a_member: ("club {town}", "is None, by the record player"),
    with_another_zone: ("club {town}", "its timezone was changed past the service"),
    with_another_club: ("game {ended}", "another club than its players"),
    with_another_opener: ("game {ended}", "another account opened it"),
    without_the_salt_of_a_role: ("the record of club {town}", "the salt of change"),
    with_another_epoch: ("the epochs of signed log", "entry 1 is not the one that was published"),
    without_the_signed_log: ("signed log", "it is gone"),
}


@pytest.fixture
def club(cast: Cast, key_file: Path) -> Club:
    competition = finished(cast, 4)
    compute_ratings(competition.pk)
    for name in ("Quay", "Pier"):
        change_club(by=cast.olga, club=cast.club, name=name, timezone="UTC")
    town = create_club(by=cast.petra, name="Town")
    add_member(by=cast.petra, club=town, account=cast.paul, role="player")
    create_players(by=cast.petra, club=town, new=[NewPlayer("Ada"), NewPlayer("Ben")])
    running = cast.game("tally")
    moved(running, 0, {"type": "say", "number": 1})
    signing.enter_and_sign()
    ended = play(cast.game("tally"))
    signing.enter_and_sign()
    compute_standings(competition.pk)
    return Club(cast, ended, running, competition, town)


def test_every_change_past_the_service_is_named(club: Club) -> None:
    assert found() == []
    ids: dict[str, Any] = {
        "ended": club.ended.pk,
        "running": club.running.pk,
        "competition": club.competition.pk,
        "player": club.cast.paul_plays.pk,
        "club": club.cast.club.pk,
        "town": club.town.pk,
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
    assert tampering.erased() > 2 and not found()
    signing.enter_and_sign()
    assert not found()
    assert LogSalt.objects.filter(leaf__kind="player", leaf__subject=other.pk).exists()
    with pgtrigger.ignore():
        ClubChange.objects.filter(about=other.pk).update(values={})
    assert any("is not the one that was published" in each for each in found())


def test_work_that_workers_left_undone_is_named_whatever_their_last_sign(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    Ratings.objects.filter(competition=club.competition).update(as_of=club.competition.seq - 1)
    SignedLog.objects.update(as_of="2020-01-01T00:00:00Z")
    monkeypatch.setattr(sequencing, "SETTLED", timedelta(0))
    (wrong,) = found()
    assert "the ratings of competition autumn are as of entry" in wrong
    assert [step for step in gate.verify(processes=1, since=Place(), stopped=True) if step.done.wrong] == []


def test_a_part_that_ends_leaves_no_cursor_to_the_parts_after_it(club: Club) -> None:
    def part() -> Iterator[str]:
        for _ in LogLeaf.objects.iterator(chunk_size=1):
            raise KeyError("nothing")
        yield ""

    (ended,) = to_its_end("signed log", part())
    assert ended.endswith("KeyError: 'nothing'")
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_cursors")
        assert cursor.fetchone() == (0,)

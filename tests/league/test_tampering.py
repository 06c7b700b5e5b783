"""Everything that a superuser of the database could change in secret is found and named.

Each change is made with the triggers off, as thoroughly as can be: chains are made anew, rows rebuilt.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import chain as chain_
from typing import Any, TypeAlias
from uuid import uuid4

import pgtrigger
import pytest
from django.db import connection, transaction
from django.utils import timezone

from games import partitions, rebuilding
from games.engine import chain
from games.models import Game, Seat
from games.models.games import Archive
from games.models.moves import Move, Seed
from league.hooks import upkeep
from league.models import (
    Club as ClubModel,
)
from league.models import (
    ClubGame,
    Competition,
    Member,
    PeriodicRun,
    Player,
    Rating,
    Ratings,
)
from league.models.events import Event
from league.projections.ratings import compute_ratings
from league.projections.standings import compute_standings
from league.queries import due
from league.services import gate
from league.services.clubs import add_member, change_club, create_club
from league.services.players import NewPlayer, create_players, remove_player
from league.services.shares import Place, to_its_end
from tests.factories import Cast
from tests.league.playing import finished, moved, play

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


def findings() -> Iterator[str]:
    """Yield what is found, each as soon as it is."""
    yield from chain_.from_iterable(check.differences({}) for check in upkeep.CHECKS)
    for step in gate.verify(processes=1, since=Place()):
        yield from step.done.wrong


def found() -> list[str]:
    return [*findings()]


def rewritten(game: Game, change: Callable[[Move], None]) -> Then:
    """Change all entries of a game, and make its chain and rows anew."""
    head = chain.ORIGIN
    for entry in Move.objects.filter(game=game).order_by("seq"):
        change(entry)
        head = chain.link(head, entry.as_json())
        rows = Move.objects.filter(game=game, seq=entry.seq)
        rows.update(account=entry.account, at=entry.at, hash=head)
    return partial(rebuilding.rebuild, [game.pk])


def with_an_unlinked_player(club: Club) -> None:
    Player.objects.filter(pk=club.cast.paul_plays.pk).update(account=None)


def with_other_ratings(club: Club) -> None:
    Rating.objects.filter(player=club.cast.paul_plays).update(points=2000)


def with_another_seed(club: Club) -> None:
    Seed.objects.filter(game=club.running).update(secret=bytes(32))


def said_to_be_removed(club: Club) -> None:
    Player.objects.filter(pk=club.cast.paul_plays.pk).update(anonymous=True)


def with_ratings_that_lag(club: Club) -> None:
    with_other_ratings(club)
    Ratings.objects.filter(competition=club.competition).update(as_of=club.competition.seq - 1)


def with_an_archive_from_nowhere(club: Club) -> None:
    table = partitions.of_game(club.ended.pk).table
    Archive.objects.create(partition=table, digest="", games=1, entries=4, archived_at=timezone.now())
    Seat.objects.filter(game=club.ended, number=0).update(team=7)


def with_another_body_of_a_trigger(club: Club) -> None:
    trigger = Event._meta.triggers[0].get_pgid(Event)  # type: ignore[attr-defined]
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


TAMPERING: dict[Callable[[Club], Then | None], tuple[str, str]] = {
    with_an_unlinked_player: ("player {player}", "unlinked past the service"),
    with_other_ratings: ("club {club}", "points is 2000"),
    with_another_seed: ("game {running}", "the seed was changed"),
    said_to_be_removed: ("player {player}", "is removed, by the record it is not removed"),
    with_ratings_that_lag: ("club {club}", "points is 2000"),
    with_another_body_of_a_trigger: ("schema", "function pgtrigger_event"),
    with_an_archive_from_nowhere: ("archive games_move_", "it has 1 games of 4 entries, and 0"),
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
}


def made(cast: Cast, then: Then = lambda: None) -> Club:
    """Make all that is changed; ``then`` is done in between and after it."""
    competition = finished(cast, 4)
    compute_ratings(competition.pk)
    for name in ("Quay", "Pier"):
        change_club(by=cast.olga, club=cast.club, name=name, timezone="UTC")
    town = create_club(by=cast.petra, name="Town")
    add_member(by=cast.petra, club=town, account=cast.paul, role="player")
    create_players(by=cast.petra, club=town, new=[NewPlayer("Ada"), NewPlayer("Ben")])
    running = cast.game("tally")
    moved(running, 0, {"type": "say", "number": 1})
    then()
    ended = play(cast.game("tally"))
    then()
    compute_standings(competition.pk)
    return Club(cast, ended, running, competition, town)


@pytest.fixture
def club(cast: Cast) -> Club:
    return made(cast)


def check(club: Club, changes: Mapping[Callable[[Club], Then | None], tuple[str, str]]) -> None:
    """Make each change, and see where it is found and what is said of it."""
    assert found() == []
    ids: dict[str, Any] = {
        "ended": club.ended.pk,
        "running": club.running.pk,
        "competition": club.competition.pk,
        "player": club.cast.paul_plays.pk,
        "club": club.cast.club.pk,
        "town": club.town.pk,
    }
    for tamper, (where, what) in changes.items():
        with transaction.atomic():
            with pgtrigger.ignore():
                then = tamper(club)
            if then:
                then()
            begins = where.format(**ids)
            is_named = any(each.startswith(begins) and what in each for each in findings())
            transaction.set_rollback(True)
        assert is_named, tamper
    assert found() == []


@pytest.mark.long
def test_every_change_past_the_service_is_named(club: Club) -> None:
    check(club, TAMPERING)


def test_work_that_workers_left_undone_is_named_whatever_their_last_sign(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    Ratings.objects.filter(competition=club.competition).update(as_of=club.competition.seq - 1)
    PeriodicRun.objects.create(name="sweep", began_at="2020-01-01T00:00:00Z")
    monkeypatch.setattr(due, "SETTLED", timedelta(0))
    (wrong,) = found()
    assert "the ratings of competition autumn are as of entry" in wrong
    assert [step for step in gate.verify(processes=1, since=Place(), stopped=True) if step.done.wrong] == []


def test_a_part_that_ends_leaves_no_cursor_to_the_parts_after_it(club: Club) -> None:
    def part() -> Iterator[str]:
        for _ in Move.objects.iterator(chunk_size=1):
            raise KeyError("nothing")
        yield ""

    (ended,) = to_its_end("signed log", part())
    assert ended.endswith("KeyError: 'nothing'")
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_cursors")
        assert cursor.fetchone() == (0,)

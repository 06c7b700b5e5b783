"""The move log on a real PostgreSQL: appends, races, retries, the cache, the file."""

import json
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, ClassVar
from uuid import uuid4

import pytest
import time_machine
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import log, verifier
from games.engine import replay
from games.engine.refusals import Illegal, Malformed, NotReplayable, Refusal, Stale
from games.engine.replay import Actor
from games.models import Game, Seat
from games.models.moves import Move, Seed
from tests.core.ids import uid
from tests.rules.recording import SECRET, Recorder

DRAW = {"type": "draw", "from": "deck"}


def opened(seats: int = 3, **given: Any) -> Game:
    players = [uuid4() for _ in range(seats)]
    return log.open_game(
        ruleset="scoops", options={}, players=players, account=uid("a"), secret=SECRET, **given
    )


def awaited(game: Game) -> Actor:
    game.refresh_from_db()
    return Actor("seat", game.awaited[0])


def draw(game: Game) -> log.Appended:
    actor = awaited(game)
    return log.append(game_id=game.pk, seq=game.seq + 1, actor=actor, move=DRAW, account=None)


def timeouts(game: Game, count: int) -> None:
    for _ in range(count):
        seat = Actor("clock", awaited(game).seat)
        log.append(game_id=game.pk, seq=game.seq + 1, actor=seat, move={"type": "timeout"}, account=None)


def finished() -> Game:
    game = log.open_game(
        ruleset="scoops", options={"round_limit": 1, "turn_limit": 2}, players=[None] * 2, account=None
    )
    while not game.is_over:
        timeouts(game, 1)
        game.refresh_from_db()
    return game


@pytest.mark.django_db
class TestOpening:
    def test_records_rules_options_seats_and_commitment(self) -> None:
        game = opened()
        opening = Move.objects.get(game=game, seq=1)
        assert opening.move["ruleset"] == game.ruleset == "scoops@1"
        usual = {"target": 3, "round_limit": 30, "turn_limit": 60, "knocking": "discarder"}
        assert opening.move["options"] == game.options == usual
        assert opening.move["commitment"] == game.commitment
        assert opening.move["seats"] == [str(seat.player) for seat in Seat.objects.filter(game=game)]

    def test_draws_another_secret_for_each_game(self) -> None:
        games = [log.open_game(ruleset="scoops", options={}, players=[None] * 2, account=None) for _ in "ab"]
        assert games[0].commitment != games[1].commitment

    @pytest.mark.parametrize(
        ("given", "path"),
        [
            ({"ruleset": "whist"}, "ruleset"),
            ({"players": [None]}, "players"),
            ({"options": {"target": 11}}, "options.target"),
            ({"options": {"hats": 1}}, "options.hats"),
            ({"options": []}, "options"),
        ],
    )
    def test_with_an_error_names_the_field_and_writes_nothing(self, given: dict[str, Any], path: str) -> None:
        right: dict[str, Any] = {"ruleset": "scoops", "options": {}, "players": [None] * 2, "account": None}
        with pytest.raises(Malformed) as caught:
            log.open_game(**{**right, **given})
        assert path in caught.value.errors
        assert not Game.objects.exists()


@pytest.mark.django_db
def test_a_game_with_a_log_that_the_rules_refuse_is_not_replayable() -> None:
    game = opened()
    Move.objects.bulk_create(
        [Move(game=game, seq=2, role="seat", seat=0, move={"type": "fly"}, at=game.opened_at, hash="11" * 32)]
    )
    game.seq, game.head = 2, "11" * 32
    with pytest.raises(NotReplayable):
        log.position_at(game, 2)
    with pytest.raises(NotReplayable):
        log.latest(game)


@pytest.mark.django_db
class TestAppending:
    def test_writes_one_entry_and_moves_the_head(self) -> None:
        game = opened()
        appended = draw(game)
        game.refresh_from_db()
        assert appended.created
        assert (game.seq, game.head) == (2, appended.entry.hash)

    def test_the_same_entry_again_returns_the_same_and_writes_nothing(self) -> None:
        game = opened()
        first = draw(game)
        actor = Actor("seat", first.entry.seat)
        again = log.append(game_id=game.pk, seq=2, actor=actor, move=DRAW, account="other device")
        assert not again.created
        assert again.entry == first.entry
        assert Move.objects.filter(game=game).count() == 2

    @pytest.mark.parametrize("seq", [-1, 0, 1, 2, 4, 10**9])
    def test_at_a_wrong_seq_is_stale_and_returns_the_next_seq(self, seq: int) -> None:
        game = opened()
        draw(game)
        move = {"type": "resign"}
        with pytest.raises(Stale) as caught:
            log.append(game_id=game.pk, seq=seq, actor=Actor("seat", 0), move=move, account=None)
        assert caught.value.seq == 3

    @pytest.mark.parametrize(
        ("move", "refusal"),
        [({"type": "fly"}, Malformed), (None, Malformed), ({"type": "discard", "card": "2C"}, Illegal)],
    )
    def test_a_refused_move_changes_nothing(self, move: Any, refusal: type[Refusal]) -> None:
        game = opened()
        before = list(Game.objects.values())
        with pytest.raises(refusal):
            log.append(game_id=game.pk, seq=2, actor=awaited(game), move=move, account=None)
        assert list(Game.objects.values()) == before
        assert Move.objects.filter(game=game).count() == 1

    def test_moves_of_a_seat_that_is_out_are_written_in_the_same_transaction(self) -> None:
        game = opened()
        actor = awaited(game)
        log.append(game_id=game.pk, seq=2, actor=actor, move={"type": "resign"}, account=None)
        roles = [(entry.role, entry.seat) for entry in log.entries(game, after=1)]
        assert roles == [("seat", actor.seat), ("system", actor.seat), ("system", actor.seat)]
        assert awaited(game).seat != actor.seat

    def test_takes_the_same_number_of_queries_early_and_late(self) -> None:
        game = opened(2)
        counts = []
        for _ in range(2):
            with CaptureQueriesContext(connection) as queries:
                timeouts(game, 1)
            counts.append(len(queries))
            timeouts(game, 60)
        assert counts[0] == counts[1]


@pytest.mark.django_db
class TestTheCache:
    def test_includes_entries_written_by_another_process(self) -> None:
        game = opened(2)
        stale = log.latest(game)
        early = Game.objects.get(pk=game.pk)
        timeouts(game, 3)
        truth = log.position_at(Game.objects.get(pk=game.pk), 4)
        log._LATEST(early.pk).kept = early.seq, early.head, stale
        assert log.latest(Game.objects.get(pk=game.pk)) == truth

    def test_is_discarded_when_it_contradicts_the_log(self) -> None:
        game = opened(2)
        timeouts(game, 2)
        game.refresh_from_db()
        other = opened(2)
        forged = Game(pk=game.pk, seq=2, head=other.head)
        log._LATEST(forged.pk).kept = forged.seq, forged.head, log.latest(other)
        assert log.latest(game) == log.position_at(game, 3)

    def test_of_a_rolled_back_transaction_is_discarded(self) -> None:
        game = opened(2)
        with pytest.raises(RuntimeError), transaction.atomic():
            timeouts(game, 2)
            raise RuntimeError
        game.refresh_from_db()
        assert log.latest(game) == log.position_at(game, 1)

    def test_drops_the_least_recently_used_games(self) -> None:
        most = log._LATEST.cache_parameters()["maxsize"]
        for _ in range(most + 1):
            log._LATEST(uuid4())
        assert log._LATEST.cache_info().currsize == most


@pytest.mark.django_db
class TestClocks:
    CLOCK: ClassVar = {"move": 3600, "quiet": "22:00-08:00", "zone": "Europe/Berlin", "late": "forfeit"}

    def test_of_a_game_are_in_its_opening_without_defaults(self) -> None:
        game = opened(clock={**self.CLOCK, "game": 0})
        assert Move.objects.get(game=game, seq=1).move["clock"] == game.clock == self.CLOCK

    def test_that_are_invalid_name_the_field(self) -> None:
        with pytest.raises(Malformed) as caught:
            opened(clock={"zone": "Mars/Base"})
        assert {*caught.value.errors} == {"clock.zone"}

    def test_run_only_for_the_seat_to_move(self) -> None:
        with time_machine.travel("2026-06-01T12:00:00Z", tick=False) as traveller:
            game = opened(2, clock=self.CLOCK)
            late = awaited(game).seat
            assert game.deadline == datetime(2026, 6, 1, 13, tzinfo=UTC)
            assert log.late_seats(game, timezone.now()) == ()
            traveller.shift(3600)
            assert log.late_seats(game, timezone.now()) == (late,)
            draw(game)
            game.refresh_from_db()
            assert game.deadline == datetime(2026, 6, 1, 14, tzinfo=UTC)

    def test_do_not_run_without_a_limit_or_after_the_game(self) -> None:
        assert opened().deadline is None
        game = opened(2, clock=self.CLOCK)
        abandon = {"type": "abandon", "reason": "fire alarm"}
        log.append(game_id=game.pk, seq=2, actor=Actor("arbiter"), move=abandon, account=uid("d"))
        game.refresh_from_db()
        assert game.deadline is None
        assert log.late_seats(game, game.moved_at + timedelta(days=9)) == ()


@pytest.mark.django_db
class TestReading:
    def test_the_state_at_each_seq_is_the_earlier_state(self) -> None:
        game, seen = opened(2), {}
        for _ in range(5):
            timeouts(game, 1)
            game.refresh_from_db()
            seen[game.seq] = log.latest(game)
        assert {seq: log.position_at(game, seq) for seq in seen} == seen

    @pytest.mark.parametrize("seq", [-1, 0, 2, 99])
    def test_an_unknown_seq_is_not_found(self, seq: int) -> None:
        with pytest.raises(Move.DoesNotExist):
            log.position_at(opened(), seq)

    def test_the_seed_stays_secret_until_the_game_is_over(self) -> None:
        running = opened()
        assert log.published_seed(running) is None
        assert SECRET.hex() not in "".join(log.lines(running))
        over = finished()
        assert log.published_seed(over) == bytes(Seed.objects.get(game=over).secret).hex()


@pytest.mark.django_db
class TestTheFile:
    def test_of_a_finished_game_verifies(self) -> None:
        game = finished()
        report = log.verified(game)
        assert (report.entries, report.replayed, report.result) == (game.seq, True, game.result)

    def test_of_a_running_game_verifies_only_its_chain(self) -> None:
        game = opened()
        draw(game)
        assert not log.verified(game).replayed

    def test_of_an_abandoned_game_verifies_without_a_result(self) -> None:
        game = opened()
        abandon = {"type": "abandon", "reason": "fire alarm"}
        log.append(game_id=game.pk, seq=2, actor=Actor("arbiter"), move=abandon, account=uid("d"))
        game.refresh_from_db()
        assert (game.status, log.verified(game).result) == ("abandoned", None)


@pytest.mark.django_db(transaction=True)
class TestTheTable:
    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE games_move SET seq = seq + 1",
            "DELETE FROM games_move",
            "TRUNCATE games_move",
            "UPDATE games_seed SET secret = ''",
            "DELETE FROM games_seed",
            "TRUNCATE games_seed",
        ],
    )
    def test_refuses_everything_but_inserts(self, statement: str) -> None:
        opened()
        with pytest.raises(DatabaseError, match="never changed"), connection.cursor() as cursor:
            cursor.execute(statement)
        assert Move.objects.count() == Seed.objects.count() == 1

    def test_lets_one_of_many_writers_use_a_seq(self) -> None:
        game = opened(4)
        answers = at_once([partial(self.resign, game, seat) for seat in range(4)])
        assert sorted(type(answer).__name__ for answer in answers) == ["Appended", "Stale", "Stale", "Stale"]
        log._LATEST.cache_clear()
        game.refresh_from_db()
        assert log.verified(game).entries == game.seq

    def test_treats_many_retries_of_a_move_as_one(self) -> None:
        game = opened(2)
        actor = awaited(game)

        def send() -> log.Appended:
            return log.append(game_id=game.pk, seq=2, actor=actor, move=DRAW, account=None)

        answers = at_once([send] * 6)
        assert [answer.created for answer in answers].count(True) == 1
        assert {answer.entry.hash for answer in answers} == {Move.objects.get(game=game, seq=2).hash}

    def resign(self, game: Game, seat: int) -> log.Appended:
        return log.append(
            game_id=game.pk, seq=2, actor=Actor("seat", seat), move={"type": "resign"}, account=None
        )


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Return what each call gave or raised, all started together on connections of their own."""
    answers: list[Any] = [None] * len(calls)
    gate = threading.Barrier(len(calls))

    def run(number: int) -> None:
        gate.wait()
        try:
            answers[number] = calls[number]()
        except Exception as error:
            answers[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[number]) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_a_file_with_two_swapped_entries_names_the_first() -> None:
    game = Recorder("scoops", 2, {"round_limit": 1, "turn_limit": 3})
    while game.position.status == "active":
        game.clock(replay.awaited(game.position)[0])
    lines = list(game.lines())
    swapped = [*lines[:3], lines[4], lines[3], *lines[5:]]
    with pytest.raises(verifier.WrongLog, match="entry 4") as caught:
        verifier.check(swapped)
    assert caught.value.seq == 4
    assert json.loads(lines[3])["seq"] == 4


@pytest.mark.django_db(transaction=True)
def test_the_answer_to_a_retry_waits_for_standbys_as_that_to_a_move_does() -> None:
    game = opened()
    actor = Actor("seat", draw(game).entry.seat)
    with transaction.atomic(), connection.cursor() as cursor:
        log.append(game_id=game.pk, seq=2, actor=actor, move=DRAW, account=None)
        # PostgreSQL lets only those transactions wait that have an id, because they have written.
        cursor.execute("SELECT pg_current_xact_id_if_assigned() IS NOT NULL")
        assert cursor.fetchone() == (True,)

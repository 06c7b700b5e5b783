"""Concurrent results with several workers: each is recorded once, with few computations of standings."""

import threading
from collections.abc import Sequence
from functools import partial
from queue import SimpleQueue
from uuid import UUID

import pytest
from django.db import connection, transaction

from games.models import Game
from league import tasks
from league.models import ClubGame, Competition, Standings
from league.models.events import Event
from league.ops.processes import eventually
from league.projections import standings as projections
from league.services import queue as hints
from tests import patience
from tests.differences import differences
from tests.factories import Cast
from tests.league.playing import PLAN, in_play, play_all
from tests.league.test_tasks import Worker, played_out, settled, worker

__all__ = ["worker"]

Task = tuple[str, ...]
WORKERS = 4


class Workers:
    """A queue of tasks and threads that do them, first come, first served, as workers and broker do."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.queue: SimpleQueue[Task | None] = SimpleQueue()
        self.left = 0
        self.lock = threading.Lock()
        self.errors: list[Exception] = []
        self.computed = 0
        self.compute = projections.compute_standings
        monkeypatch.setattr(hints, "after_commit", self.after_commit)
        monkeypatch.setattr(projections, "compute_standings", self.counted)

    def after_commit(self, task: str, *subjects: UUID) -> None:
        transaction.on_commit(partial(self.put, (task, *map(str, subjects))))

    def put(self, task: Task) -> None:
        with self.lock:
            self.left += 1
        self.queue.put(task)

    def counted(self, competition: UUID) -> bool:
        was_due = self.compute(competition)
        with self.lock:
            self.computed += was_due
        return was_due

    def do(self, those: Sequence[Task]) -> None:
        """Do tasks, and those that they lead to, by all workers at once."""
        for task in those:
            self.put(task)
        threads = [threading.Thread(target=self._work) for _ in range(WORKERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _work(self) -> None:
        while task := self.queue.get():
            try:
                getattr(tasks, task[0])(*task[1:])
            except Exception as error:
                self.errors.append(error)
            self._done()
        connection.close()

    def _done(self) -> None:
        with self.lock:
            self.left -= 1
            ended = not self.left
        for _ in range(WORKERS * ended):
            self.queue.put(None)


def recorded(competition: Competition) -> list[str]:
    """Return the games whose results the log holds, as often as it does."""
    answer = Event.objects.filter(competition=competition, event__type="result_recorded")
    return sorted(entry.event["game"] for entry in answer)


@pytest.mark.django_db(transaction=True)
class TestABurst:
    def test_is_recorded_once_with_few_computations_of_standings(
        self, cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        competition = in_play(cast, 24, stages=[{**PLAN, "table_size": 2}])
        games = [str(game) for game in play_all(competition)]
        workers = Workers(monkeypatch)
        workers.do([("record_result", game) for game in games * 3])
        assert (workers.errors, recorded(competition)) == ([], sorted(games))
        # Only results that were on their way when the first computation began can make another one due.
        assert 1 <= workers.computed <= WORKERS
        assert Standings.objects.get().as_of == Competition.objects.get().seq
        assert differences() == []

    def test_of_computations_is_merged_into_one(self, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
        competition = in_play(cast, 8)
        Standings.objects.update(as_of=0)
        workers = Workers(monkeypatch)
        workers.do([("compute_standings", str(competition.pk))] * 12)
        assert (workers.errors, workers.computed) == ([], 1)

    def test_is_processed_by_two_worker_processes(self, cast: Cast, worker: Worker) -> None:
        second = Worker(worker.environment["CELERY_BROKER_URL"])
        second.start()
        try:
            options = {"round_limit": 1, "turn_limit": 1}
            competition = in_play(
                cast, 8, ruleset="scoops", options=options, stages=[{**PLAN, "table_size": 2}]
            )
            played_out(competition)
            games = [str(game) for game in Game.objects.values_list("pk", flat=True)]
            for game in games * 3:
                tasks.record_result.delay(game)
            last = competition.seq + len(games)
            assert eventually(lambda: settled(competition, last), patience.SECONDS)
        finally:
            second.kill()
        assert recorded(competition) == sorted(games)
        assert not ClubGame.objects.filter(recorded=False).exists()
        assert differences() == []

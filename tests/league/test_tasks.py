"""Tasks of the workers: repeated tasks change nothing, and the sweep replaces lost ones."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from urllib.parse import quote
from uuid import UUID

import psycopg
import pytest
from celery import current_app
from django.conf import settings
from django.db import connection
from django.db.models import F
from django.utils import timezone

from games import log as games
from games.engine.replay import Actor
from games.models import Game
from league import services, tasks
from league.callers import ByAccount
from league.core.verbs.course import CancelCompetition
from league.core.verbs.entries import WithdrawEntry
from league.core.verbs.start import StartCompetition
from league.models import Account, ClubGame, Competition, Job, PeriodicRun, Standings
from league.models.events import Event
from league.models.service import LEASE
from league.ops.processes import eventually
from league.projections.standings import compute_standings
from league.queries import due
from league.services.jobs import cancel_job, start_job
from league.services.play import make_move
from tests import patience
from tests.factories import Cast
from tests.league.acting import act
from tests.league.playing import in_play, opened, play, play_all, tables

OnCommit = Callable[..., Any]


def kinds(competition: Competition) -> list[str]:
    """Return the kinds of event that were written by nobody's hand."""
    answer = Event.objects.filter(competition=competition, role="system").order_by("seq")
    return [entry.event["type"] for entry in answer]


def moved_to_the_end(cast: Cast, competition: Competition) -> None:
    """Let Paul and Petra play the only game, each their own seat."""
    game = ClubGame.objects.get(competition=competition).game
    accounts: dict[UUID | None, Account] = {cast.paul_plays.pk: cast.paul, cast.petra_plays.pk: cast.petra}
    for seat in game.seats.order_by("number"):
        move = {"type": "say", "number": seat.number}
        make_move(ByAccount(accounts[seat.player]), game_id=game.pk, seq=seat.number + 2, move=move)


class TestMessages:
    def test_of_a_last_move_lead_to_result_standings_and_the_next_round(
        self, cast: Cast, django_capture_on_commit_callbacks: OnCommit
    ) -> None:
        competition = in_play(cast, 2, pace="automatic")
        with django_capture_on_commit_callbacks(execute=True):
            moved_to_the_end(cast, competition)
        competition.refresh_from_db()
        assert kinds(competition) == ["result_recorded", "round_closed", "cut_off", "drawn", "published"]
        assert Standings.objects.get().as_of == competition.seq

    def test_are_sent_after_the_last_move_of_a_game_only(
        self, cast: Cast, django_capture_on_commit_callbacks: OnCommit
    ) -> None:
        game = cast.game("tally")
        sent = []
        for seq, account in ((2, cast.paul), (3, cast.petra)):
            with django_capture_on_commit_callbacks() as callbacks:
                make_move(ByAccount(account), game_id=game.pk, seq=seq, move={"type": "say", "number": 1})
            sent.append(len(callbacks))
        assert sent == [0, 1]

    def test_that_can_not_be_sent_do_not_change_the_response(
        self, cast: Cast, django_capture_on_commit_callbacks: OnCommit, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(current_app.conf, "task_always_eager", False)
        competition = in_play(cast, 2)
        with django_capture_on_commit_callbacks(execute=True):
            moved_to_the_end(cast, competition)
        assert Game.objects.get().is_over

    def test_can_be_delivered_more_than_once(self, cast: Cast) -> None:
        competition = in_play(cast, 8)
        for game in play_all(competition) * 2:
            tasks.record_result(str(game))
        for _ in range(2):
            tasks.compute_standings(str(competition.pk))
            tasks.advance(str(competition.pk))
        assert kinds(competition) == ["result_recorded"] * 2


@pytest.mark.django_db
def test_of_several_schedulers_one_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setitem(tasks._PERIODIC, "sweep", lambda: done.append("sweep"))
    for _scheduler in range(3):
        tasks.periodic("sweep")
    assert done == ["sweep"]
    PeriodicRun.objects.update(began_at=F("began_at") - timedelta(seconds=14))
    tasks.periodic("sweep")
    assert done == ["sweep"] * 2


class TestTheSweep:
    def test_carries_an_automatic_competition_from_round_to_round(self, cast: Cast) -> None:
        competition = opened(cast, 8, pace="automatic")
        act(cast.olga, competition, StartCompetition)
        for number in (1, 2):
            tasks.sweep()
            play_all(competition, number)
        for _ in range(2):
            tasks.sweep()
        competition.refresh_from_db()
        assert (competition.status, Standings.objects.get().as_of) == ("finished", competition.seq)

    def test_does_nothing_if_nothing_is_due(self, cast: Cast) -> None:
        competition = in_play(cast, 8)
        play(cast.game("tally"))
        compute_standings(competition.pk)
        found = [due.games_to_record(), due.standings_to_compute(), due.competitions_to_advance()]
        assert (found, due.games_out_of_time()) == ([[], [], []], [])

    def test_skips_the_games_of_a_cancelled_competition(self, cast: Cast) -> None:
        competition = in_play(cast, 8)
        play_all(competition)
        act(cast.olga, competition, CancelCompetition, reason="flood")
        assert due.games_to_record() == []

    def test_ends_the_turn_of_late_seats(self, cast: Cast) -> None:
        players = [cast.paul_plays.pk, cast.petra_plays.pk]
        game = games.open_game(ruleset="tally", options={}, players=players, account=None, clock={"move": 1})
        past = timezone.now() - timedelta(minutes=1)
        Game.objects.filter(pk=game.pk).update(since=[past, None], deadline=past)
        tasks.sweep()
        assert [entry.role for entry in games.entries(game)] == ["system", "clock"]

    def test_continues_after_an_error_in_one_competition(
        self, cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stuck = opened(cast, 2, pace="automatic", name="Stuck")
        act(cast.olga, stuck, StartCompetition)
        for entry in stuck.entries.all():
            act(cast.olga, stuck, WithdrawEntry, entry=entry.pk)
        fine = opened(cast, 2, pace="automatic", name="Fine")
        act(cast.olga, fine, StartCompetition)
        tasks.sweep()
        assert len(tables(fine)) == 1


# ---- With a real broker and a worker of its own ------------------------------------------------


def database_url() -> str:
    """Return the address of the test's own database."""
    given = connection.settings_dict
    return f"postgresql://{given['USER']}@/{given['NAME']}?host={quote(given['HOST'])}"


class Worker:
    """A worker process, as `manage.py up` starts one."""

    def __init__(self, broker_url: str) -> None:
        self.environment = {
            **os.environ,
            "DATABASE_URL": database_url(),
            "CELERY_BROKER_URL": broker_url,
            "DJANGO_SETTINGS_MODULE": "league.ops.settings",
        }

    def start(self) -> None:
        command = [sys.executable, "-m", "league.ops.worker", "2"]
        self.process = subprocess.Popen(
            command, env=self.environment, cwd=settings.BASE_DIR, start_new_session=True
        )

    def kill(self) -> None:
        os.killpg(self.process.pid, 9)
        self.process.wait()


@pytest.fixture
def worker(broker_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    monkeypatch.setitem(current_app.conf, "task_always_eager", False)
    monkeypatch.setitem(current_app.conf, "broker_url", broker_url)
    monkeypatch.setattr(current_app, "_pool", None)
    monkeypatch.setattr(current_app.amqp, "_producer_pool", None)
    made = Worker(broker_url)
    made.start()
    yield made
    made.kill()


def played_out(competition: Competition) -> None:
    """Play the games of a round of Scoops to their end by the clock alone, which tells nobody."""
    for place in ClubGame.objects.filter(competition=competition, recorded=False):
        game = place.game
        while not game.is_over:
            actor = Actor("clock", game.awaited[0])
            move = {"type": "timeout"}
            games.append(game_id=game.pk, seq=game.seq + 1, actor=actor, move=move, account=None)
            game.refresh_from_db()


def settled(competition: Competition, seq: int) -> bool:
    """Return whether log and standings have come so far."""
    competition.refresh_from_db()
    reach = Standings.objects.filter(competition=competition, as_of=competition.seq)
    return competition.seq >= seq and reach.exists()


@pytest.mark.django_db(transaction=True)
def test_another_worker_takes_over_when_one_is_killed(cast: Cast, worker: Worker) -> None:
    competition = opened(
        cast,
        4,
        ruleset="scoops",
        options={"round_limit": 1, "turn_limit": 1},
        pace="automatic",
    )
    act(cast.olga, competition, StartCompetition)
    assert eventually(lambda: Game.objects.exists() and settled(competition, 11), patience.SECONDS)
    worker.kill()
    played_out(competition)
    services.queue.after_commit("record_result", Game.objects.get().pk)
    worker.start()
    assert eventually(lambda: settled(competition, 16), patience.SECONDS)
    assert kinds(competition)[-5:] == ["result_recorded", "round_closed", "cut_off", "drawn", "published"]


def entering(cast: Cast, competition: Competition, *names: str) -> Job:
    """Start a job that enters newcomers; it goes through the broker."""
    given = {"entrants": {"players": [], "names": list(names), "add": True}}
    by, kind = cast.olga, Job.Kind.ENTER_PLAYERS
    return start_job(by=by, club=cast.club, competition=competition, kind=kind, given=given)


@contextmanager
def held(competition: Competition) -> Iterator[None]:
    """Let everybody wait who writes to a competition, so that work on it goes on for as long as wanted."""
    with psycopg.connect(database_url()) as other:
        other.execute("SELECT 1 FROM league_competition WHERE id = %s FOR NO KEY UPDATE", [competition.pk])
        yield


def has_come_to(job: Job, status: str) -> bool:
    """Wait for a job's status; return whether it came to it."""
    return eventually(lambda: Job.objects.filter(pk=job.pk, status=status).exists(), patience.SECONDS)


@pytest.mark.django_db(transaction=True)
def test_a_job_is_done_cancelled_and_taken_up_again_when_its_worker_is_killed(
    cast: Cast, worker: Worker
) -> None:
    competition = opened(cast)
    assert has_come_to(entering(cast, competition, "Ann"), "done")

    with held(competition):
        job = entering(cast, competition, "Ben")
        assert has_come_to(job, "running")
        assert cancel_job(by=cast.olga, job=job).status == "running"
    assert has_come_to(job, "cancelled")

    with held(competition):
        job = entering(cast, competition, "Cem")
        assert has_come_to(job, "running")
        worker.kill()
    Job.objects.filter(pk=job.pk).update(beat_at=timezone.now() - LEASE)
    worker.start()
    tasks.sweep()
    assert has_come_to(job, "done")
    job.refresh_from_db()
    assert job.attempt == 2
    assert [*competition.entries.order_by("number").values_list("name", flat=True)] == ["Ann", "Cem"]

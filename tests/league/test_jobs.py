"""Long work: done once by a worker, however often it is lost, repeated or cancelled."""

import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone, translation

from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from league import tasks
from league.files import file
from league.files.file import Progress
from league.models import Competition, Entry, Job, Member, Player
from league.ops import processes
from league.queries import due
from league.services import jobs
from league.services.jobs import KindOfJob, Result, cancel_job, claim, start_job
from tests import factories, patience
from tests.factories import Cast
from tests.league.playing import in_play, opened
from tests.league.test_admin_scope import logged_in
from tests.league.test_desk_verbs import post
from tests.league.walking import text_of


def address(competition: Competition, rest: str) -> str:
    return f"/admin/league/competition/{competition.pk}/{rest}"


LIST = [f"Guest {number}" for number in range(120)]


@pytest.fixture
def olga(cast: Cast) -> Client:
    return logged_in(cast.olga)


def waiting(cast: Cast, competition: Competition, names: list[str] = LIST) -> Job:
    """Return a job that enters newcomers."""
    given = {"entrants": {"players": [], "names": names, "add": True}}
    return start_job(
        by=cast.olga, club=cast.club, competition=competition, kind="enter_players", given=given, total=120
    )


def after(job: Job) -> Job:
    return Job.objects.get(pk=job.pk)


def page(client: Client, job: Job) -> str:
    return str(client.get(f"/admin/league/job/{job.pk}/change/").content.decode())


class TestALongListOfNames:
    def test_becomes_a_job_whose_page_shows_how_far_it_is(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast)
        shown = post(olga, competition, "enter-names", names="\n".join(LIST), add="on")
        job = Job.objects.get()
        assert shown.redirect_chain[-1][0] == f"/admin/league/job/{job.pk}/change/"
        assert "<progress" in shown.content.decode()
        assert "It begins as soon as the server is free." in page(olga, job)
        assert not competition.entries.exists()

    def test_is_entered_by_the_worker(self, olga: Client, cast: Cast) -> None:
        competition = opened(cast)
        job = waiting(cast, competition)
        tasks.run_job(str(job.pk))
        assert [*competition.entries.order_by("number").values_list("name", flat=True)] == LIST
        assert "120 entries were added." in page(olga, job)

    def test_is_entered_once_however_often_the_task_comes(self, cast: Cast) -> None:
        competition = opened(cast)
        first, second = waiting(cast, competition), waiting(cast, competition)
        for job in (first, first, second):
            tasks.run_job(str(job.pk))
        assert competition.entries.count() == len(LIST)
        assert [after(job).result for job in (first, second)] == [{"entered": 120}, {"entered": 0}]

    def test_with_a_wrong_name_fails_with_the_reason_and_enters_nobody(
        self, olga: Client, cast: Cast
    ) -> None:
        competition = opened(cast)
        job = waiting(cast, competition, [*LIST, "x" * 300])
        tasks.run_job(str(job.pk))
        assert "100 characters" in page(olga, job)
        assert not Player.objects.filter(name="Guest 1").exists()

    def test_sent_twice_is_one_job(self, cast: Cast) -> None:
        client, competition = Client(enforce_csrf_checks=True), opened(cast)
        client.force_login(cast.olga)
        address = f"/admin/league/competition/{competition.pk}/do/enter-names/"
        client.get(address)
        token = client.cookies["csrftoken"].value
        sent = {"names": "\n".join(LIST), "add": "on", "csrfmiddlewaretoken": token}
        assert {client.post(address, sent)["Location"] for _ in range(2)} == {
            f"/admin/league/job/{Job.objects.get().pk}/change/"
        }


class TestCancelling:
    def test_a_waiting_job_ends_it(self, olga: Client, cast: Cast) -> None:
        job = waiting(cast, opened(cast))
        shown = olga.post(f"/admin/league/job/{job.pk}/cancel/", {"sure": "1"}, follow=True).content.decode()
        assert "It was cancelled. Nothing was changed." in shown
        tasks.run_job(str(job.pk))
        assert not Entry.objects.exists()

    def test_a_job_whose_worker_was_lost_ends_it_at_the_next_sweep(self, cast: Cast) -> None:
        job = waiting(cast, opened(cast))
        claim(job.pk)
        cancel_job(by=cast.olga, job=job)
        assert after(job).status == "running"
        with time_machine.travel(timezone.now() + timedelta(minutes=2)):
            tasks.sweep()
        assert after(job).status == "cancelled"
        assert not Entry.objects.exists()

    def test_a_finished_job_changes_nothing(self, cast: Cast) -> None:
        job = waiting(cast, opened(cast))
        tasks.run_job(str(job.pk))
        assert cancel_job(by=cast.olga, job=job).status == "done"


class TestAWorkerThatIsLost:
    def test_keeps_its_job_for_a_minute(self, cast: Cast) -> None:
        job = waiting(cast, opened(cast))
        assert claim(job.pk) is not None
        assert claim(job.pk) is None
        assert due.jobs_to_do() == []

    def test_leaves_it_to_another_one(self, cast: Cast) -> None:
        job = waiting(cast, opened(cast))
        claim(job.pk)
        with time_machine.travel(timezone.now() + timedelta(minutes=2)):
            assert due.jobs_to_do() == [job.pk]
            tasks.sweep()
        assert after(job).status == "done"
        assert Entry.objects.count() == len(LIST)

    def test_can_not_finish_what_another_one_has(self, cast: Cast) -> None:
        job = waiting(cast, opened(cast))
        slow = claim(job.pk)
        assert slow is not None
        with time_machine.travel(timezone.now() + timedelta(minutes=2)):
            claim(job.pk)
        with pytest.raises(jobs.Lost):
            jobs.finish(slow, Result())
        jobs.give_up(slow, "failed", "too late")
        assert after(job).status == "running"

    def test_three_times_makes_the_job_fail(self, olga: Client, cast: Cast) -> None:
        job = waiting(cast, opened(cast))
        with time_machine.travel(timezone.now()) as clock:
            for _ in range(3):
                assert claim(job.pk) is not None
                clock.shift(timedelta(minutes=2))
            tasks.sweep()
        assert "The server stopped several times while it worked on this." in page(olga, job)

    def test_because_of_the_database_lets_the_sweep_try_again(
        self, cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def work(job: Job, progress: Progress) -> Result:
            raise OperationalError

        monkeypatch.setitem(jobs.KINDS, "enter_players", KindOfJob(work))
        job = waiting(cast, opened(cast))
        with pytest.raises(OperationalError):
            tasks.run_job(str(job.pk))
        assert after(job).status == "running"


class TestWorkThatFails:
    @pytest.mark.parametrize(
        ("error", "said"),
        [
            (Illegal("The round is closed."), "The round is closed."),
            (RuntimeError("secret detail"), "The server made a mistake."),
        ],
    )
    def test_says_why_and_leaves_nothing(
        self, olga: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
    ) -> None:
        def work(job: Job, progress: Progress) -> Result:
            factories.PlayerFactory.create(club=cast.club, name="Half done")
            raise error

        monkeypatch.setitem(jobs.KINDS, "enter_players", KindOfJob(work))
        job = waiting(cast, opened(cast))
        tasks.run_job(str(job.pk))
        shown = page(olga, job)
        assert said in shown
        assert "secret detail" not in shown
        assert not Player.objects.filter(name="Half done").exists()

    def test_says_why_in_the_language_of_who_started_it(
        self, cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def work(job: Job, progress: Progress) -> Result:
            raise Malformed({"names": [text("This address works on the server’s own machine only.")]})

        monkeypatch.setitem(jobs.KINDS, "enter_players", KindOfJob(work))
        with translation.override("de"):
            job = waiting(cast, opened(cast))
        tasks.run_job(str(job.pk))
        assert after(job).error == "Diese Adresse funktioniert nur auf dem Gerät des Servers selbst."

    def test_of_somebody_who_may_no_longer_do_it_is_not_done(self, cast: Cast) -> None:
        job = waiting(cast, opened(cast))
        Member.objects.filter(account=cast.olga).update(role=Member.Role.PLAYER)
        tasks.run_job(str(job.pk))
        assert after(job).status == "failed"
        assert not Entry.objects.exists()


def test_a_download_of_many_tables_is_a_job(
    olga: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "MOST_TABLES", 1)
    competition = in_play(cast, 8)
    asked = address(competition, "export/everything.csv")
    shown = olga.get(asked)
    job = Job.objects.get()
    assert shown["Location"] == olga.get(asked)["Location"] == f"/admin/league/job/{job.pk}/change/"
    tasks.run_job(str(job.pk))
    made = olga.get(f"/admin/league/job/{job.pk}/file/")
    assert "Paul Pike" in text_of(made)
    assert (made["Content-Type"], made["Content-Disposition"]) == (
        "application/zip",
        'attachment; filename="autumn-everything.zip"',
    )


def test_the_first_page_shows_work_in_progress(olga: Client, cast: Cast) -> None:
    job = waiting(cast, opened(cast, name="Grand Prix"))
    assert "Entering players: Grand Prix" in olga.get("/admin/").content.decode()
    tasks.run_job(str(job.pk))
    assert "Entering players: Grand Prix" not in olga.get("/admin/").content.decode()


def test_all_but_one_process_may_do_jobs(cast: Cast, settings: Any) -> None:
    first, second = (waiting(cast, opened(cast, name=f"Cup {number}")) for number in range(2))
    settings.WORKER_PROCESSES = 2
    assert claim(first.pk) is not None
    assert claim(second.pk) is None
    settings.WORKER_PROCESSES = 3
    assert claim(second.pk) is not None


def test_jobs_are_kept_for_a_week(cast: Cast) -> None:
    job = waiting(cast, opened(cast))
    tasks.run_job(str(job.pk))
    for days, kept in ((6, True), (8, False)):
        with time_machine.travel(timezone.now() + timedelta(days=days)):
            tasks.tidy()
        assert Job.objects.exists() == kept


@pytest.mark.django_db(transaction=True)
class TestWhileItIsWorkedOn:
    """The beat has a connection of its own, so that others see how far a transaction is."""

    @pytest.fixture(autouse=True)
    def _quick(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        monkeypatch.setattr(jobs, "_BEAT_SECONDS", 0.01)
        yield

    def running(self, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> tuple[Job, threading.Thread]:
        """Return a job at its third step of ten, and the thread that works on it until it is cancelled."""

        def work(job: Job, progress: Progress) -> Result:
            factories.PlayerFactory.create(club=cast.club, name="Half done")
            until = time.monotonic() + patience.SECONDS
            while time.monotonic() < until:
                progress(3, 10)
                time.sleep(0.01)
            return Result()

        def in_thread() -> None:
            try:
                jobs.run(job.pk)
            finally:
                connection.close()

        monkeypatch.setitem(jobs.KINDS, "enter_players", KindOfJob(work))
        job = start_job(by=cast.olga, club=cast.club, kind="enter_players", given={}, at_once=True)
        return job, threading.Thread(target=in_thread)

    def test_everybody_sees_how_far_it_is_and_can_cancel_it(
        self, cast: Cast, olga: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        job, worker = self.running(cast, monkeypatch)
        worker.start()
        state = f"/admin/league/job/{job.pk}/state/"
        shown = processes.eventually(lambda: olga.get(state).json()["text"] == "3 of 10", patience.SECONDS)
        olga.post(f"/admin/league/job/{job.pk}/cancel/", {"sure": "1"})
        worker.join(patience.SECONDS)
        assert (shown, after(job).status) == (True, "cancelled")
        assert not Player.objects.filter(name="Half done").exists()


def test_the_page_refreshes_itself_without_scripts_until_the_job_is_over(olga: Client, cast: Cast) -> None:
    job = waiting(cast, in_play(cast, 2), ["Zsa"])
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in page(olga, job)
    tasks.run_job(str(job.pk))
    assert "refresh" not in page(olga, job)

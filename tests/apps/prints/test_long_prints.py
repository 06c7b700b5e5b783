"""Long prints: made once by a worker, however often it is lost, repeated or cancelled."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from games import database_time
from league import tasks
from league.core.verbs.rounds import WithdrawRound
from league.files import file
from league.files.file import Progress
from league.models import Job
from league.models.service import LEASE
from league.services import jobs
from tests.factories import Cast
from tests.killed import killed
from tests.league.acting import act
from tests.league.playing import finished, in_play
from tests.league.test_jobs import address, after, olga, page
from tests.league.walking import text_of

__all__ = ["olga"]


class TestPrinting:
    @pytest.fixture(autouse=True)
    def _many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(file, "MOST_TABLES", 1)

    def test_many_pages_is_a_job_that_leaves_a_file(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 8)
        asked = address(competition, "print/pairings.pdf")
        shown = olga.get(asked)
        job = Job.objects.get()
        assert shown["Location"] == f"/admin/league/job/{job.pk}/change/"
        assert olga.get(f"/admin/league/job/{job.pk}/file/").status_code == 404
        tasks.run_job(str(job.pk))
        assert olga.get(asked)["Location"] == shown["Location"], "it is printed already"
        assert "The file is ready." in page(olga, job)
        printed = olga.get(f"/admin/league/job/{job.pk}/file/")
        assert printed.content.startswith(b"%PDF")
        assert "Paul Pike" in text_of(printed)

    def test_what_there_is_no_longer_says_so(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 8)
        olga.get(address(competition, "print/pairings.pdf"))
        act(cast.olga, competition, WithdrawRound, reason="flood")
        tasks.run_job(str(Job.objects.get().pk))
        assert "There is nothing to print yet." in page(olga, Job.objects.get())

    def test_few_pages_is_done_at_once(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 2)
        shown = olga.get(address(competition, "print/pairings.pdf"))
        assert shown.content.startswith(b"%PDF")
        assert not Job.objects.exists()

    def test_is_in_the_language_of_who_asked(self, olga: Client, cast: Cast) -> None:
        competition = in_play(cast, 8)
        asked = address(competition, "print/pairings.pdf")
        olga.get(asked)
        olga.cookies["django_language"] = "de"
        job = Job.objects.get(pk=olga.get(asked)["Location"].split("/")[-3])
        assert Job.objects.count() == 2
        with translation.override("en"):
            tasks.run_job(str(job.pk))
        assert "Autumn: Runde 1" in text_of(olga.get(f"/admin/league/job/{job.pk}/file/"))
        assert after(job).file_name == "autumn-paarungen.pdf"

    def test_says_how_many_pages_are_done_and_stops_between_them(
        self, cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        steps: list[tuple[int, int]] = []

        def progress(done: int, total: int) -> None:
            steps.append((done, total))
            if done == 2:
                raise jobs.Cancelled

        @contextmanager
        def beating(job: Job) -> Iterator[Progress]:
            yield progress

        monkeypatch.setattr(jobs, "beating", beating)
        competition = in_play(cast, 12, ruleset="scoops-scorecard")
        given = {"kind": "sheets", "stage": 0, "round": 0, "entries": [], "site": "", "for_organisers": True}
        job = jobs.start_job(
            by=cast.olga, club=cast.club, competition=competition, kind="print", given=given, at_once=True
        )
        jobs.run(job.pk)
        assert steps == [(0, 3), (1, 3), (2, 3)]
        assert after(job).status == "cancelled"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("after", [0, 1])
def test_a_print_is_made_once_by_the_next_worker(cast: Cast, after: int) -> None:
    given = {"kind": "standings", "stage": 1, "round": 1, "site": "", "entries": [], "for_organisers": False}
    about: dict[str, Any] = {
        "by": cast.olga,
        "club": cast.club,
        "competition": finished(cast),
        "kind": "print",
    }
    job = jobs.start_job(**about, given=given, at_once=True)
    assert killed(jobs.run, job.pk, at='UPDATE "league_job"', after=after)
    assert not Job.objects.get(pk=job.pk).file
    Job.objects.update(beat_at=database_time.asked() - 2 * LEASE)
    jobs.run(job.pk)
    assert Job.objects.get(pk=job.pk).status == Job.Status.DONE

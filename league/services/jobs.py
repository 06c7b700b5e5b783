"""Jobs: started by a person, taken by one worker at a time, cancelled, and told as failed when lost.

A job's work and its result are written in one transaction, so a job that is done again after a crash has the
effect of one. A worker that is given up, but goes on, can't write: its attempt is not the last one.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import get_language

from games import database_time
from games.engine.messages import Message, text
from games.engine.refusals import Illegal, Malformed, Refusal
from league.files.file import File, Progress
from league.models import Account, Club, Competition, Job
from league.models.service import LEASE
from league.queries import permissions
from league.queries.readers import reading_as
from league.services import queue
from league.words.messages import errors_in_words

_log = structlog.get_logger(__name__)

MOST_ATTEMPTS: Final = 3
KEPT: Final = timedelta(days=7)
PREVIEWED: Final = timedelta(days=1)
"""How long the content of a file, with its contacts, can be looked at before it is imported."""
_BEAT_SECONDS: Final = 0.5
_Status: Final = Job.Status


class Cancelled(Exception):
    """Somebody cancelled the job."""


class Lost(Exception):
    """The job was given to another worker."""


@dataclass(frozen=True)
class Result:
    """What came of a job: values for its page, and a file to download if there is one, ``kept`` so long."""

    values: Mapping[str, Any] = field(default_factory=dict)
    file: File | None = None
    kept: timedelta = KEPT


@dataclass(frozen=True)
class KindOfJob:
    """How jobs of a kind are done, and what their page on the desk says of them once they are.

    ``outcome`` is a sentence, ``pages`` are names of addresses with titles to go on, ``preview`` is the name
    of the address of a page with what came of it, which is shown instead and forgotten after a day.
    ``personal`` says that contacts of people are in what the jobs are given: it is forgotten at their end.
    """

    work: Callable[[Job, Progress], Result]
    outcome: Callable[[Job], str] | None = None
    pages: Sequence[tuple[str, Any]] = ()
    preview: str = ""
    personal: bool = False


KINDS: Final[dict[str, KindOfJob]] = {}
"""How jobs are done, by kind; apps add theirs."""


# ---- Started and cancelled -----------------------------------------------------------------------


@transaction.atomic
def start_job(
    *,
    by: Account,
    club: Club,
    kind: str,
    given: Mapping[str, Any],
    competition: Competition | None = None,
    upload: bytes | None = None,
    total: int = 0,
    at_once: bool = False,
) -> Job:
    """Return a job that waits for a worker; raises PermissionDenied for all but organisers of the club.

    With ``at_once`` no worker is called: the caller does the job itself.
    """
    permissions.require_organiser(club.pk, by)
    job = Job.objects.create(
        club=club,
        competition=competition,
        by=by,
        kind=kind,
        given=given,
        upload=upload,
        total=total,
        language=get_language() or settings.LANGUAGE_CODE,
    )
    if not at_once:
        queue.after_commit("run_job", job.pk)
    return job


def job_for_file(*, by: Account, competition: Competition, kind: str, given: Mapping[str, Any]) -> Job:
    """Return the job that makes a file, or has made the same in the active language; start it if need be."""
    failed = (_Status.FAILED, _Status.CANCELLED)
    same = Job.objects.filter(competition=competition, kind=kind, given=given, language=get_language())
    return same.exclude(status__in=failed).first() or start_job(
        by=by, club=competition.club, competition=competition, kind=kind, given=given
    )


@transaction.atomic
def cancel_job(*, by: Account, job: Job) -> Job:
    """Return the job, cancelled at once where no worker has it, else as soon as its worker looks.

    A job that is over stays as it is. Raises PermissionDenied for all but organisers of the club.
    """
    permissions.require_organiser(job.club_id, by)
    stored = Job.objects.select_for_update(of=("self",)).get(pk=job.pk)
    if stored.status == _Status.WAITING:
        _end(stored, _Status.CANCELLED)
    elif stored.status == _Status.RUNNING:
        stored.cancelling = True
        stored.save(update_fields=["cancelling"])
    return stored


# ---- Taken by a worker ---------------------------------------------------------------------------


@transaction.atomic
def claim(job_id: UUID) -> Job | None:
    """Return the job, which now belongs to the caller, or None where it is over or somebody else has it.

    A job that was lost too often has failed. One process of the workers is left to what games need.
    """
    now = database_time.now()
    free = Q(status=_Status.WAITING) | Q(status=_Status.RUNNING, beat_at__lt=now - LEASE)
    job = Job.objects.select_for_update(skip_locked=True, of=("self",)).filter(free, pk=job_id).first()
    if job is None:
        return None
    if job.cancelling:
        _end(job, _Status.CANCELLED)
        return None
    if job.attempt >= MOST_ATTEMPTS:
        _end(job, _Status.FAILED, text("The server stopped several times while it worked on this."))
        return None
    at_work = Job.objects.filter(status=_Status.RUNNING, beat_at__gte=now - LEASE).exclude(pk=job.pk)
    if at_work.count() >= max(1, settings.WORKER_PROCESSES - 1):
        return None
    job.status, job.attempt, job.beat_at = _Status.RUNNING, job.attempt + 1, now
    job.save(update_fields=["status", "attempt", "beat_at"])
    return job


def finish(job: Job, result: Result) -> None:
    """Write what came of the job, in the transaction of its work.

    Raises `Lost` where it is no longer ours, and `Cancelled` where somebody cancelled it in its last step.
    """
    stored = Job.objects.select_for_update(of=("self",)).get(pk=job.pk)
    if (stored.attempt, stored.status) != (job.attempt, _Status.RUNNING):
        raise Lost
    if stored.cancelling:
        raise Cancelled
    stored.result = dict(result.values)
    if result.file is not None:
        stored.file, stored.file_name = result.file.content, result.file.name
        stored.file_until = database_time.now() + result.kept
    stored.done = stored.total
    _end(stored, _Status.DONE)


@transaction.atomic
def give_up(job: Job, status: str, error: Message | str = "") -> None:
    """Write that the job was cancelled or has failed, unless it is no longer ours."""
    stored = Job.objects.select_for_update(of=("self",)).get(pk=job.pk)
    if (stored.attempt, stored.status) == (job.attempt, _Status.RUNNING):
        _end(stored, status, error)


def _end(job: Job, status: str, error: Message | str = "") -> None:
    job.status, job.error, job.ended_at = status, error, database_time.now()
    job.upload = None
    if job.kind in KINDS and KINDS[job.kind].personal:
        job.given = {}
    job.save()
    waiting = Job.objects.filter(status=_Status.WAITING).order_by("made_at", "pk")
    for pk in waiting.values_list("pk", flat=True)[:1]:
        queue.after_commit("run_job", pk)


def forget_jobs() -> None:
    """Remove jobs that ended a while ago, files that are kept for less, and what was read from files."""
    now = database_time.now()
    Job.objects.filter(ended_at__lt=now - KEPT).delete()
    Job.objects.filter(file_until__lt=now).exclude(file=None).update(file=None)
    _forget_previews(Job.objects.filter(ended_at__lt=now - PREVIEWED))


def forget_read_files(club: Club) -> None:
    """Remove what was read from files of players, with their contacts; they can be chosen again."""
    _forget_previews(Job.objects.filter(club=club))


def _forget_previews(jobs: QuerySet[Job]) -> None:
    previewed = [key for key, kind in KINDS.items() if kind.preview]
    jobs.filter(kind__in=previewed).exclude(result={}).update(result={})


# ---- While it is worked on -----------------------------------------------------------------------


class _Beat:
    """Tells the database, from a thread of its own, how far a job is, and hears whether to stop.

    The job's work is one transaction, and what is written inside it nobody else would see.
    """

    def __init__(self, job: Job) -> None:
        self.job, self.at, self.stop = job, (job.done, job.total), False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="job", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        self._over.set()
        self._thread.join()

    def _beat(self) -> None:
        try:
            while not self._over.wait(_BEAT_SECONDS):
                self.tell()
        finally:
            connection.close()

    def tell(self) -> None:
        """Write how far the job is; note where it is cancelled or no longer ours."""
        done, total = self.at
        mine = Job.objects.filter(pk=self.job.pk, attempt=self.job.attempt, status=_Status.RUNNING)
        mine.update(done=done, total=total, beat_at=database_time.now())
        now = Job.objects.filter(pk=self.job.pk).values_list("attempt", "cancelling").first()
        self.stop = now is not None and now != (self.job.attempt, False)


@contextmanager
def beating(job: Job) -> Iterator[Progress]:
    """Keep a job alive while the context lasts; yield what its work calls, which raises `Cancelled`."""
    beat = _Beat(job)

    def step(done: int, total: int) -> None:
        beat.at = (done, total)
        if beat.stop:
            raise Cancelled

    beat.start()
    try:
        yield step
    finally:
        beat.end()


# ---- Done ----------------------------------------------------------------------------------------


def run(job_id: UUID) -> None:
    """Do a job, unless it is over or another worker has it; write what came of it, or why it failed."""
    job = claim(job_id)
    if job is None:
        return
    in_words = translation.override(job.language), timezone.override(job.club.zone)
    with in_words[0], in_words[1], reading_as(job.by):
        try:
            with beating(job) as progress, transaction.atomic():
                permissions.require_organiser(job.club_id, job.by)
                finish(job, kind_of(job).work(job, progress))
        except Cancelled:
            give_up(job, Job.Status.CANCELLED)
        except Lost:
            _log.warning("job_was_given_to_another_worker", job=str(job.pk))
        except (OperationalError, InterfaceError):
            # The database went away: the sweep starts the job again.
            raise
        except Exception as error:
            give_up(job, Job.Status.FAILED, _why(error))
            if not isinstance(error, _EXPECTED):
                _log.exception("job_failed", job=str(job.pk), kind=job.kind)


def kind_of(job: Job) -> KindOfJob:
    """Return how a job is done; one of an app that is no longer here is refused."""
    return KINDS.get(job.kind, _NO_LONGER)


def _refused(job: Job, progress: Progress) -> Result:
    raise Illegal("The server no longer does this.")


_NO_LONGER: Final = KindOfJob(_refused)
_EXPECTED: Final = (Refusal, PermissionDenied, SoftTimeLimitExceeded)


def _why(error: Exception) -> Message | str:
    """Return why a job failed, in words for the person who started it."""
    match error:
        case Malformed() if error.errors:
            return "\n".join(
                each for sentences in errors_in_words(error.errors).values() for each in sentences
            )
        case Refusal():
            return error.sentence
        case PermissionDenied():
            return str(error) or permissions.ORGANISERS_ONLY
        case SoftTimeLimitExceeded():
            return text("It took too long. Try again with less at once.")
        case _:
            return text("The server made a mistake. What it was is in the server’s log.")

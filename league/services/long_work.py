"""What the workers do for each kind of job: what it is given, and what comes of it."""

from typing import Final
from uuid import UUID

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone, translation
from django.utils.translation import ngettext

from games.engine import shapes
from games.engine.messages import Message, text
from games.engine.refusals import Illegal, Malformed, Refusal
from league.files.file import Progress
from league.models import Competition, Job
from league.queries import permissions
from league.services.competitions import Entrants, enter_players
from league.services.jobs import (
    KINDS,
    Cancelled,
    KindOfJob,
    Lost,
    Result,
    beating,
    claim,
    finish,
    give_up,
)
from league.words.messages import errors_in_words

_log = structlog.get_logger(__name__)


def run(job_id: UUID) -> None:
    """Do a job, unless it is over or another worker has it; write what came of it, or why it failed."""
    job = claim(job_id)
    if job is None:
        return
    with translation.override(job.language), timezone.override(job.club.zone):
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


# ---- The kinds of work ---------------------------------------------------------------------------


def _enter_players(job: Job, progress: Progress) -> Result:
    entrants = shapes.read(Entrants, job.given["entrants"])
    entered = enter_players(by=job.by, competition=_competition(job), entrants=entrants, progress=progress)
    return Result({"entered": entered})


def _competition(job: Job) -> Competition:
    return Competition.objects.select_related("club").get(jobs=job)


def _entered(job: Job) -> str:
    count = job.result["entered"]
    added = ngettext("%(count)d entry was added.", "%(count)d entries were added.", count)
    return added % {"count": count}


KINDS[Job.Kind.ENTER_PLAYERS] = KindOfJob(_enter_players, _entered)

"""What the workers do for each kind of job: what it is given, and what comes of it."""

from typing import Final
from uuid import UUID

import structlog
from celery.exceptions import SoftTimeLimitExceeded
from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.engine import shapes
from games.engine.messages import Message, text
from games.engine.refusals import Illegal, Malformed, Refusal
from league.files.exports.downloads import download
from league.files.file import Progress
from league.files.imports import players, reading
from league.files.imports.players import Lines
from league.models import Competition, Job
from league.queries import permissions
from league.services.entering import Entrants, enter_players
from league.services.importing import Imported, import_log
from league.services.imports import import_players
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


def _read_players(job: Job, progress: Progress) -> Result:
    """Read an uploaded file; the result is the plan that an organiser looks at before it is imported."""
    plan = players.plan(job.club, reading.read(bytes(job.upload or b""), players.COLUMNS))
    return Result({"plan": shapes.write(plan)})


def _import_players(job: Job, progress: Progress) -> Result:
    done = import_players(by=job.by, lines=shapes.read(Lines, job.given["lines"]), progress=progress)
    return Result({"new": done.new, "changed": done.changed, "unchanged": done.unchanged})


def _enter_players(job: Job, progress: Progress) -> Result:
    entrants = shapes.read(Entrants, job.given["entrants"])
    entered = enter_players(by=job.by, competition=_competition(job), entrants=entrants, progress=progress)
    return Result({"entered": entered})


def _download(job: Job, progress: Progress) -> Result:
    given = job.given
    return Result(file=download(given["listing"], given["suffix"], _competition(job), progress))


def _import_log(job: Job, progress: Progress) -> Result:
    done = import_log(by=job.by, club=job.club, data=bytes(job.upload or b""))
    row = done.competition if isinstance(done, Imported) else done.game
    kind = "competition" if isinstance(done, Imported) else "game"
    return Result({kind: str(row.pk), "created": done.created})


def _competition(job: Job) -> Competition:
    return Competition.objects.select_related("club").get(jobs=job)


def _entered(job: Job) -> str:
    count = job.result["entered"]
    added = ngettext("%(count)d entry was added.", "%(count)d entries were added.", count)
    return added % {"count": count}


def _imported_players(job: Job) -> str:
    return _("%(new)d new, %(changed)d changed, %(unchanged)d unchanged.") % dict(job.result)


def _imported_log(job: Job) -> str:
    return _("It was imported.") if job.result["created"] else _("It was here already.")


_PLAYERS: Final = (
    ("admin:league_player_changelist", gettext_lazy("Players")),
    ("admin:league_player_import", gettext_lazy("Choose another file")),
)
KINDS[Job.Kind.ENTER_PLAYERS] = KindOfJob(_enter_players, _entered)
KINDS[Job.Kind.READ_PLAYERS] = KindOfJob(_read_players, pages=_PLAYERS, preview="admin:league_player_preview")
KINDS[Job.Kind.IMPORT_PLAYERS] = KindOfJob(_import_players, _imported_players, _PLAYERS, personal=True)
KINDS[Job.Kind.DOWNLOAD] = KindOfJob(_download)
KINDS[Job.Kind.IMPORT_LOG] = KindOfJob(_import_log, _imported_log)

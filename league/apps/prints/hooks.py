"""Long prints, which workers make."""

from datetime import timedelta
from functools import partial
from typing import Final

from django.utils.translation import gettext as _

from league.apps.prints import printing
from league.apps.prints.score_sheets import drawn
from league.files.file import Progress
from league.hooks.papers import POSTERS
from league.models import Competition, Job
from league.services.jobs import KEPT, KINDS, KindOfJob, Result

CODES_KEPT: Final = timedelta(hours=1)
"""How long a print with codes of seats is kept: of codes only hashes are kept longer."""


def make(job: Job, progress: Progress) -> Result:
    """Return the print that a job was given."""
    given = job.given
    competition = Competition.objects.select_related("club").get(jobs=job)
    entries = tuple(given["entries"])
    asked = printing.PrintRequest(
        competition, given["stage"], given["round"], True, given["site"], entries=entries, progress=progress
    )
    codes = given["for_organisers"]
    file = printing.printed(given["kind"], printing.with_codes(asked, job.by) if codes else asked)
    return Result(file=file, kept=CODES_KEPT if codes else KEPT)


def outcome(job: Job) -> str:
    """Return what came of a print: whether its file is kept, and for how long where it holds codes."""
    if not job.has_file:
        return _("The file was removed.")
    if not job.given.get("for_organisers"):
        return _("The file is ready.")
    return _(
        "The file is ready. It holds codes of seats, so it is removed after an hour. "
        "Print again to get new codes."
    )


POSTERS.append(partial(drawn, "handouts.poster"))
KINDS[Job.Kind.PRINT] = KindOfJob(make, outcome)

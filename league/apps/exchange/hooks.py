"""Where imports and exports take part: what workers do, and what the pages with lists offer."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from league import hooks
from league.apps.exchange import services
from league.apps.exchange.formats import SUFFIXES, download
from league.apps.exchange.listings import DOWNLOADS
from league.files.file import Progress
from league.models import Competition, Job
from league.services.jobs import KINDS, KindOfJob, Result

# ---- What workers do -----------------------------------------------------------------------------


def _download(job: Job, progress: Progress) -> Result:
    competition = Competition.objects.select_related("club").get(jobs=job)
    return Result(file=download(job.given["listing"], job.given["suffix"], competition, progress))


def _imported_players(job: Job) -> str:
    return _("%(new)d new, %(changed)d changed, %(unchanged)d unchanged.") % dict(job.result)


def _imported_log(job: Job) -> str:
    return _("It was imported.") if job.result["created"] else _("It was here already.")


_PLAYERS: Final = (
    ("admin:league_player_changelist", gettext_lazy("Players")),
    ("admin:league_player_import", gettext_lazy("Choose another file")),
)
KINDS[Job.Kind.DOWNLOAD] = KindOfJob(_download)
KINDS[Job.Kind.READ_PLAYERS] = KindOfJob(
    services.read_players, pages=_PLAYERS, preview="admin:league_player_preview"
)
KINDS[Job.Kind.IMPORT_PLAYERS] = KindOfJob(
    services.import_players, _imported_players, _PLAYERS, personal=True
)
KINDS[Job.Kind.IMPORT_LOG] = KindOfJob(services.import_log, _imported_log)


# ---- What pages offer ----------------------------------------------------------------------------


def _of_list(page: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the address of the list as CSV for a spreadsheet in the reader's language."""
    tools = page["tools"]
    query = urlencode({**tools.query, "spreadsheet": get_language()})
    return {"csv": f"{reverse(f'api:{tools.name}-csv', args=[tools.of])}?{query}"}


hooks.GIVEN["exchange/at_list.html"] = _of_list
hooks.GIVEN["exchange/at_desk_list.html"] = lambda page: {"suffixes": SUFFIXES}
hooks.GIVEN["exchange/at_desk_files.html"] = lambda page: {
    "files": [(name, title) for name, (title, _parts) in DOWNLOADS.items()],
    "suffixes": SUFFIXES,
}

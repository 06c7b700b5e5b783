"""Where archives and drills take part: a drill is begun each day, and told of."""

from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.apps.archive import drills
from league.apps.archive.models import RestoreDrill
from league.hooks import upkeep
from league.hooks.upkeep import Told
from league.services import queue
from league.words.times import point_in_time

_EVERY: Final = timedelta(days=1)


@upkeep.swept.connect
def sweep() -> None:
    """Begin a drill each day."""
    if queue.is_due("drill", _EVERY):
        drills.begin()


def _drill(now: datetime) -> Told:
    title, last = _("Restoring"), RestoreDrill.objects.first()
    if last is None:
        sentence = _(
            "No backup has been restored to see whether it is good. Set BACKUP_FOLDER, or run manage.py "
            "restore-drill with a backup."
        )
        return Told(title, False, sentence)
    given = {"file": last.file, "at": point_in_time(last.at), "seconds": last.seconds, "why": last.said}
    if not last.well:
        return Told(title, False, _("%(at)s: the backup %(file)s is not good. %(why)s") % given)
    sentence = ngettext(
        "%(at)s: the backup %(file)s was restored beside and verified in %(seconds)d second.",
        "%(at)s: the backup %(file)s was restored beside and verified in %(seconds)d seconds.",
        last.seconds,
    )
    return Told(title, now - last.at < 2 * _EVERY, f"{sentence % given} {last.said}".strip())


upkeep.HEALTH.append(_drill)

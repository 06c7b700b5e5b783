"""Where the signed log takes part: entering and signing, what is checked, told and kept beside backups."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext as _

from games.engine.messages import filled
from league import hooks
from league.apps.signed_log import check, signing
from league.apps.signed_log.leaves import forget_salts
from league.apps.signed_log.models import LogKey
from league.apps.signed_log.queries import contradicted, is_behind, newest_head
from league.hooks import upkeep
from league.hooks.upkeep import Told
from league.services import queue
from league.words.times import point_in_time

_LATE: Final = timedelta(minutes=2)
_SKEW: Final = timedelta(seconds=2)


def _health(now: datetime) -> Told:
    title, head = _("Signed log"), newest_head()
    try:
        signing.kept()
    except signing.CannotSign as refusal:
        return Told(
            title, False, filled(_("Nothing is signed on this machine: %(why)s"), {"why": str(refusal)})
        )
    if logs := contradicted():
        sentence = _(
            "These logs are not as they were published, and nothing more of them is published: %(logs)s. "
            "manage.py verify_logs says what was changed."
        )
        return Told(title, False, filled(sentence, {"logs": ", ".join(logs)}))
    if head is None:
        return Told(title, False, _("No head of the signed log has been published yet. Is a worker running?"))
    given = {"at": point_in_time(head.row.at)}
    if head.row.at > now + _SKEW:
        sentence = _(
            "The clock of the database is behind: the newest head was signed at %(at)s. Set it right; until "
            "then heads keep that date."
        )
        return Told(title, False, filled(sentence, given))
    if is_behind(head, now - _LATE):
        sentence = _("The signed log stands still since %(at)s. The log of the worker says why.")
        return Told(title, False, filled(sentence, given))
    return Told(title, True, filled(_("The newest head was published at %(at)s."), given))


def _header() -> Mapping[str, str]:
    """Return the newest head as emails tell it."""
    head = newest_head()
    return {"X-Signed-Log": f"{head.row.size} leaves, root {head.root}"} if head else {}


def _newest_key() -> datetime | None:
    return LogKey.objects.order_by("-number").values_list("at", flat=True).first()


hooks.player_forgotten.connect(forget_salts)
upkeep.HEALTH.append(_health)
hooks.RESULT_HEADERS.append(_header)
upkeep.CHECKS.append(upkeep.Check(check.add_arguments, check.differences, check.of_games, check.remarks))
upkeep.KEYS.append(upkeep.Keys(signing.files, "log_key.head", _newest_key, signing.lacking, signing.restored))


@upkeep.swept.connect
def sweep() -> None:
    """Let a worker enter and sign what is new."""
    queue.after_commit("sign", app=__package__)

"""“Is all well?”: what runs, what waits, and what to do, in plain words for the platform's owners."""

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db.models import Q, TextField
from django.db.models.functions import Cast
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import database_time
from games.engine.messages import filled
from league.hooks import upkeep
from league.hooks.upkeep import Told
from league.models import Club, Email, PeriodicRun
from league.models.names import ReadableField
from league.ops import folders, prepare
from league.ops.servers import CannotServe
from league.queries import due
from league.services import keys
from league.words.times import point_in_time

_LATE: Final = timedelta(minutes=2)
_BACKUP_EVERY: Final = timedelta(days=1, hours=6)
_MAIL_LATE: Final = timedelta(minutes=15)
_ATTEMPTS: Final = 3
"""After so many an email waits for longer than a mail server's moment of trouble."""
_SKEW: Final = timedelta(seconds=2)
_LEAST_FREE: Final = 2_000_000_000
_GIGABYTE: Final = 1_000_000_000


def all_told() -> Sequence[Told]:
    """Return what was found of each thing, those that are not well first."""
    now = database_time.asked()
    found = [
        *_parts(),
        _sweep(now),
        _lag(now),
        _mail(now),
        _backup(now),
        _keys(),
        *(ask(now) for ask in upkeep.HEALTH),
        *_settings(),
    ]
    found += [_notifications(), _disk(), _clock()]
    return sorted(found, key=lambda told: told.well)


def of_addresses(request: HttpRequest) -> Iterator[Told]:
    """Yield whether a proxy, if this request came by one, names the address of whoever asks."""
    seen, forwarded = request.META["REMOTE_ADDR"], request.META.get("HTTP_X_FORWARDED_FOR", "")
    if not (forwarded or settings.SECURE_PROXY_SSL_HEADER):
        return
    sentence = _("The proxy names the address of whoever asks.")
    if seen not in forwarded:
        sentence = _(
            "Everybody seems to ask from %(address)s, the proxy, and shares the limits of one address. "
            "Let the proxy set X-Forwarded-For, and name its address in FORWARDED_ALLOW_IPS."
        )
    yield Told(_("Addresses of visitors"), seen in forwarded, sentence % {"address": seen})


def _parts() -> Iterator[Told]:
    """Yield how the parts are that an `up` on this host notes; it removes its note when it stops."""
    for note in sorted(folders.data_folder().glob("parts-*.json")):
        with suppress(FileNotFoundError):
            yield from map(_part, json.loads(note.read_text())["parts"])


def _part(part: dict[str, Any]) -> Told:
    title = _("Part “%(name)s” on this machine") % {"name": part["name"]}
    if not part["runs"]:
        return Told(title, False, _("It does not run now; it is being started again."))
    if part.get("silent"):
        return Told(title, False, _("It does not answer now; if that lasts, it is started again."))
    if not part["ends"]:
        return Told(title, True, _("It runs."))
    at = datetime.fromtimestamp(part["last_end"], UTC)
    given = {"count": part["ends"], "at": point_in_time(at)}
    sentence = ngettext(
        "It runs. It ended by itself and was started again at %(at)s.",
        "It runs. It ended by itself %(count)d times and was started again, last at %(at)s.",
        part["ends"],
    )
    told = [filled(sentence, given)]
    if hung := part.get("hung", 0):
        told.append(
            ngettext("Once it had stopped answering.", "%(count)d times it had stopped answering.", hung)
            % {"count": hung}
        )
    return Told(title, datetime.now(UTC) - at > timedelta(hours=1), " ".join(told))  # noqa: TID251 - of this host's note


def _sweep(now: datetime) -> Told:
    title, at = _("Scheduler and workers"), _last("sweep")
    if at is None:
        return Told(title, False, _("No worker has looked for work yet. Is one running?"))
    given = {"at": point_in_time(at)}
    if now - at > _LATE:
        sentence = _("No worker has looked for work since %(at)s. Start scheduler and worker, or the broker.")
        return Told(title, False, filled(sentence, given))
    return Told(title, True, filled(_("A worker last looked for work at %(at)s."), given))


def _lag(now: datetime) -> Told:
    title, since = _("Results and standings"), due.behind_since()
    if since is None:
        return Told(title, True, _("No result waits for its standings."))
    sentence = filled(_("A result has waited for its standings since %(at)s."), {"at": point_in_time(since)})
    return Told(title, now - since < _LATE, sentence)


def _mail(now: datetime) -> Told:
    title, status = _("Email"), Email.Status
    late = Q(next_at__lt=now - _MAIL_LATE) | Q(attempts__gte=_ATTEMPTS)
    failed = Q(status=status.FAILED, made_at__gt=now - timedelta(days=1))
    count = Email.objects.filter(Q(late, status=status.WAITING) | failed).count()
    if count:
        sentence = ngettext(
            "%(count)d email could not be sent. Check EMAIL_URL and the log of the worker.",
            "%(count)d emails could not be sent. Check EMAIL_URL and the log of the worker.",
            count,
        )
        return Told(title, False, sentence % {"count": count})
    sent = Email.objects.filter(sent_at__isnull=False).order_by("-sent_at").first()
    if sent is None or sent.sent_at is None:
        return Told(title, True, _("No email has had to be sent yet."))
    return Told(
        title, True, filled(_("The last email was sent at %(at)s."), {"at": point_in_time(sent.sent_at)})
    )


def _backup(now: datetime) -> Told:
    title, at = _("Backup"), _last("backup")
    if at is None:
        return Told(title, False, _("There is no backup yet: run manage.py backup every night."))
    sentence = filled(_("The last backup was made at %(at)s."), {"at": point_in_time(at)})
    return Told(title, now - at < _BACKUP_EVERY, sentence)


def _keys() -> Told:
    """Tell whether the keys beside the database were packed since the newest one was made."""
    title, packed = _("Keys beside the database"), _last("keys")
    newest = max(filter(None, (each.newest() for each in upkeep.KEYS)), default=None)
    given = {"files": ", ".join(file.name for file in keys.here())}
    if packed is None or (newest and packed < newest):
        sentence = _(
            "No backup of the database holds the files beside it (%(files)s), and they are not packed. "
            "Without them a restored site signs nothing: run manage.py backup --keys FILE."
        )
        return Told(title, False, filled(sentence, given))
    given["at"] = point_in_time(packed)
    return Told(
        title, True, filled(_("The files beside the database (%(files)s) were packed at %(at)s."), given)
    )


def _settings() -> Iterator[Told]:
    """Yield the settings of clubs that can't be read, and what counts in their place."""
    for field in Club._meta.concrete_fields:
        if isinstance(field, ReadableField):
            stored = Club.objects.values_list("name", Cast(field.name, TextField()))
            for club, value in stored:
                if not field.reads(value):
                    given = {
                        "club": club,
                        "field": field.verbose_name,
                        "value": value,
                        "default": field.default,
                    }
                    sentence = _(
                        "%(club)s: its %(field)s “%(value)s” can’t be read, and %(default)s counts. Choose "
                        "another on the club’s page."
                    )
                    yield Told(_("Settings of clubs"), False, filled(sentence, given))


def _notifications() -> Told:
    title = _("Live pages")
    try:
        prepare.check_notifications()
    except CannotServe:
        sentence = _(
            "This machine does not hear of what is new: live pages and streams stand still. Check "
            "DATABASE_DIRECT_URL."
        )
        return Told(title, False, sentence)
    return Told(title, True, _("This machine hears of what is new."))


def _disk() -> Told:
    usage = shutil.disk_usage(folders.data_folder())
    given = {"free": round(usage.free / _GIGABYTE, 1), "all": round(usage.total / _GIGABYTE, 1)}
    sentence = _("%(free)s of %(all)s GB are free where the data folder of this machine is.") % given
    return Told(_("Disk"), usage.free > max(_LEAST_FREE, usage.total // 20), sentence)


def _clock() -> Told:
    ahead = database_time.ahead()
    if abs(ahead) < _SKEW:
        return Told(_("Clock"), True, _("The clock of this machine agrees with the database’s."))
    seconds = round(abs(ahead).total_seconds())
    sentence = ngettext(
        "The clock of this machine is %(seconds)d second from the database’s, which counts. Set it right.",
        "The clock of this machine is %(seconds)d seconds from the database’s, which counts. Set it right.",
        seconds,
    )
    return Told(_("Clock"), False, sentence % {"seconds": seconds})


def _last(name: str) -> datetime | None:
    return PeriodicRun.objects.filter(name=name).values_list("began_at", flat=True).first()

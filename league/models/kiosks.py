"""Kiosks: devices that serve one competition without an account, by a link that an organiser makes."""

from datetime import datetime, timedelta
from typing import ClassVar, Final
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from league.models.accounts import Account
from league.models.competitions import Competition
from league.models.names import LineField, nameable
from league.ops.secret import new_salt

GOOD_FOR: Final = timedelta(hours=12)


def expiry() -> datetime:
    """Return until when a kiosk that is made now may be used, unless its maker says otherwise."""
    return database_time.now() + GOOD_FOR


class Kiosk(models.Model):
    """A device that may act for one competition, for a time.

    The token of its link is derived from the site's secret and ``salt``, and is not stored. The device that
    opens the link gets a signed cookie and a new salt, so that the link works once.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    competition = models.ForeignKey(
        Competition, models.CASCADE, related_name="kiosks", verbose_name=_("competition")
    )
    name = LineField(
        _("name"), max_length=60, validators=[nameable], help_text=_("For example: tablet at the door.")
    )
    salt = models.CharField(max_length=32, default=new_salt, editable=False)
    made_by = models.ForeignKey(
        Account, models.PROTECT, related_name="+", editable=False, verbose_name=_("made by")
    )
    made_at = models.DateTimeField(_("made"), default=database_time.now, editable=False)
    expires_at = models.DateTimeField(_("good until"), default=expiry)
    opened_at = models.DateTimeField(_("opened on a device"), null=True, editable=False)
    seen_at = models.DateTimeField(_("last used"), null=True, editable=False)
    revoked_at = models.DateTimeField(_("revoked"), null=True, editable=False)

    class Meta:
        ordering: ClassVar = ["-made_at", "id"]
        verbose_name = _("kiosk")
        verbose_name_plural = _("kiosks")

    def __str__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        """Return whether its link, or the device that opened it, works now."""
        return self.revoked_at is None and self.expires_at > database_time.now()

"""Calls for the organiser, from a table."""

from typing import ClassVar
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from league.models.accounts import Account
from league.models.competitions import Competition


class Call(models.Model):
    """Somebody at a table called the organiser; one call a table is open at a time.

    The table is no foreign key: rows of tables can be deleted and rebuilt. ``caller`` is the name of the
    seat's player, empty where a kiosk called for the whole table.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    competition = models.ForeignKey(
        Competition, models.CASCADE, related_name="calls", verbose_name=_("competition")
    )
    table = models.UUIDField(editable=False)
    round = models.PositiveSmallIntegerField(_("round"))
    number = models.PositiveSmallIntegerField(_("table"))
    caller = models.CharField(_("player"), max_length=100, blank=True)
    account = models.ForeignKey(
        Account, models.PROTECT, null=True, related_name="+", verbose_name=_("account")
    )
    made_at = models.DateTimeField(_("called"), default=database_time.now)
    seen_at = models.DateTimeField(_("seen"), null=True)
    seen_by = models.ForeignKey(
        Account, models.PROTECT, null=True, related_name="+", verbose_name=_("seen by")
    )

    class Meta:
        ordering: ClassVar = ["-made_at", "id"]
        verbose_name = _("call")
        verbose_name_plural = _("calls")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["table"], condition=models.Q(seen_at=None), name="unique_open_call"
            ),
        ]

    def __str__(self) -> str:
        return _("Round %(round)d, table %(table)d") % {"round": self.round, "table": self.number}

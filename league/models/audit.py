"""A club's audit record: who changed what in the club, apart from its competitions; append-only."""

from typing import ClassVar, TypeAlias

from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from games.models import append_only
from league import choices
from league.models.accounts import Account
from league.models.clubs import Club


class ClubChange(models.Model):
    """One change of a club's own rows: what, of whom, by whom, when."""

    Kind: TypeAlias = choices.ChangeKind

    club = models.ForeignKey(Club, models.PROTECT, related_name="changes", verbose_name=_("club"))
    kind = models.CharField(_("what"), max_length=30, choices=Kind)
    subject = models.CharField(_("about"), max_length=200)
    values = models.JSONField(_("values"), default=dict)
    """What each field was and is: ``{field: [before, after]}``. No secrets and no email addresses."""
    account = models.ForeignKey(
        Account, models.PROTECT, null=True, related_name="+", verbose_name=_("account")
    )
    """Who did it; nobody where the server did."""
    about = models.UUIDField(null=True, editable=False)
    """The player or account of which the change says what is so from here on."""
    at = models.DateTimeField(_("at"), default=database_time.asked)

    class Meta:
        ordering: ClassVar = ["-at", "-id"]
        verbose_name = _("change")
        verbose_name_plural = _("changes")
        indexes: ClassVar = [models.Index(fields=["club", "-at"]), models.Index(fields=["at"])]
        triggers: ClassVar = append_only("club_change")

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.subject}"

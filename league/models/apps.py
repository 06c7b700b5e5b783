"""A club's apps: accounts of programs that authenticate by tokens alone."""

from typing import ClassVar
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from league.models.accounts import Account
from league.models.clubs import Club
from league.models.names import LineField, nameable


class App(models.Model):
    """A program that acts for a club, by an account with a role in the club."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="apps", verbose_name=_("club"))
    account = models.OneToOneField(
        Account, models.PROTECT, related_name="app", editable=False, verbose_name=_("account")
    )
    name = LineField(_("name"), max_length=60, validators=[nameable])
    made_at = models.DateTimeField(_("made"), default=database_time.now, editable=False)
    retired_at = models.DateTimeField(_("retired"), null=True, editable=False)

    class Meta:
        ordering: ClassVar = ["name", "id"]
        verbose_name = _("app")
        verbose_name_plural = _("apps")

    def __str__(self) -> str:
        return self.name

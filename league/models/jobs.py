"""Long work that the workers do: imports, long lists of names, many printed pages."""

from datetime import timedelta
from typing import ClassVar, Final, TypeAlias
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from league import choices
from league.models.accounts import Account
from league.models.clubs import Club
from league.models.competitions import Competition
from league.models.messages import MessageField

LEASE: Final = timedelta(seconds=60)
"""A running job of which nothing was heard for this long is given to another worker."""


class Job(models.Model):
    """A piece of long work: what was asked for, how far it is, and what came of it.

    What ``given`` and ``result`` hold depends on ``kind`` (`league.services.long_work`). Those of an import
    hold contacts of players, and are emptied when they are of no more use.
    """

    Kind: TypeAlias = choices.JobKind
    Status: TypeAlias = choices.JobStatus

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="jobs", verbose_name=_("club"))
    competition = models.ForeignKey(
        Competition, models.CASCADE, null=True, related_name="jobs", verbose_name=_("competition")
    )
    by = models.ForeignKey(Account, models.CASCADE, related_name="+", verbose_name=_("started by"))
    kind = models.CharField(_("what"), max_length=20, choices=Kind)
    given = models.JSONField(default=dict)
    upload = models.BinaryField(null=True)
    language = models.CharField(max_length=20)

    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.WAITING)
    done = models.PositiveIntegerField(_("steps done"), default=0)
    total = models.PositiveIntegerField(_("steps in all"), default=0)
    cancelling = models.BooleanField(default=False)
    """Whether somebody wants it cancelled: whoever works on it stops at the next step."""
    attempt = models.PositiveSmallIntegerField(default=0)
    """How often a worker has taken it; a worker that was given up can't finish it any more."""
    beat_at = models.DateTimeField(null=True)
    """When the worker last said that it goes on."""

    result = models.JSONField(default=dict)
    file = models.BinaryField(null=True)
    file_name = models.CharField(max_length=200, blank=True)
    file_until = models.DateTimeField(null=True)
    """When the file is removed: at the latest with its job, earlier where it holds codes of seats."""
    error = MessageField(default=str)
    made_at = models.DateTimeField(_("started"), default=database_time.now)
    ended_at = models.DateTimeField(_("ended"), null=True)

    class Meta:
        ordering: ClassVar = ["-made_at", "id"]
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        indexes: ClassVar = [
            models.Index(
                fields=["made_at"], condition=models.Q(status__in=["waiting", "running"]), name="jobs_to_do"
            ),
        ]

    def __str__(self) -> str:
        return str(self.get_kind_display())

    @property
    def is_over(self) -> bool:
        """Return whether it is done, has failed, or was cancelled."""
        return self.status not in (self.Status.WAITING, self.Status.RUNNING)

"""The logs of competitions. A row is written once: the database itself refuses anything else."""

from typing import Any, ClassVar, TypeAlias

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.engine.chain import stamp
from games.models import append_only
from league import choices
from league.models.competitions import Competition


class DrawSecret(models.Model):
    """The secret behind a commitment to draws; not a field of `Competition`, so that no query can leak it.

    No backup holds these rows (`league.ops.backups`).
    """

    competition = models.ForeignKey(Competition, models.PROTECT, related_name="+")
    root = models.CharField(max_length=64, unique=True)
    secret = models.BinaryField()

    class Meta:
        ordering: ClassVar = ["competition", "pk"]

    def __str__(self) -> str:
        return f"secret of {self.competition_id}"


class Event(models.Model):
    """One entry of a competition's log. The unique key (competition, seq) is the judge of races."""

    Role: TypeAlias = choices.EventRole

    competition = models.ForeignKey(
        Competition, models.PROTECT, related_name="events", verbose_name=_("competition")
    )
    seq = models.PositiveIntegerField(_("log entry"))
    role = models.CharField(_("role"), max_length=12, choices=Role)
    account = models.CharField(_("account"), max_length=64, null=True)  # noqa: DJ001 - null stands in the hash
    event = models.JSONField(_("event"))
    at = models.DateTimeField(_("at"))
    hash = models.CharField(_("hash"), max_length=64)

    class Meta:
        ordering: ClassVar = ["competition", "seq"]
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["competition", "seq"], name="unique_event_seq"),
        ]
        triggers: ClassVar = append_only("event")

    def __str__(self) -> str:
        return f"{self.competition_id} {self.seq}"

    def as_json(self) -> dict[str, Any]:
        """Return the entry as the chain hashes it, without its hash."""
        return {
            "seq": self.seq,
            "role": self.role,
            "account": self.account,
            "event": self.event,
            "at": stamp(self.at),
        }

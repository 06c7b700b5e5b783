"""What a hall shows besides the log of its competition: the round's timer and announcements."""

from datetime import datetime, timedelta
from typing import ClassVar
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from league.models.accounts import Account
from league.models.competitions import Competition
from league.models.names import LineField, printable


class Hall(models.Model):
    """The hall of a competition: whether players may check in from their own phones, and the round's timer.

    The timer belongs to a round (``stage`` and ``round``, 0 for no timer) and lasts ``seconds``. While it
    runs, ``ends_at`` says until when; while it is paused, ``left`` how many seconds remain.
    """

    competition = models.OneToOneField(Competition, models.CASCADE, primary_key=True, related_name="hall")
    self_check_in = models.BooleanField(_("players check in from their own phones"), default=False)
    stage = models.PositiveSmallIntegerField(default=0)
    round = models.PositiveSmallIntegerField(default=0)
    seconds = models.PositiveIntegerField(default=0)
    ends_at = models.DateTimeField(null=True)
    left = models.PositiveIntegerField(null=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar = ["competition"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(ends_at=None) | models.Q(left=None), name="a_timer_runs_or_is_paused"
            ),
        ]

    def __str__(self) -> str:
        return str(self.competition)

    def remaining(self, at: datetime) -> timedelta:
        """Return how long the timer has to run at a time, less than zero once it has run out."""
        if self.ends_at is not None:
            return self.ends_at - at
        return timedelta(seconds=self.left or 0)


class Announcement(models.Model):
    """What an organiser tells everybody in the hall, until it is removed or its round ends.

    ``rounds`` is how many rounds were closed when it was made: it ends when one more is.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    competition = models.ForeignKey(Competition, models.CASCADE, related_name="announcements")
    text = LineField(_("announcement"), max_length=200, validators=[printable])
    rounds = models.PositiveSmallIntegerField()
    made_by = models.ForeignKey(Account, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(_("made"), default=database_time.now)

    class Meta:
        ordering: ClassVar = ["made_at", "id"]
        indexes: ClassVar = [models.Index(fields=["competition", "made_at"])]
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")

    def __str__(self) -> str:
        return self.text

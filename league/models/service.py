"""Rows of the service itself: what it has begun, found, fetched and counted, and the long work of workers."""

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
from league.models.names import MessageField

# ---- What is sent -----------------------------------------------------------------------------------


class Outgoing(models.Model):
    """What the outbox sends (`league.services.outbox`), with its attempts."""

    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_at = models.DateTimeField(_("next attempt"), null=True, default=database_time.now)
    """When it is sent next; while a worker sends it, when another one may; None when that is over."""

    class Meta:
        abstract = True


class Email(Outgoing):
    """An email to send, one for each ``key``. Its text is made when it is sent."""

    Kind: TypeAlias = choices.EmailKind
    Status: TypeAlias = choices.EmailStatus

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    key = models.CharField(max_length=200, unique=True)
    kind = models.CharField(max_length=20)
    account = models.ForeignKey(Account, models.CASCADE, null=True, related_name="emails")
    """Who gets it; None for somebody without an account."""
    club = models.ForeignKey(Club, models.CASCADE, null=True, related_name="emails")
    about = models.JSONField()
    """The ids that its text is made from."""
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.WAITING)
    made_at = models.DateTimeField(_("made"), default=database_time.now)
    sent_at = models.DateTimeField(_("sent"), null=True)

    class Meta:
        db_table = "league_notice"
        ordering: ClassVar = ["-made_at", "id"]
        indexes: ClassVar = [
            models.Index(fields=["next_at"], condition=models.Q(status="waiting"), name="emails_due"),
        ]

    def __str__(self) -> str:
        return self.key


# ---- Service -------------------------------------------------------------------------------------


class PeriodicRun(models.Model):
    """The last run of a periodic task, by the database's clock. Of several schedulers one is followed."""

    name = models.CharField(max_length=40, primary_key=True)
    began_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name


class VerifiedLog(models.Model):
    """The head at which a game's or competition's log was last found good, and by which release."""

    stream = models.UUIDField(primary_key=True)
    head = models.CharField(max_length=64)
    release = models.CharField(max_length=64)

    class Meta:
        ordering: ClassVar = ["stream"]

    def __str__(self) -> str:
        return f"{self.stream} at {self.head}"


class BeaconValue(models.Model):
    """The signature of a round of the beacon, whose hash is the round's value (`league.core.commitment`)."""

    round = models.BigIntegerField(_("round"), primary_key=True)
    signature = models.CharField(_("signature"), max_length=96)

    class Meta:
        ordering: ClassVar = ["round"]
        verbose_name = _("value of the beacon")
        verbose_name_plural = _("values of the beacon")

    def __str__(self) -> str:
        return str(self.round)


class WatchedGames(models.Model):
    """How many watch each game through one process, and which seats are there, as it last reported."""

    process = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    games = models.JSONField(default=dict)
    """``{game id: how many}``."""
    present = models.JSONField(default=dict, db_default={})
    """``{game id: {seat: seconds since it left, or null}}``."""
    at = models.DateTimeField(default=database_time.now)

    class Meta:
        ordering: ClassVar = ["-at", "process"]

    def __str__(self) -> str:
        return str(self.process)


# ---- Jobs ----------------------------------------------------------------------------------------

LEASE: Final = timedelta(seconds=60)
"""A running job of which nothing was heard for this long is given to another worker."""


class Job(models.Model):
    """A piece of long work: what was asked for, how far it is, and what came of it.

    What ``given`` and ``result`` hold depends on ``kind`` (`league.services.jobs.KINDS`). Those of an import
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
    """When the file is removed: at the latest with its job, or earlier."""
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

    @property
    def has_file(self) -> bool:
        """Return whether it made a file that is still kept."""
        return self.file_until is not None and self.file_until >= database_time.now()

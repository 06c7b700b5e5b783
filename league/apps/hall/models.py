"""The hall of a competition: its timer and announcements, kiosks, codes of seats, calls for the organiser."""

from datetime import datetime, timedelta
from typing import ClassVar, Final
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from league.models.accounts import Account
from league.models.competitions import Competition
from league.models.names import LineField, nameable, printable
from league.ops.secret import new_salt


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
        db_table = "league_hall"
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
    """What an organiser tells in the hall, until it is removed or its round ends; the row stays.

    ``rounds`` is how many rounds were closed when it was made: it ends when one more is. Whom it is ``to``
    may be told by email and in their browsers, too, from ``sent_at`` on: ``people`` is how many these are,
    ``told`` how many of them are reached. A table is no foreign key: rows of tables can be rebuilt.
    """

    class To(models.TextChoices):
        """Whom an announcement is for."""

        ALL = "all", _("everybody")
        ROUND = "round", _("who plays in this round")
        TABLE = "table", _("one table")
        MISSING = "missing", _("who has not checked in")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    competition = models.ForeignKey(Competition, models.CASCADE, related_name="announcements")
    text = LineField(_("announcement"), max_length=200, validators=[printable])
    rounds = models.PositiveSmallIntegerField()
    made_by = models.ForeignKey(Account, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(_("made"), default=database_time.now)
    to = models.CharField(_("to"), max_length=10, choices=To, default=To.ALL)
    table = models.UUIDField(null=True, blank=True)
    number = models.PositiveSmallIntegerField(_("table"), default=0)
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)
    people = models.PositiveIntegerField(_("people"), default=0)
    told = models.PositiveIntegerField(_("told"), default=0)
    removed_at = models.DateTimeField(_("removed"), null=True, blank=True)

    class Meta:
        db_table = "league_announcement"
        ordering: ClassVar = ["made_at", "id"]
        indexes: ClassVar = [models.Index(fields=["competition", "made_at"])]
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")

    def __str__(self) -> str:
        return f"{self.whom}: {self.text}" if self.whom else self.text

    @property
    def whom(self) -> str:
        """Return whom it is for, as it stands before the text; empty for everybody."""
        if self.to == self.To.TABLE:
            return _("Table %(number)d") % {"number": self.number}
        whom = {"round": _("Players of this round"), "missing": _("Not checked in yet")}
        return str(whom.get(self.to, ""))


class Call(models.Model):
    """Somebody at a table called the organiser; one call a table is open at a time.

    The table is no foreign key: rows of tables can be deleted and rebuilt. ``caller`` is the name of the
    seat's player, empty where a kiosk called for the whole table. ``totals`` are those that were typed at
    the table, in the order of its seats, none for who has left it; they count once somebody takes them.
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
    totals = models.JSONField(_("totals"), default=list, blank=True)
    made_at = models.DateTimeField(_("called"), default=database_time.now)
    seen_at = models.DateTimeField(_("seen"), null=True)
    seen_by = models.ForeignKey(
        Account, models.PROTECT, null=True, related_name="+", verbose_name=_("seen by")
    )

    class Meta:
        db_table = "league_call"
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

    @property
    def typed(self) -> str:
        """Return the totals as an address has them."""
        return " ".join("-" if each is None else str(each) for each in self.totals)


# ---- Kiosks --------------------------------------------------------------------------------------

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
        db_table = "league_kiosk"
        ordering: ClassVar = ["-made_at", "id"]
        verbose_name = _("kiosk")
        verbose_name_plural = _("kiosks")

    def __str__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        """Return whether its link, or the device that opened it, works now."""
        return self.revoked_at is None and self.expires_at > database_time.now()


class SeatCode(models.Model):
    """A code of one seat at one table of one round, of which only keyed hashes are stored.

    ``start_digest`` is that of its first half: a wrong second half counts in ``misses``. The table is no
    foreign key: rows of tables can be deleted and rebuilt.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    competition = models.ForeignKey(Competition, models.CASCADE, related_name="seat_codes")
    table = models.UUIDField(_("table"), db_index=True)
    seat = models.PositiveSmallIntegerField(_("seat"))
    start_digest = models.CharField(max_length=64, db_index=True)
    digest = models.CharField(max_length=64, unique=True)
    misses = models.PositiveSmallIntegerField(default=0)
    missed_at = models.DateTimeField(null=True)
    made_by = models.ForeignKey(Account, models.PROTECT, null=True, related_name="+")
    """Who made it; None for a person whom something else had let in."""
    made_from = models.UUIDField(null=True, db_index=True)
    """What let the person in, who sees it again and with which it ends; None for one that is printed."""
    made_at = models.DateTimeField(default=database_time.now)

    class Meta:
        db_table = "league_seatcode"
        ordering: ClassVar = ["-made_at", "id"]
        verbose_name = _("code of a seat")
        verbose_name_plural = _("codes of seats")

    def __str__(self) -> str:
        return f"{self.table} {self.seat}"

"""Series: their logs, of which a row is written once, and rows that follow these and can be rebuilt."""

from typing import Any, ClassVar
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.engine.chain import stamp
from games.models import append_only
from league.models.clubs import Club, Player
from league.models.competitions import Competition


class Series(models.Model):
    """A series of a club. But for the address, and what joins or counts by itself, all follows its log.

    ``follows`` is the key of a `league.hooks.KnownAs`: those whom the club knows as that count.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="+", verbose_name=_("club"))
    slug = models.SlugField(_("address"), max_length=80)
    gathers = models.BooleanField(_("evenings like those it has join by themselves"), default=True)
    follows = models.CharField(_("who counts by themselves"), max_length=64, blank=True, default="")

    seq = models.PositiveIntegerField(_("entries in the log"), default=0)
    head = models.CharField(_("head"), max_length=64)
    opened_at = models.DateTimeField(_("opened"))
    changed_at = models.DateTimeField(_("last entry"))
    name = models.CharField(_("name"), max_length=100)
    closed = models.BooleanField(_("closed"), default=False)

    class Meta:
        db_table = "league_series"
        ordering: ClassVar = ["-opened_at", "id"]
        verbose_name = _("series")
        verbose_name_plural = pgettext_lazy("several", "series")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "slug"], name="unique_series_address"),
        ]

    def __str__(self) -> str:
        return self.name


class SeriesEvent(models.Model):
    """One entry of a series' log. The unique key (series, seq) is the judge of races."""

    series = models.ForeignKey(Series, models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    role = models.CharField(max_length=12)
    account = models.CharField(max_length=64, null=True)  # noqa: DJ001 - null stands in the hash
    event = models.JSONField()
    at = models.DateTimeField()
    hash = models.CharField(max_length=64)

    class Meta:
        db_table = "league_seriesevent"
        ordering: ClassVar = ["series", "seq"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["series", "seq"], name="unique_series_event_seq"),
        ]
        triggers: ClassVar = append_only("series_event")

    def __str__(self) -> str:
        return f"{self.series_id} {self.seq}"

    def as_json(self) -> dict[str, Any]:
        """Return the entry as the chain hashes it, without its hash."""
        return {
            "seq": self.seq,
            "role": self.role,
            "account": self.account,
            "event": self.event,
            "at": stamp(self.at),
        }


class SeriesEvening(models.Model):
    """What an evening gives its series: ``whole`` and ``lists`` are parts as `core.evenings` writes them.

    ``number`` is that of the entry that added it. ``as_of`` is how far its competition's log had come.
    ``measure`` is what its points are, as `core.evenings.measure_of` has it.
    ``digest`` changes with whatever a page shows of it, and with nothing else.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    series = models.ForeignKey(Series, models.CASCADE, related_name="evenings")
    number = models.PositiveIntegerField()
    competition = models.ForeignKey(Competition, models.PROTECT, null=True, related_name="+")
    as_of = models.PositiveIntegerField(default=0)
    name = models.CharField(max_length=100)
    low_wins = models.BooleanField(default=False)
    running = models.BooleanField(default=False)
    cancelled = models.BooleanField(default=False)
    corrected = models.BooleanField(default=False)
    measure = models.CharField(max_length=10, blank=True, default="")
    whole = models.JSONField()
    lists = models.JSONField()
    digest = models.CharField(max_length=64)

    class Meta:
        db_table = "league_seriesevening"
        ordering: ClassVar = ["series", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["series", "number"], name="unique_series_evening"),
        ]

    def __str__(self) -> str:
        return self.name


class HandedIn(models.Model):
    """Another club's evening that a player hands in: it counts once an organiser accepts it.

    ``event`` is that which brings it, ``called`` the player's name in its file.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    series = models.ForeignKey(Series, models.CASCADE, related_name="handed_in")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    event = models.JSONField()
    called = models.CharField(max_length=100)
    at = models.DateTimeField()

    class Meta:
        db_table = "league_serieshandedin"
        ordering: ClassVar = ["at", "id"]

    def __str__(self) -> str:
        return self.called

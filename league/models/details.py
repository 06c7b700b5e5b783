"""What a competition tells about itself: when and where it is, a description, a picture, prizes.

These are rows and not entries of the log: no result depends on them, they may be corrected as often as one
likes, and what they say about people can be erased.
"""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.competitions import Competition
from league.models.names import LineField, LinesField, printable, printable_lines


class Details(models.Model):
    """What a competition tells about itself; each part may be missing."""

    competition = models.OneToOneField(
        Competition, models.CASCADE, primary_key=True, related_name="stored_details"
    )
    begins_on = models.DateField(_("first day"), null=True, blank=True)
    begins_at = models.TimeField(_("time of day"), null=True, blank=True)
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    place = LineField(_("place"), max_length=200, blank=True, default="", validators=[printable])
    description = LinesField(
        _("description"), max_length=4000, blank=True, default="", validators=[printable_lines]
    )
    contact = LineField(_("contact"), max_length=200, blank=True, default="", validators=[printable])
    prizes = models.JSONField(_("prizes"), default=list, blank=True)
    """A list of `league.core.prizes.Prize` as JSON."""
    picture = models.CharField(_("picture"), max_length=64, blank=True, default="")
    """The SHA-256 of the picture's file, which is in its address; empty for none."""
    picture_text = LineField(
        _("what the picture shows"), max_length=200, blank=True, default="", validators=[printable]
    )
    picture_width = models.PositiveSmallIntegerField(default=0)
    picture_height = models.PositiveSmallIntegerField(default=0)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar = ["competition"]
        verbose_name = _("details of a competition")
        verbose_name_plural = _("details of competitions")

    def __str__(self) -> str:
        return str(self.competition)


class Picture(models.Model):
    """A competition's picture, a JPEG; in the database, so that backups have it."""

    competition = models.OneToOneField(Competition, models.CASCADE, primary_key=True, related_name="+")
    data = models.BinaryField()

    class Meta:
        ordering: ClassVar = ["competition"]

    def __str__(self) -> str:
        return str(self.competition)

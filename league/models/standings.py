"""Standings: computed from the log by a task."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.competitions import Competition, Stage


class Standings(models.Model):
    """How far into a competition's log its standing rows reach: they are old while ``as_of`` lags behind."""

    competition = models.OneToOneField(
        Competition, models.CASCADE, primary_key=True, related_name="standings"
    )
    as_of = models.PositiveIntegerField(_("as of entry"), default=0)

    class Meta:
        ordering: ClassVar = ["competition"]

    def __str__(self) -> str:
        return f"{self.competition_id} {self.as_of}"


class RoundStandings(models.Model):
    """The standings of a stage after a round, 0 before its first one; those after the last round are current.

    ``order`` is that of its entries, as `league.core.standings.rows.read` reads it: what was counted for each
    and what separates neighbours, from which ranks and reasons follow where they are read. ``to_come`` counts
    the tables of entries that are put off. ``ahead`` is about the current standings alone (empty otherwise):
    the best and the worst ``ranks`` that can still be reached, in the order of the entries, where anybody can
    tell; and in ``next`` the group of the next stage where each entry goes (0: it is out) and why, once all
    rounds are played. The group is null as long as a play-off has to decide.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    competition = models.ForeignKey(Competition, models.CASCADE, related_name="round_standings")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="round_standings")
    round = models.PositiveSmallIntegerField(_("round"))
    order = models.JSONField(_("order"))
    to_come = models.JSONField(_("tables to come"))
    ahead = models.JSONField(_("what is ahead"))

    class Meta:
        ordering: ClassVar = ["stage", "round"]
        verbose_name = _("standings after a round")
        verbose_name_plural = _("standings after rounds")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["stage", "round"], name="unique_round_standings"),
        ]

    def __str__(self) -> str:
        return f"{self.stage_id} {self.round}"

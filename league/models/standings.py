"""Standings: computed from the log by a task."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.competitions import Competition, Entry, Round, Stage
from league.models.messages import MessageField


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


class Standing(models.Model):
    """An entry's rank in a stage: so far (no round), or after a round.

    Ranks count from 1 in each group; entries that nothing separates share one until lots are drawn. Points
    are an exact fraction such as "7/2". The best and the worst rank are those that can still be reached, null
    after a round and where nobody can tell. ``to_come`` counts the entry's tables that are put off.
    The next group is where the entry goes in the next stage (0: it is out) and why, once all rounds are
    played; null before that, and as long as a play-off has to decide.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    competition = models.ForeignKey(Competition, models.CASCADE, related_name="standing_rows")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="standing_rows")
    round = models.ForeignKey(Round, models.CASCADE, null=True, related_name="standing_rows")
    group = models.PositiveSmallIntegerField(_("group"))
    rank = models.PositiveIntegerField(_("rank"))
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="standing_rows")
    played = models.PositiveIntegerField(_("played"))
    points = models.TextField(_("points"))
    tiebreaks = models.JSONField(_("tie-breaks"))
    decided_by = models.CharField(_("decided by"), max_length=40, null=True)  # noqa: DJ001 - null in the API
    explanation = MessageField(_("explanation"))
    movement = models.IntegerField(_("movement"), null=True)
    best_rank = models.PositiveIntegerField(_("best rank"), null=True)
    worst_rank = models.PositiveIntegerField(_("worst rank"), null=True)
    to_come = models.PositiveSmallIntegerField(_("tables to come"), default=0)
    next_group = models.PositiveSmallIntegerField(_("next group"), null=True)
    next_why = MessageField(_("reason for the next group"), default=str)

    class Meta:
        ordering: ClassVar = ["stage", "round", "group", "rank", "entry__number"]
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["stage", "round", "entry"],
                name="unique_standing_entry",
                nulls_distinct=False,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rank}. {self.entry}"

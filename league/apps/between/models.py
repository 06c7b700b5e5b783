"""Which clubs take part in a competition of another one, and as whom their people play there."""

from typing import ClassVar
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from league.models import Club, Competition, Player


class Partner(models.Model):
    """A club whose desk enters teams in a competition, lines them up and writes their results."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    competition = models.ForeignKey(
        Competition, models.CASCADE, related_name="partners", verbose_name=_("competition")
    )
    club = models.ForeignKey(Club, models.CASCADE, related_name="partner_in", verbose_name=_("club"))
    made_at = models.DateTimeField(_("made"), default=database_time.now, editable=False)

    class Meta:
        db_table = "between_partner"
        ordering: ClassVar = ["club__name", "id"]
        verbose_name = _("club of a competition")
        verbose_name_plural = _("clubs of a competition")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["competition", "club"], name="one_partner_a_club"),
        ]

    def __str__(self) -> str:
        return str(self.club)


class Lent(models.Model):
    """A person of one club who plays in competitions of another: the player there is called as the public
    reads the name at home. Whoever is forgotten at home has none any more, and is forgotten there next.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    player = models.OneToOneField(Player, models.CASCADE, related_name="+", verbose_name=_("player"))
    home = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+", verbose_name=_("at home"))

    class Meta:
        db_table = "between_lent"
        ordering: ClassVar = ["id"]
        verbose_name = _("player of another club")
        verbose_name_plural = _("players of other clubs")

    def __str__(self) -> str:
        return str(self.player)

"""What the people of a club wish for draws, whatever the competition: kept apart or together, a table."""

from typing import ClassVar
from uuid import uuid4

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from league.models import Club, Player
from league.models.names import printable
from league.ops.secret import new_salt


class WishKind(models.TextChoices):
    """What somebody wishes; all but the table is about another player."""

    APART = "apart", _("never at one table")
    APART_FIRST = "apart_first", _("not in the first round")
    APART_LAST = "apart_last", _("not in the last round")
    TOGETHER = "together", _("together at one table")
    TABLE = "table", _("always at the table with this number")


class PlayerWish(models.Model):
    """A wish of one player, or of two for each other: the one with the lower id is the ``player``.

    Draws tell everybody what it is, but never the ``reason``, which organisers of the club alone see.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="wishes", verbose_name=_("club"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="+", verbose_name=_("player"))
    other = models.ForeignKey(
        Player, models.CASCADE, related_name="+", null=True, blank=True, verbose_name=_("other player")
    )
    by_other = models.BooleanField(default=False, editable=False)
    """Whether it is the other one who wishes it, whose page alone has the reason."""
    kind = models.CharField(_("wish"), max_length=12, choices=WishKind)
    always = models.BooleanField(_("always"), default=True)
    table = models.PositiveSmallIntegerField(
        _("table"), null=True, blank=True, validators=(MinValueValidator(1), MaxValueValidator(1000))
    )
    reason = models.CharField(_("reason"), max_length=200, blank=True, validators=[printable])
    salt = models.CharField(max_length=32, default=new_salt, editable=False)
    """What the commitment in the club's record was made with; it goes with the wish."""

    class Meta:
        db_table = "wishes_wish"
        ordering: ClassVar = ["id"]
        verbose_name = _("wish for draws")
        verbose_name_plural = _("wishes for draws")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["player", "other", "kind"], nulls_distinct=False, name="one_wish_of_a_kind"
            ),
            models.CheckConstraint(condition=Q(other=None) | Q(player__lt=F("other")), name="in_order_of_id"),
            models.CheckConstraint(
                condition=Q(kind="table", other=None, table__isnull=False)
                | (~Q(kind="table") & Q(other__isnull=False, table=None)),
                name="a_table_or_another_player",
            ),
        ]

    def __str__(self) -> str:
        return self.get_kind_display()

"""Codes of seats: whoever has one may write on the score card of a table, without an account."""

from typing import ClassVar
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from league.models.accounts import Account
from league.models.competitions import Competition


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
    made_by = models.ForeignKey(Account, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=database_time.now)

    class Meta:
        ordering: ClassVar = ["-made_at", "id"]
        verbose_name = _("code of a seat")
        verbose_name_plural = _("codes of seats")

    def __str__(self) -> str:
        return f"{self.table} {self.seat}"

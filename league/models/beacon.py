"""The values of the public beacon that draws have waited for."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class BeaconValue(models.Model):
    """The signature of a round of the beacon, whose hash is the round's value (`league.core.beacon`)."""

    round = models.BigIntegerField(_("round"), primary_key=True)
    signature = models.CharField(_("signature"), max_length=96)

    class Meta:
        ordering: ClassVar = ["round"]
        verbose_name = _("value of the beacon")
        verbose_name_plural = _("values of the beacon")

    def __str__(self) -> str:
        return str(self.round)

"""How people of clubs are reached, and which emails they want no more."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Club, Player
from league.models.names import LineField, printable


class Contact(models.Model):
    """How organisers reach a player. It is shown on the desk alone, to organisers of the player's club.

    It is a row of its own so that no list, export or view that shows players can show it by accident.
    """

    player = models.OneToOneField(
        Player, models.CASCADE, primary_key=True, related_name="contact", verbose_name=_("player")
    )
    email = models.EmailField(_("email address"), blank=True)
    phone = LineField(_("phone"), max_length=60, blank=True, validators=[printable])
    note = LineField(_("note"), max_length=500, blank=True, validators=[printable])

    class Meta:
        ordering: ClassVar = ["player"]
        verbose_name = _("contact")
        verbose_name_plural = _("contacts")

    def __str__(self) -> str:
        return str(self.player)


class StoppedEmails(models.Model):
    """A kind of the club's emails that a player wants no more, whatever evening they are about."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="stopped_emails")
    kind = models.CharField(max_length=20)

    class Meta:
        ordering: ClassVar = ["player", "kind"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "kind"], name="unique_stopped_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.kind}"


class StoppedInvitations(models.Model):
    """An address to which a club sends no more invitations, whoever is invited there: its keyed hash."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="+")
    address = models.CharField(max_length=43)

    class Meta:
        ordering: ClassVar = ["club", "address"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "address"], name="unique_stopped_address"),
        ]

    def __str__(self) -> str:
        return str(self.pk)

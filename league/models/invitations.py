"""Invitations to a club, by a link that one person can use once."""

from datetime import datetime, timedelta
from typing import ClassVar, Final
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from league.models.accounts import Account
from league.models.clubs import Club, Member, Player
from league.ops.secret import new_salt

GOOD_FOR: Final = timedelta(days=14)


def expiry() -> datetime:
    """Return when an invitation that is sent now expires."""
    return database_time.now() + GOOD_FOR


class Invitation(models.Model):
    """An invitation to join a club in a role, and as one of its players if one is named.

    The token of its link is derived from the site's secret and ``salt``, and is not stored. Where it was sent
    to an address that is not the account's who opens it, that account waits: it is in ``accepted_by``, and
    ``accepted_at`` is empty until the address or an organiser confirms it.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="invitations", verbose_name=_("club"))
    email = models.EmailField(_("email address"), blank=True)
    role = models.CharField(_("role"), max_length=12, choices=Member.Role)
    player = models.ForeignKey(
        Player, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("plays as")
    )
    salt = models.CharField(max_length=32, default=new_salt, editable=False)
    made_by = models.ForeignKey(
        Account, models.PROTECT, related_name="+", editable=False, verbose_name=_("invited by")
    )
    made_at = models.DateTimeField(_("invited"), default=database_time.now, editable=False)
    expires_at = models.DateTimeField(_("valid until"), default=expiry, editable=False)
    accepted_at = models.DateTimeField(_("accepted"), null=True, editable=False)
    accepted_by = models.ForeignKey(
        Account, models.PROTECT, null=True, related_name="+", editable=False, verbose_name=_("accepted by")
    )
    revoked_at = models.DateTimeField(_("revoked"), null=True, editable=False)

    class Meta:
        ordering: ClassVar = ["-made_at", "id"]
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")

    def __str__(self) -> str:
        return f"{self.email} ({self.get_role_display()})"

    @property
    def is_open(self) -> bool:
        """Return whether it can be accepted now."""
        return self.accepted_at is None and self.revoked_at is None and self.expires_at > database_time.now()

    @property
    def is_waiting(self) -> bool:
        """Return whether an account has opened it and waits for a confirmation."""
        return self.accepted_by_id is not None and self.accepted_at is None and self.revoked_at is None

    def is_for(self, account: Account | None) -> bool:
        """Return whether nothing need confirm that the account is who is invited: it has the address.

        Case counts for nothing, but an ``ß`` isn't ``ss``: those are addresses of two people.
        """
        return not self.email or (account is not None and self.email.lower() == account.email.lower())

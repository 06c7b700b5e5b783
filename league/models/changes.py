"""Who changed what in a club, beside its competitions: a record that is only ever added to."""

from typing import ClassVar

from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from games.models import append_only
from league.models.accounts import Account
from league.models.clubs import Club


class ClubChange(models.Model):
    """One change of a club's own rows: what, of whom, by whom, when."""

    class Kind(models.TextChoices):
        CLUB_MADE = "club_made", _("made the club")
        CLUB_CHANGED = "club_changed", _("changed the club")
        MEMBER_ADDED = "member_added", _("added a member")
        MEMBER_CHANGED = "member_changed", _("changed a member’s role")
        MEMBER_REMOVED = "member_removed", _("removed a member")
        PLAYER_MADE = "player_made", _("made a player")
        PLAYER_CHANGED = "player_changed", _("changed a player")
        INVITED = "invited", _("invited")
        INVITATION_REVOKED = "invitation_revoked", _("revoked an invitation")
        INVITATION_ACCEPTED = "invitation_accepted", _("accepted an invitation")
        APP_MADE = "app_made", _("made an app")
        APP_TOKEN_MADE = "app_token_made", _("made a token of an app")
        APP_TOKEN_REVOKED = "app_token_revoked", _("revoked a token of an app")
        APP_RETIRED = "app_retired", _("retired an app")
        WEBHOOK_MADE = "webhook_made", _("made a webhook")
        WEBHOOK_CHANGED = "webhook_changed", _("changed a webhook")
        WEBHOOK_REMOVED = "webhook_removed", _("removed a webhook")

    club = models.ForeignKey(Club, models.PROTECT, related_name="changes", verbose_name=_("club"))
    kind = models.CharField(_("what"), max_length=30, choices=Kind)
    subject = models.CharField(_("of whom or what"), max_length=200)
    values = models.JSONField(_("values"), default=dict)
    """What each field was and is: ``{field: [before, after]}``. No secrets and no e-mail addresses."""
    account = models.ForeignKey(
        Account, models.PROTECT, null=True, related_name="+", verbose_name=_("account")
    )
    """Who did it; nobody where the house did."""
    at = models.DateTimeField(_("at"), default=now)

    class Meta:
        ordering: ClassVar = ["-at", "-id"]
        verbose_name = _("change")
        verbose_name_plural = _("changes")
        indexes: ClassVar = [models.Index(fields=["club", "-at"])]
        triggers: ClassVar = append_only("club_change")

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.subject}"

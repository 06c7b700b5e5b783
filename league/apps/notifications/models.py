"""What accounts want to be told of: by email, and by which browsers."""

from typing import ClassVar
from uuid import uuid4

from django.contrib.sessions.models import Session
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from league.models import Account, Outgoing


class Kind(models.TextChoices):
    """The kinds of emails that an account chooses, by a field each."""

    ROUND_PUBLISHED = "round_published", _("round published")
    YOUR_TURN = "your_turn", _("your turn")
    REMINDER = "reminder", _("reminder")
    RESULT = "result", _("result")
    GAME_INVITATIONS = "game_invitations", _("invitations to games")
    NOTICE = "notice", _("message of an organiser")
    CHANGED = "changed", _("competition changed or cancelled")
    NEXT_EVENING = "next_evening", _("next evening")
    RESULTS_TO_CONFIRM = "results_to_confirm", _("results to confirm")


class EmailChoices(models.Model):
    """Which emails an account wants; one without a row wants the defaults."""

    account = models.OneToOneField(Account, models.CASCADE, primary_key=True, related_name="email_choices")
    round_published = models.BooleanField(
        _("a round that I play in is published or withdrawn, or a table is opened for me, as by a challenge"),
        default=True,
    )
    your_turn = models.BooleanField(_("it has been my turn for ten minutes"), default=True)
    reminder = models.BooleanField(_("my time at a table is running out"), default=True)
    result = models.BooleanField(_("my table is decided"), default=False)
    game_invitations = models.BooleanField(_("somebody invites me to a game"), default=True)
    notice = models.BooleanField(_("an organiser has a message for those who play"), default=True)
    changed = models.BooleanField(
        _("a competition that I have entered is cancelled, or its settings are changed"), default=True
    )

    next_evening = models.BooleanField(
        _("the next evening of a club of mine is open for entries"), default=True
    )
    results_to_confirm = models.BooleanField(
        _("another club has entered results of a team match, which wait for mine"), default=True
    )

    class Meta:
        db_table = "league_noticechoices"

    def __str__(self) -> str:
        return str(self.account)


class Browser(Outgoing):
    """The address at which a browser takes messages. Its attempts are those in a row that were not taken."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    endpoint = models.CharField(max_length=1000)
    made_at = models.DateTimeField(default=database_time.now)
    told_at = models.DateTimeField(default=database_time.now)
    """Until when the browser is told what happened; of what was before it, nothing is told."""

    class Meta:
        abstract = True


class PushSubscription(Browser):
    """What the browser of a session is told for its account; it goes with the session."""

    session = models.OneToOneField(Session, models.CASCADE, related_name="+")
    account = models.ForeignKey(Account, models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField(max_length=1000, unique=True)
    digest = models.CharField(max_length=64)
    """The account's hash for sessions when it was made: another password makes another one."""

    class Meta:
        db_table = "league_pushsubscription"
        ordering: ClassVar = ["-made_at", "id"]

    def __str__(self) -> str:
        return str(self.pk)

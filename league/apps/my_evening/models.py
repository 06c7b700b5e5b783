"""Who may open which person's evening: a code, stored as a keyed hash; and what browsers are told."""

from typing import ClassVar
from uuid import uuid4

from django.contrib.sessions.models import Session
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import database_time
from league.apps.notifications.models import Browser
from league.models import Account, Competition, Player
from league.ops.secret import new_salt
from league.queries.links import derived, reader_of


class Pass(models.Model):
    """A person's way to the own evening of one competition, for a time.

    Its code is derived from the site's secret and ``salt``; only its keyed hash is stored. A person has one
    that is not revoked.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    competition = models.ForeignKey(Competition, models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    salt = models.CharField(max_length=32, default=new_salt)
    digest = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(Account, models.PROTECT, null=True, related_name="+")
    """Who made it; None for a kiosk."""
    made_at = models.DateTimeField(default=database_time.now)
    reader = models.CharField(max_length=43, blank=True)
    """A keyed hash of who got it by email (`reader_of`): it ends once that is another. Empty for a slip."""
    expires_at = models.DateTimeField(_("good until"))
    opened_at = models.DateTimeField(_("opened"), null=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True)

    class Meta:
        db_table = "my_evening_pass"
        ordering: ClassVar = ["-made_at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["competition", "player"],
                condition=models.Q(revoked_at=None),
                name="one_pass_of_an_evening",
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def is_good(self) -> bool:
        """Return whether it opens the evening now."""
        theirs = not self.reader or self.reader == derived("reader", reader_of(self.player))
        return theirs and self.revoked_at is None and self.expires_at > database_time.now()


class EveningPush(Browser):
    """What the browser of a session is told of the evening of a pass; it goes with either."""

    held = models.ForeignKey(Pass, models.CASCADE, related_name="browsers")
    session = models.ForeignKey(Session, models.CASCADE, related_name="+")
    language = models.CharField(max_length=10)
    """That of the page on which it was asked for."""

    class Meta:
        db_table = "my_evening_push"
        ordering: ClassVar = ["-made_at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["held", "endpoint"], name="one_push_of_a_browser"),
        ]

    def __str__(self) -> str:
        return str(self.pk)

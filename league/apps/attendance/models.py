"""Who comes to an evening: how a club asks, the answers, partners who were asked, and guests."""

from datetime import date
from typing import ClassVar
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games import database_time
from league.models.accounts import Account
from league.models.clubs import Club, Player
from league.models.competitions import Competition
from league.models.names import LineField, nameable
from league.ops.secret import new_salt


class Reply(models.TextChoices):
    """What somebody answers."""

    YES = "yes", pgettext_lazy("I am coming", "Yes")
    GUEST = "guest", _("Yes, with a guest")
    UNSURE = "unsure", _("Not sure yet")
    NO = "no", pgettext_lazy("I am not coming", "No")


COMING = (Reply.YES, Reply.GUEST)


class Wish(models.TextChoices):
    """What somebody wishes or offers beside the answer."""

    PARTNER = "partner", _("I look for a partner")
    FILLS_IN = "fills_in", _("I can fill in")


class Asking(models.Model):
    """How a competition asks who is coming; the club's own row, for all its evenings, has no competition."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="+")
    competition = models.OneToOneField(Competition, models.CASCADE, null=True, related_name="asking")
    asks = models.BooleanField(_("members are asked whether they come"), default=False)
    enters = models.BooleanField(_("who answers “Yes” is entered at once"), default=False)
    days = models.PositiveSmallIntegerField(_("asked by email so many days before"), default=0)
    """0: nobody is asked by email."""
    most_visits = models.PositiveSmallIntegerField(_("guests may come so often"), default=0)
    """0: as often as they like."""
    language = models.CharField(max_length=20, blank=True)
    """Of emails to people without an account."""
    door_salt = models.CharField(max_length=32, blank=True)
    """Part of what the address at the door is derived from; empty where there is none."""
    door_until = models.DateTimeField(null=True)
    door_shown = models.BooleanField(default=False)
    """Whether the hall shows the code of the door, too."""

    class Meta:
        db_table = "league_asking"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["club"], condition=models.Q(competition=None), name="unique_asking_of_club"
            ),
        ]

    def __str__(self) -> str:
        return str(self.competition or self.club)

    @property
    def door_is_open(self) -> bool:
        """Return whether people can say at the door that they are here."""
        return self.door_until is not None and self.door_until > database_time.now()


class Answer(models.Model):
    """What a player answers for an evening, whether asked by email or not; ``seq`` orders the answers of one.

    Where two players became one, the row of the other has no reply: its link leads to that of the one.

    ``by`` is the account that gave it, None for the link of an email. The token of that is derived from the
    site's secret and ``salt``.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    competition = models.ForeignKey(Competition, models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    reply = models.CharField(max_length=8, choices=Reply, blank=True)
    wish = models.CharField(max_length=8, choices=Wish, blank=True)
    seq = models.PositiveIntegerField(null=True)
    at = models.DateTimeField(null=True)
    by = models.ForeignKey(Account, models.SET_NULL, null=True, related_name="+")
    salt = models.CharField(max_length=32, default=new_salt)
    former = models.CharField(max_length=43, blank=True)
    """A keyed hash of the token that its link had before two players became one, and of who reads the
    person's emails since: it is good while that is so."""
    asked_at = models.DateTimeField(null=True)
    reminded_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "league_answer"
        ordering: ClassVar = ["competition", "seq", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["competition", "player"], name="unique_answer_player"),
            models.UniqueConstraint(fields=["competition", "seq"], name="unique_answer_seq"),
        ]

    away_until: date | None = None
    """Until when the player is away who is away on the day of the evening."""

    def __str__(self) -> str:
        return f"{self.player}: {self.reply}"

    @property
    def taken_as(self) -> str:
        """Return the reply, or that somebody does not come who is away and has not answered."""
        return self.reply or (Reply.NO if self.away_until else "")


class PartnerRequest(models.Model):
    """Somebody is asked to play as a partner, or by an organiser, who is no ``asker``, to fill in."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        AGREED = "agreed", _("agreed")
        DECLINED = "declined", _("declined")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    competition = models.ForeignKey(Competition, models.CASCADE, related_name="+")
    asker = models.ForeignKey(Player, models.CASCADE, null=True, related_name="+")
    asked = models.ForeignKey(Player, models.CASCADE, related_name="+")
    status = models.CharField(max_length=8, choices=Status, default=Status.OPEN)
    made_at = models.DateTimeField(default=database_time.now)

    class Meta:
        db_table = "league_partnerrequest"
        ordering: ClassVar = ["made_at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["competition", "asker", "asked"], nulls_distinct=False, name="unique_partner_request"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.asker} {self.asked}"


class Guest(models.Model):
    """Somebody whom a player brings, without a name at first, or who stands at the door and waits.

    ``key`` is that of the form at the door, so that one that is sent twice makes one. ``player`` is who was
    let in.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", _("waits")
        LET_IN = "let_in", _("let in")
        TURNED_AWAY = "turned_away", _("turned away")

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    competition = models.ForeignKey(Competition, models.CASCADE, related_name="+")
    name = LineField(_("name"), max_length=100, blank=True, validators=[nameable])
    brought_by = models.ForeignKey(Player, models.CASCADE, null=True, related_name="+")
    key = models.UUIDField(null=True, blank=True, unique=True)
    status = models.CharField(max_length=12, choices=Status, default=Status.WAITING)
    player = models.ForeignKey(Player, models.CASCADE, null=True, related_name="+")
    made_at = models.DateTimeField(default=database_time.now)
    decided_by = models.ForeignKey(Account, models.SET_NULL, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "league_guest"
        ordering: ClassVar = ["made_at", "id"]
        indexes: ClassVar = [models.Index(fields=["competition", "status"])]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["competition", "brought_by"],
                condition=models.Q(status="waiting"),
                name="unique_guest_waiting",
            ),
        ]

    def __str__(self) -> str:
        return self.who

    @property
    def who(self) -> str:
        """The name or, where it is not known, whose guest it is."""
        by = self.brought_by
        return self.name if self.name or by is None else gettext("Guest of %(who)s") % {"who": by.called}

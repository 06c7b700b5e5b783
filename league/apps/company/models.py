"""Friends, whom somebody does not hear, reports, when people were here, and what tables allow."""

from typing import ClassVar, Final
from uuid import uuid4

from django.core.validators import URLValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Greatest, Least
from django.utils.translation import gettext_lazy as _

from games import database_time
from games.models import Game
from league.models import Account, Club, Competition, Player
from league.models.names import LineField, printable

MOST_WORDS: Final = 500


class Phrase(models.TextChoices):
    """What can be said at a table; none tells cards. `SEEN` points at one, where the rules allow it."""

    HELLO = "hello", _("Hello!")
    LUCK = "luck", _("Good luck!")
    WELL = "well", _("Well played!")
    THANKS = "thanks", _("Thank you!")
    SORRY = "sorry", _("Sorry!")
    MOMENT = "moment", _("One moment, please.")
    BACK = "back", _("I’m back.")
    BYE = "bye", _("See you!")
    APPLAUSE = "applause", "👏"
    SMILE = "smile", "😄"
    SEEN = "seen", _("I have seen this card.")


class Friendship(models.Model):
    """That one account asked another to be friends; they are from when that was accepted."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    asks = models.ForeignKey(Account, models.CASCADE, related_name="+")
    asked = models.ForeignKey(Account, models.CASCADE, related_name="+")
    asked_at = models.DateTimeField(default=database_time.now)
    accepted_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "company_friendship"
        ordering: ClassVar = ["asked_at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(Least("asks", "asked"), Greatest("asks", "asked"), name="one_friendship"),
            models.CheckConstraint(condition=~Q(asks=F("asked")), name="friend_of_another"),
        ]

    def __str__(self) -> str:
        return str(self.id)


class Muted(models.Model):
    """That one account hears nothing of what another says; where it ``blocks``, neither meets the other."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    by = models.ForeignKey(Account, models.CASCADE, related_name="+")
    other = models.ForeignKey(Account, models.CASCADE, related_name="+")
    blocks = models.BooleanField(default=False)
    at = models.DateTimeField(default=database_time.now)

    class Meta:
        db_table = "company_muted"
        ordering: ClassVar = ["at", "id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["by", "other"], name="muted_once")]

    def __str__(self) -> str:
        return str(self.id)


class Report(models.Model):
    """What a member told the organisers of a club about one of its players, who never learns who did."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="+", verbose_name=_("club"))
    by = models.ForeignKey(Account, models.CASCADE, related_name="+", verbose_name=_("reported by"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="+", verbose_name=_("about"))
    game = models.ForeignKey(
        Game, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("game")
    )
    words = LineField(_("what happened"), max_length=MOST_WORDS, validators=[printable])
    at = models.DateTimeField(_("reported"), default=database_time.now)
    settled_at = models.DateTimeField(_("settled"), null=True, blank=True)
    settled_by = models.ForeignKey(
        Account, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("settled by")
    )

    class Meta:
        db_table = "company_report"
        ordering: ClassVar = ["-at", "id"]
        verbose_name = _("report of a person")
        verbose_name_plural = _("reports of people")

    def __str__(self) -> str:
        return f"{self.player} {self.at:%Y-%m-%d}"


class Presence(models.Model):
    """When an account was here last, whether others see that, and how often it has spoken lately."""

    account = models.OneToOneField(Account, models.CASCADE, primary_key=True, related_name="+")
    at = models.DateTimeField(default=database_time.now)
    hidden = models.BooleanField(default=False)
    said_since = models.DateTimeField(default=database_time.now)
    said = models.PositiveSmallIntegerField(default=0)

    class Meta:
        db_table = "company_presence"
        ordering: ClassVar = ["account"]

    def __str__(self) -> str:
        return str(self.account_id)


class ClubCompany(models.Model):
    """What a club offers its players beside games: a room for voice or chat, and set phrases."""

    club = models.OneToOneField(Club, models.CASCADE, primary_key=True, related_name="+")
    room = models.URLField(
        _("room for voice or chat"),
        max_length=500,
        blank=True,
        validators=[URLValidator(schemes=["https"])],
        help_text=_("A link that begins with https, shown to the players at the club’s tables; empty: none."),
    )
    phrases = models.BooleanField(_("players can say set phrases at tables"), default=True)

    class Meta:
        db_table = "company_club"
        ordering: ClassVar = ["club"]

    def __str__(self) -> str:
        return str(self.club)


class QuietCompetition(models.Model):
    """That nobody says anything at the tables of a competition."""

    competition = models.OneToOneField(Competition, models.CASCADE, primary_key=True, related_name="+")

    class Meta:
        db_table = "company_quiet"
        ordering: ClassVar = ["competition"]

    def __str__(self) -> str:
        return str(self.competition)

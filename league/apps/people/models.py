"""People as a club knows them: since when, as what, in which categories; and who has a duty on an evening.

All of it is for the club's organisers: it is shown on the desk, and to the person.
"""

from typing import ClassVar
from uuid import uuid4

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from league.models import Club, Competition, Player
from league.models.names import LineField, nameable, printable
from league.ops.secret import new_salt

EARLIEST, LATEST = 1900, 2100
_YEAR = (MinValueValidator(EARLIEST), MaxValueValidator(LATEST))


class Person(models.Model):
    """What a club knows of one of its players besides name and contact."""

    player = models.OneToOneField(
        Player, models.CASCADE, primary_key=True, related_name="person", verbose_name=_("player")
    )
    club = models.ForeignKey(Club, models.CASCADE, related_name="+", editable=False)
    born = models.PositiveSmallIntegerField(_("year of birth"), null=True, blank=True, validators=_YEAR)
    pass_number = LineField(_("pass number"), max_length=40, blank=True, default="", validators=[printable])
    left_on = models.DateField(_("left on"), null=True, blank=True)
    died = models.BooleanField(_("has died"), default=False)
    salt = models.CharField(max_length=32, default=new_salt, editable=False)
    """What the commitment in the club's record was made with; it is new at every change."""

    class Meta:
        db_table = "people_person"
        ordering: ClassVar = ["player"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["club", "pass_number"],
                condition=~Q(pass_number=""),
                name="unique_pass_number",
                violation_error_message=_("Another player of the club has this pass number."),
            ),
            models.CheckConstraint(
                condition=Q(died=False) | Q(left_on__isnull=False), name="who_died_has_left"
            ),
        ]

    def __str__(self) -> str:
        return str(self.player)


class Rule(models.TextChoices):
    """How people come into a category."""

    TICKED = "ticked", _("people are ticked")
    BORN = "born", _("by year of birth")
    AGE = "age", _("by the age that somebody reaches in the year")
    FIRST = "first", _("by evenings: the first ones that somebody plays")
    SINCE = "since", _("by date: members since then")


class Category(models.Model):
    """A category of people that a club defines, such as juniors or a B group.

    ``least`` and ``most`` are years of birth, ages, or the number of evenings, as its rule says.
    """

    Rule = Rule

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="+", editable=False)
    name = LineField(_("name"), max_length=60, validators=[nameable])
    rule = models.CharField(_("who is in it"), max_length=10, choices=Rule, default=Rule.TICKED)
    least = models.PositiveSmallIntegerField(_("from"), null=True, blank=True)
    most = models.PositiveSmallIntegerField(_("to"), null=True, blank=True)
    since = models.DateField(_("since"), null=True, blank=True)

    class Meta:
        db_table = "people_category"
        ordering: ClassVar = ["name", "id"]
        verbose_name = _("category")
        verbose_name_plural = _("categories")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["club", "name"],
                name="unique_category_name",
                violation_error_message=_("The club has a category of this name."),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Standing(models.TextChoices):
    """What somebody is in a club for a while."""

    MEMBER = "member", _("member")
    GUEST = "guest", _("guest")
    PAID = "paid", _("paid up")


class Period(models.Model):
    """That a player is a member, a guest, paid up or in a ticked category, from one day to another.

    Either ``standing`` or ``category`` says what; a day that is missing leaves the period open.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="periods", verbose_name=_("player"))
    standing = models.CharField(_("what"), max_length=10, choices=Standing, blank=True, default="")
    category = models.ForeignKey(
        Category, models.CASCADE, null=True, related_name="periods", verbose_name=_("category")
    )
    since = models.DateField(_("from"), null=True, blank=True)
    until = models.DateField(_("until"), null=True, blank=True)

    class Meta:
        db_table = "people_period"
        ordering: ClassVar = ["player", F("since").asc(nulls_first=True), "id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(standing="") ^ Q(category=None), name="a_period_is_of_one_kind"
            ),
            models.CheckConstraint(
                condition=Q(since=None) | Q(until=None) | Q(since__lte=F("until")), name="a_period_has_days"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.standing or self.category} {self.since} – {self.until}"

    @property
    def what(self) -> str:
        """Return the standing, or ``category``."""
        return self.standing or "category"


# ---- Duties --------------------------------------------------------------------------------------


class Duty(models.Model):
    """Something that somebody does on each evening of a club: the key, the cash, the lists."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="+", editable=False)
    name = LineField(_("name"), max_length=60, validators=[nameable])

    class Meta:
        db_table = "people_duty"
        ordering: ClassVar = ["name", "id"]
        verbose_name = _("duty")
        verbose_name_plural = _("duties")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["club", "name"],
                name="unique_duty_name",
                violation_error_message=_("The club has a duty of this name."),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class OnRota(models.Model):
    """Somebody who takes turns at a duty.

    ``ahead`` is how many turns whoever had the fewest had when this one joined: a newcomer need not catch up.
    """

    duty = models.ForeignKey(Duty, models.CASCADE, related_name="rota")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    ahead = models.PositiveIntegerField(default=0)

    class Meta:
        db_table = "people_onrota"
        ordering: ClassVar = ["duty", "player"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["duty", "player"], name="once_on_a_rota"),
        ]

    def __str__(self) -> str:
        return f"{self.duty}: {self.player}"


class Turn(models.Model):
    """Who has a duty at a competition."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    duty = models.ForeignKey(Duty, models.CASCADE, related_name="turns")
    competition = models.ForeignKey(Competition, models.CASCADE, related_name="duties")
    player = models.ForeignKey(Player, models.CASCADE, related_name="duties")

    class Meta:
        db_table = "people_turn"
        ordering: ClassVar = ["competition", "duty"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["duty", "competition"], name="one_turn_at_a_duty"),
        ]

    def __str__(self) -> str:
        return f"{self.duty}: {self.player}"

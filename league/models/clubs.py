"""Clubs: who may do what in them, who plays, who is invited, and the record of what was changed."""

import re
from datetime import date, datetime, timedelta
from typing import Any, ClassVar, Final, TypeAlias
from uuid import uuid4
from zoneinfo import ZoneInfo

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games import database_time
from games.engine import clocks
from games.engine.messages import Message, filled
from games.engine.refusals import Malformed
from games.engine.textinput import in_ascii
from games.models import append_only
from league import choices
from league.core.public_names import NEUTRAL
from league.models.accounts import Account
from league.models.names import SEARCH_LENGTH, LineField, ReadableField, known_zone, nameable, printable
from league.models.readers import name_for
from league.ops.secret import new_salt

# ---- Clubs ---------------------------------------------------------------------------------------

_ORIGIN: Final = re.compile(r"https?://[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?/?", re.IGNORECASE)
MOST_SITES: Final = 10


def origin(text: str) -> None:
    """Raise ValidationError for what is not the origin of a website: scheme, host, and maybe a port."""
    if not _ORIGIN.fullmatch(text):
        raise ValidationError(
            _("This is not the address of a website, such as https://www.example.org."), code="malformed"
        )


def quiet_hours(text: str) -> None:
    """Raise ValidationError for hours that a clock cannot keep quiet."""
    try:
        clocks.read({"quiet": text})
    except Malformed as refusal:
        ((sentence,),) = refusal.errors.values()
        raise ValidationError(_in_words(sentence), code="malformed") from None


def _in_words(sentence: str) -> str:
    """Return a clock's sentence in the active language."""
    if not isinstance(sentence, Message):
        return gettext(sentence)
    parts = sentence.params.items()
    params = {name: _in_words(part) if isinstance(part, Message) else part for name, part in parts}
    return filled(gettext(sentence.id), params)


class _HoursField(ReadableField):
    """Hours of a clock, kept and read as its settings have them: with the digits and signs of ASCII."""

    def to_python(self, value: Any) -> Any:
        return in_ascii(value) if isinstance(value, str) else value

    def from_db_value(self, value: str | None, *_how: object) -> str:
        # None where a row has no club, and the query asks for it all the same.
        return super().from_db_value(in_ascii(value or ""))


class Club(models.Model):
    """A card club. Times on its pages are in its zone; what is for one reader is in that of the reader."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    slug = models.SlugField(_("address"), max_length=60, unique=True)
    name = LineField(
        _("name"),
        max_length=100,
        validators=[nameable],
        help_text=_("The address of the club’s pages follows the name. Earlier addresses keep working."),
    )
    timezone = ReadableField(_("time zone"), max_length=60, default="UTC", validators=[known_zone])
    quiet = _HoursField(
        _("quiet hours"),
        max_length=11,
        blank=True,
        default="22:00-07:00",
        validators=[quiet_hours],
        help_text=_(
            "Hours such as 22:00-07:00 in which no email is sent; empty: emails are sent at any time."
        ),
    )
    mail_note = LineField(
        _("sentence in emails"),
        max_length=300,
        blank=True,
        validators=[printable],
        help_text=_("Shown below every email about the club’s games: where you meet, whom to ask."),
    )
    bots = ArrayField(
        models.CharField(max_length=12, choices=choices.BotsPlay),
        verbose_name=_("bots may play"),
        default=choices.casual_only,
        blank=True,
        help_text=_("A bot is a program that plays by itself. It is marked wherever its name is shown."),
    )
    names = models.CharField(
        _("names on public pages"),
        max_length=10,
        choices=choices.NamesShown,
        default=choices.NamesShown.FULL,
        db_default=choices.NamesShown.FULL,
        help_text=_(
            "What others than members read of your people’s names. Each person may choose otherwise. "
            "Copies that were taken before cannot be recalled."
        ),
    )
    paper = models.CharField(
        _("paper"),
        max_length=6,
        choices=choices.PaperSize,
        default=choices.PaperSize.A4,
        db_default=choices.PaperSize.A4,
        help_text=_("What your printer has: score sheets, lists and certificates are made for it."),
    )
    embed_on = ArrayField(
        models.CharField(max_length=200, validators=[origin]),
        size=MOST_SITES,
        verbose_name=_("websites that may embed games"),
        default=list,
        blank=True,
        help_text=_(
            "Addresses such as https://www.example.org, one a line. They may show finished games in a frame."
        ),
    )
    created_at = models.DateTimeField(_("made"), default=database_time.now, editable=False)

    class Meta:
        ordering: ClassVar = ["name", "id"]
        verbose_name = _("club")
        verbose_name_plural = pgettext_lazy("of members", "clubs")

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.timezone)

    @property
    def today(self) -> date:
        """The day that it is in the club."""
        return database_time.now().astimezone(self.zone).date()


class FormerAddress(models.Model):
    """An address that a club had under an earlier name; it leads there, and no other club can have it."""

    slug = models.SlugField(_("address"), max_length=60, primary_key=True)
    club = models.ForeignKey(Club, models.CASCADE, related_name="former_addresses", verbose_name=_("club"))

    class Meta:
        ordering: ClassVar = ["slug"]

    def __str__(self) -> str:
        return self.slug


class Member(models.Model):
    """An account's role in a club; one role a club."""

    Role: TypeAlias = choices.MemberRole

    club = models.ForeignKey(Club, models.CASCADE, related_name="members", verbose_name=_("club"))
    account = models.ForeignKey(
        Account, models.CASCADE, related_name="memberships", verbose_name=_("account")
    )
    role = models.CharField(_("role"), max_length=12, choices=Role)
    agrees_to_games = models.BooleanField(
        _("casual games begin without asking"), default=False, editable=False
    )
    """Whether other members may open casual games with this one that begin at once."""

    class Meta:
        ordering: ClassVar = ["club", "account"]
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "account"], name="unique_membership_account"),
        ]

    def __str__(self) -> str:
        return f"{self.account} ({self.get_role_display()})"


# The record that `verify_logs` compares with the rows (`PlayerRecord`).
_RECORD: Final = """
IF TG_OP = 'UPDATE' THEN
    IF (OLD.account_id, OLD.merged_into_id, OLD.anonymous)
        IS NOT DISTINCT FROM (NEW.account_id, NEW.merged_into_id, NEW.anonymous) THEN
        RETURN NULL;
    END IF;
ELSIF TG_OP = 'DELETE' THEN
    NEW = OLD;
    NEW.account_id = NULL;
    NEW.anonymous = true;
END IF;
INSERT INTO league_playerrecord (player, seq, club, account, merged_into, removed, at)
SELECT NEW.id, 1 + count(*), NEW.club_id, NEW.account_id, NEW.merged_into_id, NEW.anonymous,
    clock_timestamp()
FROM league_playerrecord WHERE player = NEW.id;
RETURN NULL;
"""


_RECORDED: Final = pgtrigger.UpdateOf("account_id", "merged_into_id", "anonymous")  # type: ignore[no-untyped-call]
_RENAMED: Final = pgtrigger.UpdateOf("search_name")  # type: ignore[no-untyped-call]
_SORTED: Final = r"""
NEW.sort_name = regexp_replace(
    regexp_replace(NEW.search_name, '([0-9]+)', '000000000\1', 'g'), '[0-9]*([0-9]{10})', '\1', 'g'
);
RETURN NEW;
"""


class Player(models.Model):
    """A person who plays in a club, with or without an account."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="players", verbose_name=_("club"))
    name = LineField(_("name"), max_length=100, validators=[nameable])
    search_name = models.CharField(max_length=SEARCH_LENGTH, editable=False)
    sort_name = models.TextField(editable=False, db_default="")
    """By which lists are in order: the `search_name` with numbers of ten digits, written by the database."""
    account = models.ForeignKey(
        Account, models.SET_NULL, null=True, blank=True, related_name="players", verbose_name=_("account")
    )
    active = models.BooleanField(_("active"), default=True)
    merged_into = models.ForeignKey(
        "self", models.CASCADE, null=True, related_name="merged", editable=False, verbose_name=_("is now")
    )
    """The player who has this one's results. This row only says so, for logs that name it."""
    bot = models.BooleanField(_("bot"), default=False, editable=False)
    """Whether the player was ever linked to the account of a bot: its results are a program's."""
    anonymous = models.BooleanField(default=False, editable=False)
    """Whether the person was removed: results remain, under a name that says nothing."""
    audience = models.CharField(
        _("shown to"),
        max_length=10,
        choices=choices.Audience,
        default=choices.Audience.EVERYBODY,
        editable=False,
    )
    """Who finds the player in lists, and sees results, ratings and meetings collected by player."""
    appeared = models.BooleanField(default=False, db_default=False, editable=False)
    """Whether the player has played or is entered in the club (`league.projections.appearing`)."""
    unplayed = models.BooleanField(default=False, db_default=False, editable=False)
    """Whether a log of the club names the player, who left before playing: by the number in public."""
    findable = models.BooleanField(_("found by search in all clubs"), default=False, editable=False)
    names = models.CharField(
        _("my name on public pages"),
        max_length=10,
        choices=choices.NamesShown,
        blank=True,
        default="",
        db_default="",
        editable=False,
    )
    """What of the name everybody may read; empty: what the club says."""
    number = models.PositiveIntegerField(null=True, editable=False)
    """The number in the club of who is not shown by the whole name; it never changes."""
    public_name = models.CharField(max_length=110, db_default="", editable=False)
    """What the public reads for the name (`league.projections.public_names`)."""
    calendar_salt = models.CharField(max_length=32, blank=True, db_default="", editable=False)
    """Part of what the token of the player's secret calendar is derived from."""
    created_at = models.DateTimeField(_("made"), default=database_time.now, editable=False)
    changed_at = models.DateTimeField(_("changed"), default=database_time.now, editable=False)

    class Meta:
        ordering: ClassVar = ["sort_name", "id"]
        verbose_name = _("player")
        verbose_name_plural = _("players")
        # Players are changed in many places, also many in one statement.
        triggers: ClassVar = [
            pgtrigger.Trigger(
                name="player_recorded",
                operation=pgtrigger.Insert | _RECORDED | pgtrigger.Delete,
                when=pgtrigger.After,
                func=_RECORD,
            ),
            pgtrigger.Trigger(
                name="player_changed",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                condition=pgtrigger.Condition("OLD.* IS DISTINCT FROM NEW.*"),
                func="NEW.changed_at = clock_timestamp(); RETURN NEW;",
            ),
            # Triggers run in the order of their names: this one before the one above.
            pgtrigger.Trigger(
                name="player_by_name",
                operation=pgtrigger.Insert | _RENAMED,
                when=pgtrigger.Before,
                func=_SORTED,
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["club", "search_name"]),
            models.Index(fields=["club", "sort_name"]),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["club", "account"],
                name="unique_player_account",
                violation_error_message=_("This account is another player of the club already."),
            ),
            # Of a whole index the number would be part of a key, and who gets one could not be entered then.
            models.UniqueConstraint(
                fields=["club", "number"],
                condition=models.Q(number__isnull=False),
                name="unique_player_number",
            ),
        ]

    def __str__(self) -> str:
        return self.called

    @property
    def called(self) -> str:
        """Return the name for who reads."""
        return name_for(self.name, self.public_name, self.club_id, self.account_id)

    @property
    def is_named(self) -> bool:
        """Return whether who reads is told the whole name."""
        return self.called == self.name

    @property
    def has_page(self) -> bool:
        """Return whether a page opens for who reads: none does where the name is for the club's people."""
        return self.is_named or self.public_name != NEUTRAL.format(self.number)


class PlayerRecord(models.Model):
    """Who a player is, noted by the database whenever that changes: the account, and the player merged into.

    The record of a player who is ``removed`` keeps that one's salt: by it alone may those before have none.

    ``seq`` counts a player's records. A row of `Player` that says anything else was changed by nobody.
    """

    player = models.UUIDField()
    seq = models.PositiveIntegerField()
    club = models.UUIDField()
    account = models.UUIDField(null=True)
    merged_into = models.UUIDField(null=True)
    removed = models.BooleanField()
    at = models.DateTimeField(db_index=True)

    class Meta:
        ordering: ClassVar = ["player", "seq"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "seq"], name="unique_player_record"),
        ]
        triggers: ClassVar = append_only("player_record")

    def __str__(self) -> str:
        return f"{self.player} {self.seq}"


# ---- Apps ----------------------------------------------------------------------------------------


class App(models.Model):
    """A program that acts for a club, by an account with a role in the club."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="apps", verbose_name=_("club"))
    account = models.OneToOneField(
        Account, models.PROTECT, related_name="app", editable=False, verbose_name=_("account")
    )
    name = LineField(_("name"), max_length=60, validators=[nameable])
    made_at = models.DateTimeField(_("made"), default=database_time.now, editable=False)
    retired_at = models.DateTimeField(_("retired"), null=True, editable=False)

    class Meta:
        ordering: ClassVar = ["name", "id"]
        verbose_name = _("app")
        verbose_name_plural = _("apps")

    def __str__(self) -> str:
        return self.name


# ---- Invitations ---------------------------------------------------------------------------------

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
        return f"{self.email or _('by link')} ({self.get_role_display()})"

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


# ---- Record of changes -----------------------------------------------------------------------------


class ClubChange(models.Model):
    """One change of a club's own rows: what, of whom, by whom, when."""

    Kind: TypeAlias = choices.ChangeKind

    club = models.ForeignKey(Club, models.PROTECT, related_name="changes", verbose_name=_("club"))
    kind = models.CharField(_("what"), max_length=30, choices=Kind)
    subject = models.CharField(_("about"), max_length=200)
    values = models.JSONField(_("values"), default=dict)
    """What each field was and is: ``{field: [before, after]}``. No secrets and no email addresses."""
    account = models.ForeignKey(
        Account, models.PROTECT, null=True, related_name="+", verbose_name=_("account")
    )
    """Who did it; nobody where the server did."""
    about = models.UUIDField(null=True, editable=False)
    """The player or account of which the change says what is so from here on."""
    at = models.DateTimeField(_("at"), default=database_time.asked)

    class Meta:
        ordering: ClassVar = ["-at", "-id"]
        verbose_name = _("change")
        verbose_name_plural = _("changes")
        indexes: ClassVar = [models.Index(fields=["club", "-at"]), models.Index(fields=["at"])]
        triggers: ClassVar = append_only("club_change")

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.subject}"

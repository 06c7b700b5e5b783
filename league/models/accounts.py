"""Who can log in, with what and from where, and what concerns an account."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import ClassVar, Final, Protocol, TypeAlias
from uuid import UUID, uuid4

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import database_time
from games.engine.messages import filled, text
from league import choices
from league.choices import unbundled
from league.models.names import LineField, ReadableField, known_zone, leads_nowhere, nameable

# ---- Accounts ------------------------------------------------------------------------------------

Condition: TypeAlias = tuple[str, Mapping[str, str]]
"""A condition in SQL, and its parameters."""


class Credential(Protocol):
    """By what a program calls as an account; its scopes limit what the account may do."""

    @property
    def account(self) -> Account: ...
    @property
    def account_id(self) -> UUID: ...
    @property
    def scopes(self) -> Sequence[str]: ...
    @property
    def last_used_at(self) -> datetime | None: ...
    def live(self) -> Condition:
        """Return the condition that it is good now, and still has these scopes."""


class ScopeMissing(PermissionDenied):
    """The token by which the account calls has none of the needed ``scopes``."""

    def __init__(self, scopes: tuple[str, ...]) -> None:
        names = gettext(" or ").join(scopes)
        super().__init__(filled(gettext("This needs a token with the scope %(scopes)s."), {"scopes": names}))
        self.scopes = scopes


class Account(AbstractUser):
    """A person or a program that can log in. Its memberships of clubs say what it may do.

    ``token`` is that by which the account calls, a token of its own or of a connected program, whose scopes
    limit what it may do now; None where the person itself calls, or the server.
    """

    token: Credential | None = None

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    language = models.CharField(_("language"), max_length=10, blank=True, editable=False)
    timezone = ReadableField(
        _("time zone"), max_length=60, blank=True, editable=False, validators=[known_zone]
    )
    """In which the account sees times of its games; empty: in that of each club."""
    bot = models.BooleanField(_("bot"), default=False, editable=False)
    """Whether a program plays by itself with this account; once said, for good."""

    def clean(self) -> None:
        """Raise ValidationError for a name that emails would show as a link."""
        super().clean()
        try:
            leads_nowhere(self.username, user=True)
        except ValidationError as error:
            raise ValidationError({"username": error}) from None

    def has_scope(self, *scopes: str) -> bool:
        """Return whether the account may do now what needs one of the scopes, so far as its token goes."""
        return self.token is None or not unbundled(*self.token.scopes).isdisjoint(scopes)

    def require_scope(self, *scopes: str) -> None:
        """Raise `ScopeMissing` where the account calls by a token that has none of the scopes."""
        if not self.has_scope(*scopes):
            raise ScopeMissing(scopes)

    def require_person(self) -> None:
        """Raise PermissionDenied where the account calls by a token: only the person may do this."""
        if self.token is not None:
            raise PermissionDenied(
                text("Log in on the web to do this. A token can’t create or revoke other tokens.")
            )


_LIVE: Final = """EXISTS (
    SELECT FROM league_token AS token JOIN league_account AS account ON account.id = token.account_id
    WHERE token.id = %(token)s::text::uuid AND token.digest = %(digest)s::text
        AND token.scopes = %(scopes)s::text::varchar[] AND token.revoked_at IS NULL AND account.is_active
        AND (token.expires_at IS NULL OR token.expires_at > statement_timestamp())
)"""


class Token(models.Model):
    """A token of the API, of which only a hash is stored."""

    Scope: TypeAlias = choices.TokenScope

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    account = models.ForeignKey(Account, models.CASCADE, related_name="tokens", verbose_name=_("account"))
    name = LineField(_("name"), max_length=80, validators=[nameable])
    digest = models.CharField(max_length=64, unique=True, editable=False)
    scopes = ArrayField(models.CharField(max_length=20, choices=Scope), verbose_name=_("scopes"))
    created_at = models.DateTimeField(_("made"), default=database_time.now, editable=False)
    expires_at = models.DateTimeField(_("expires"), null=True, editable=False)
    """When it stops working; None for never."""
    last_used_at = models.DateTimeField(_("last used"), null=True, editable=False)
    revoked_at = models.DateTimeField(_("revoked"), null=True, editable=False)

    class Meta:
        ordering: ClassVar = ["-created_at", "id"]
        verbose_name = _("token")
        verbose_name_plural = _("tokens")

    def __str__(self) -> str:
        return self.name

    @property
    def has_expired(self) -> bool:
        """Return whether its time is over."""
        return self.expires_at is not None and self.expires_at <= database_time.now()

    def live(self) -> Condition:
        """Return the condition that the token is good now, and still has these scopes."""
        scopes = f"{{{','.join(self.scopes)}}}"
        return _LIVE, {"token": str(self.pk), "digest": self.digest, "scopes": scopes}


class MadeOnce(models.Model):
    """A key that an account sent with a request, and what was made for it; kept for a day."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    asked = models.CharField(max_length=64)
    """SHA-256 of the request: the same key with another request is a mistake."""
    made = models.UUIDField(null=True)
    at = models.DateTimeField(default=database_time.now, db_index=True)

    class Meta:
        ordering: ClassVar = ["-at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "key"], name="unique_idempotency_key"),
        ]

    def __str__(self) -> str:
        return self.key


# ---- Account events ------------------------------------------------------------------------------


class AccountFeed(models.Model):
    """The numbers of an account's events: the last that was given, and the last that is kept no more.

    The row is there once somebody has read the account's events, and is the lock under which they are
    numbered.
    """

    account = models.OneToOneField(Account, models.CASCADE, primary_key=True, related_name="+")
    last = models.PositiveIntegerField(default=0)
    dropped = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["account"]

    def __str__(self) -> str:
        return f"{self.account_id} {self.last}"


class AccountEvent(models.Model):
    """Something that concerns an account; ``about`` names it by ids that everybody may know.

    It has no number until it is read: transactions end in another order than they begin in, and a reader must
    never find a number below one that it has seen. No account has two events with one ``key``.
    """

    Kind: TypeAlias = choices.AccountEventKind

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    seq = models.PositiveIntegerField(null=True)
    key = models.CharField(max_length=100, null=True)  # noqa: DJ001 - null is no key
    kind = models.CharField(max_length=24, choices=Kind)
    about = models.JSONField(default=dict)
    at = models.DateTimeField(default=database_time.now, db_index=True)

    class Meta:
        ordering: ClassVar = ["account", "seq", "id"]
        indexes: ClassVar = [
            models.Index(fields=["account"], condition=models.Q(seq=None), name="account_events_unread"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "seq"], name="unique_account_event_seq"),
            models.UniqueConstraint(fields=["account", "key"], name="unique_account_event_key"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.seq}"


# ---- Log-ins --------------------------------------------------------------------------------------


class FailedLogIns(models.Model):
    """How often log-ins failed in a row with one name, from one address, or with one from the other.

    The key is a keyed hash: neither names nor addresses are stored.
    """

    key = models.CharField(max_length=64, primary_key=True)
    count = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField(default=database_time.now, db_index=True)

    class Meta:
        ordering: ClassVar = ["-last_at", "key"]

    def __str__(self) -> str:
        return self.key[:8]


class KnownPlace(models.Model):
    """An address or a device from which an account has logged in, as a keyed hash."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)
    last_at = models.DateTimeField(default=database_time.now, db_index=True)

    class Meta:
        ordering: ClassVar = ["-last_at", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "digest"], name="unique_known_place"),
        ]

    def __str__(self) -> str:
        return self.digest[:8]


class LogIn(models.Model):
    """A session of an account on the web, and the browser in which it began; it goes with the session."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    session = models.OneToOneField(Session, models.CASCADE, related_name="+")
    account = models.ForeignKey(Account, models.CASCADE, related_name="log_ins")
    browser = models.CharField(max_length=20, blank=True)
    system = models.CharField(max_length=20, blank=True)
    at = models.DateTimeField(default=database_time.now)

    class Meta:
        ordering: ClassVar = ["-at", "id"]

    def __str__(self) -> str:
        return f"{self.account} ({self.browser})"


class Passkey(models.Model):
    """A passkey of an account (WebAuthn): the public half of a key that is on a device of the person."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    account = models.ForeignKey(Account, models.CASCADE, related_name="passkeys")
    name = LineField(_("name"), max_length=80, validators=[nameable])
    credential = models.CharField(max_length=1400, unique=True)
    """The id by which the device knows it, as base64url."""
    public_key = models.BinaryField()
    uses = models.BigIntegerField(default=0)
    """The device's count of uses; 0 where it keeps none."""
    made_at = models.DateTimeField(default=database_time.now, editable=False)
    last_used_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering: ClassVar = ["-made_at", "id"]
        verbose_name = _("passkey")
        verbose_name_plural = _("passkeys")

    def __str__(self) -> str:
        return self.name

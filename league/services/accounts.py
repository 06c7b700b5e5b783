"""Accounts and their tokens."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from typing import Final

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q

from games import database_time
from games.engine.messages import text
from games.engine.refusals import Illegal, Malformed
from games.models import Seat
from league import hooks
from league.choices import TokenScope
from league.models import Account, EntryPlayer, Player, Token
from league.models.accounts import Credential
from league.models.names import known_zone
from league.services.checking import check

_PREFIX: Final = "trefoil_"  # by which people and secret scanners know a token
_NOTED_EVERY: Final = timedelta(minutes=1)
YEAR: Final = 365
"""The days that a token works unless others are chosen."""
_MOST_DAYS: Final = 3660


def create_account(
    *, username: str, password: str | None = None, email: str = "", language: str = "", bot: bool = False
) -> Account:
    """Return a new account; without a password it can only use tokens. Raises `Malformed`."""
    account = Account(username=Account.normalize_username(username), email=email, language=language, bot=bot)
    if password is not None:
        _check_password(password, account)
    account.set_password(password)
    try:
        with transaction.atomic():
            check(account)
            account.save(force_insert=True)
    except IntegrityError:
        raise Malformed({"username": [text("This name is taken.")]}) from None
    return account


@transaction.atomic
def declare_bot(*, by: Account) -> Account:
    """Say of the account, once and for good, that a program plays by itself with it; again changes nothing.

    Its players are bots from then on. Raises `Illegal` for an account that has played, or entered a
    competition: its games were a person's.
    """
    by.require_scope(TokenScope.PLAY_ENTER)
    account = Account.objects.select_for_update(no_key=True).get(pk=by.pk)
    if not account.bot:
        if (
            Seat.objects.filter(account=by.pk).exists()
            or EntryPlayer.objects.filter(player__account=by).exists()
        ):
            raise Illegal("This account has played already. Use a new one for the bot.")
        account.bot = True
        account.save(update_fields=["bot"])
        Player.objects.filter(account=by).update(bot=True)
    return account


def choose_language(*, by: Account, language: str) -> None:
    """Keep the language of the account's pages and emails."""
    by.language = language
    by.save(update_fields=["language"])


def keep_language(*, by: Account, language: str) -> None:
    """Keep the language in which the account logs in as its own, unless it has one already."""
    if not by.language:
        choose_language(by=by, language=language)


def choose_zone(*, by: Account, timezone: str) -> None:
    """Keep the time zone in which the account sees times of its games, ``""`` for that of each club.

    Raises `Malformed` for a name that is no zone's.
    """
    if timezone:
        try:
            known_zone(timezone)
        except ValidationError as error:
            raise Malformed({"timezone": error.messages}) from None
    by.timezone = timezone
    by.save(update_fields=["timezone"])


def _check_password(password: str, account: Account) -> None:
    try:
        validate_password(password, account)
    except ValidationError as error:
        raise Malformed({"password": error.messages}) from None


@dataclass(frozen=True)
class NewToken:
    """A token and its secret, which is shown once and stored nowhere."""

    token: Token
    secret: str = field(repr=False)


def create_token(*, by: Account, name: str, scopes: Sequence[str], days: int | None = YEAR) -> NewToken:
    """Return a new token of the account with its secret; it works so many days, or for good with None.

    Raises `Malformed`.
    Raises PermissionDenied where the account calls by a token: it can't make another, with more scopes.
    """
    by.require_person()
    if days is not None and not 1 <= days <= _MOST_DAYS:
        raise Malformed({"days": [text("This must be from 1 to %(most)d.", most=_MOST_DAYS)]})
    secret = _PREFIX + secrets.token_urlsafe(32)
    ends = None if days is None else database_time.now() + timedelta(days=days)
    token = Token(account=by, name=name, digest=_digest(secret), scopes=sorted({*scopes}), expires_at=ends)
    check(token)
    token.save(force_insert=True)
    return NewToken(token, secret)


def revoke_token(*, by: Account, token: Token) -> Token:
    """Revoke a token of the account for good; a second time changes nothing. A token may revoke itself.

    Raises PermissionDenied.
    """
    if token.account_id != by.pk:
        raise PermissionDenied(text("Only the token's own account may revoke it."))
    if by.token != token:
        by.require_person()
    Token.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=database_time.now())
    token.refresh_from_db()
    return token


def revoke_all_tokens(*, by: Account) -> int:
    """Revoke all tokens of the account, and return how many worked until now; raises PermissionDenied."""
    by.require_person()
    return Token.objects.filter(account=by, revoked_at=None).update(revoked_at=database_time.now())


def use_token(*, secret: str) -> Credential | None:
    """Return the token of a secret, with its account, which calls by it.

    The use of an account's own token is noted to the minute. None for a secret that is unknown, revoked or
    expired, or whose account may not log in.
    """
    digest = _digest(secret)
    found = (find(digest) for find in (_own_token, *hooks.CREDENTIALS))
    token = next((each for each in found if each), None)
    if token is not None:
        token.account.token = token
        _KEPT(digest).token = token
    return token


def _own_token(digest: str) -> Token | None:
    live = Token.objects.select_related("account").filter(revoked_at=None, account__is_active=True)
    token = live.filter(digest=digest).first()
    if token is None or token.has_expired:
        return None
    now = database_time.now()
    if token.last_used_at is None or token.last_used_at < now - _NOTED_EVERY:
        long_ago = Q(last_used_at=None) | Q(last_used_at__lt=now - _NOTED_EVERY)
        Token.objects.filter(long_ago, pk=token.pk).update(last_used_at=now)
        token.last_used_at = now
    return token


@dataclass
class _Kept:
    """The token of a digest, as this process last read it."""

    digest: str
    token: Credential | None = None


_KEPT: Final = lru_cache(maxsize=4000)(_Kept)


def kept_token(secret: str) -> Credential | None:
    """Return the token of a secret as it was used here in this minute; ask `live` of it."""
    token = _KEPT(_digest(secret)).token
    if token is None or token.last_used_at is None:
        return None
    return token if token.last_used_at >= database_time.estimated() - _NOTED_EVERY else None


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="surrogatepass")).hexdigest()

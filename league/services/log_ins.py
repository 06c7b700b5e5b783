"""Log-ins: with a password or a passkey, on which devices, and the sessions that they begin.

Guessing passwords becomes slow, and nobody is locked out by the guesses of others. Attempts are counted by
name, by address, and by the pair of them. Each count has some free attempts; after them, the wait doubles
with each. From an address or a device from which the account has logged in before, only the attempts from
there count, and only after `_FREE_AT_HOME` wrong ones in a day: the right password works at once, whatever
others try elsewhere. Devices are noted, told about by email, and logged out.

Settings name this module for its `SessionStore`.
"""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import webauthn
from django.conf import settings
from django.contrib.sessions.backends import db
from django.contrib.sessions.base_session import AbstractBaseSession
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from webauthn.helpers import (
    base64url_to_bytes,
    bytes_to_base64url,
    options_to_json,
    parse_authentication_credential_json,
)
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from games import database_time
from games.engine.messages import plural, text
from games.engine.refusals import Illegal
from league.models import Account, Email, FailedLogIns, KnownPlace, LogIn, Passkey
from league.ops.bounds import network
from league.services.checking import check
from league.services.emails import write_for

# ---- Passwords -----------------------------------------------------------------------------------

_FORGOTTEN: Final = timedelta(days=1)
_KNOWN_FOR: Final = timedelta(days=365)
_FREE_AT_HOME: Final = 100
_MOST_EMAILS: Final = 5
"""How many emails about new devices an account gets in a day."""


@dataclass(frozen=True)
class _Limit:
    """How many attempts are free, and the seconds of the first and of the longest wait."""

    free: int
    first: int
    longest: int

    def wait(self, count: int) -> timedelta:
        """Return the wait after so many attempts."""
        over = count - self.free
        return timedelta(seconds=min(self.longest, self.first * 2 ** min(over, 20)) if over >= 0 else 0)


_PAIR: Final = _Limit(free=5, first=5, longest=900)
_NAME: Final = _Limit(free=20, first=5, longest=900)
_ADDRESS: Final = _Limit(free=100, first=1, longest=300)
_WIDER: Final = _Limit(free=400, first=1, longest=300)
_HOME: Final = _Limit(free=_FREE_AT_HOME, first=5, longest=900)


@dataclass(frozen=True)
class Place:
    """Where somebody logs in: the address of the network, and the value of the device's cookie or ``""``."""

    address: str
    device: str = ""

    @property
    def network(self) -> str:
        """Return the address; of IPv6 the network, in which one household has every address."""
        return network(self.address, 64)

    @property
    def wider(self) -> str:
        """Return the address; of IPv6 the network that one customer can have, with 65,536 of the others."""
        return network(self.address)

    @property
    def digests(self) -> Sequence[str]:
        """Return the keyed hashes by which the place is known."""
        named = (("device", self.device), ("address", self.network))
        return [_digest(kind, value) for kind, value in named if value]


@dataclass(frozen=True)
class Attempt:
    """An attempt that may be made now, or the ``wait`` in seconds until one may be."""

    wait: int
    keys: Sequence[str] = ()


def begin_attempt(*, username: str, place: Place) -> Attempt:
    """Return whether a password may be tried now; if so, the attempt is counted until it is settled.

    The answer is the same for names that nobody has.
    """
    limits = _limits(username, place)
    now = database_time.now()
    found = FailedLogIns.objects.filter(key__in=limits)
    with transaction.atomic():
        # An attempt that has to wait writes nothing: its name may be one of millions.
        if not any(_left(row, limits[row.key], now) for row in found):
            FailedLogIns.objects.bulk_create([FailedLogIns(key=key) for key in limits], ignore_conflicts=True)
        rows = list(found.select_for_update().order_by("key"))
        waits = [_left(row, limits[row.key], now) for row in rows]
        if (longest := max(waits, default=timedelta(0))) > timedelta(0):
            return Attempt(max(1, round(longest.total_seconds())))
        for row in rows:
            row.count = row.count + 1 if row.last_at > now - _FORGOTTEN else 1
            row.last_at = now
        FailedLogIns.objects.bulk_update(rows, ["count", "last_at"])
    return Attempt(0, [*limits])


def _limits(username: str, place: Place) -> Mapping[str, _Limit]:
    """Return the counts that matter by their keys; at a known place only that of the name there."""
    name, here = username.casefold(), place.digests
    mine = KnownPlace.objects.filter(account__username=username, digest__in=here)
    known = {*mine.values_list("digest", flat=True)}
    if known:
        home = next(digest for digest in here if digest in known)
        return {_digest("home", f"{name} {home}"): _HOME}
    return {
        _digest("pair", f"{name} {place.network}"): _PAIR,
        _digest("name", name): _NAME,
        _digest("network", place.network): _ADDRESS,
        _digest("wider", place.wider): _WIDER,
    }


def _left(row: FailedLogIns, limit: _Limit, now: datetime) -> timedelta:
    wait = limit.wait(row.count)
    return row.last_at + wait - now if wait and row.last_at > now - _FORGOTTEN else timedelta(0)


def take_back_attempt(attempt: Attempt) -> None:
    """Count an attempt no more: its password was right."""
    with transaction.atomic():
        rows = list(FailedLogIns.objects.select_for_update().filter(key__in=attempt.keys).order_by("key"))
        for row in rows:
            row.count = max(0, row.count - 1)
        FailedLogIns.objects.bulk_update(rows, ["count"])


def prove_password(*, by: Account, password: str, place: Place) -> None:
    """Return where the password is the account's; raises `Illegal` where not, or after too many attempts."""
    attempt = begin_attempt(username=by.username, place=place)
    if attempt.wait:
        raise Illegal(
            plural(
                "There were too many attempts. Wait %(count)d second.",
                "There were too many attempts. Wait %(count)d seconds.",
                attempt.wait,
            )
        )
    if not by.check_password(password):
        raise Illegal("This is not your password.")
    take_back_attempt(attempt)


def note_log_in(*, by: Account, place: Place) -> bool:
    """Note from where an account has logged in: there it will never wait for the guesses of others.

    Return whether it has logged in before, but never on this device.
    """
    now = database_time.now()
    known = {*KnownPlace.objects.filter(account=by).values_list("digest", flat=True)}
    KnownPlace.objects.bulk_create(
        [KnownPlace(account=by, digest=digest, last_at=now) for digest in place.digests],
        update_conflicts=True,
        unique_fields=["account", "digest"],
        update_fields=["last_at"],
    )
    name = by.username.casefold()
    own = [_digest("pair", f"{name} {place.network}")]
    own += [_digest("home", f"{name} {digest}") for digest in place.digests]
    FailedLogIns.objects.filter(key__in=own).delete()
    return bool(known) and _digest("device", place.device) not in known


# ---- Devices --------------------------------------------------------------------------------------


@transaction.atomic
def note_device(*, by: Account, place: Place, browser: str, system: str, session_key: str | None) -> None:
    """Note that the account has logged in from a place, in a session if there is a key of one.

    The first log-in on another device than before is told by email, a few times a day at most.
    """
    new = note_log_in(by=by, place=place)
    if session_key is None:
        return
    LogIn.objects.update_or_create(
        session_id=session_key, defaults={"account": by, "browser": browser, "system": system}
    )
    if new:
        _tell(by, session_key, {"browser": browser, "system": system})


def _tell(account: Account, session_key: str, about: dict[str, str]) -> None:
    now = database_time.now()
    lately = Email.objects.filter(account=account, kind=Email.Kind.NEW_DEVICE)
    if account.email and lately.filter(made_at__gt=now - timedelta(days=1)).count() < _MOST_EMAILS:
        key = str(LogIn.objects.get(session=session_key).pk)
        write_for([account], kind=Email.Kind.NEW_DEVICE, key=key, about={**about, "at": now.isoformat()})


def end_session(*, by: Account, log_in: LogIn) -> None:
    """Log the account out on a device; a second time changes nothing."""
    Session.objects.filter(pk__in=LogIn.objects.filter(account=by, pk=log_in.pk).values("session")).delete()


def end_other_sessions(*, by: Account, session_key: str | None) -> None:
    """Log the account out on all devices but the one with this session, on all with None."""
    mine = LogIn.objects.filter(account=by).exclude(session=session_key)
    Session.objects.filter(pk__in=mine.values("session")).delete()


def forget_log_ins() -> None:
    """Remove counts that no longer matter, places that nobody came from for a year, and ended sessions."""
    now = database_time.now()
    Session.objects.filter(expire_date__lt=now).delete()
    FailedLogIns.objects.filter(last_at__lt=now - _FORGOTTEN).delete()
    KnownPlace.objects.filter(last_at__lt=now - _KNOWN_FOR).delete()


def _digest(kind: str, value: str) -> str:
    key = hashlib.sha256(f"trefoil log-ins {settings.SECRET_KEY}".encode()).digest()
    return hmac.new(key, f"{kind} {value}".encode(errors="surrogatepass"), "sha256").hexdigest()


# ---- Passkeys ------------------------------------------------------------------------------------

MOST_PASSKEYS: Final = 20
"""How many passkeys an account can have."""
_LONGEST: Final = 20_000
_VERIFIED: Final = UserVerificationRequirement.REQUIRED
_WRONG: Final = text("That did not work. Try again.")


@dataclass(frozen=True)
class Site:
    """The site as browsers see it: passkeys belong to its ``host``, and work at its ``origin`` alone."""

    host: str
    origin: str


@dataclass(frozen=True)
class Question:
    """What a browser is asked, as JSON, and the ``challenge`` that its answer must contain."""

    options: str
    challenge: str


def ask_to_make(*, by: Account, site: Site) -> Question:
    """Return the question by which a browser makes a passkey; raises `Illegal` and PermissionDenied."""
    by.require_person()
    known = list(Passkey.objects.filter(account=by).values_list("credential", flat=True))
    if len(known) >= MOST_PASSKEYS:
        raise Illegal("You have %(most)d passkeys: remove one first.", most=MOST_PASSKEYS)
    options = webauthn.generate_registration_options(
        rp_id=site.host,
        rp_name="Trefoil",
        user_name=by.username,
        user_id=by.pk.bytes,
        exclude_credentials=[PublicKeyCredentialDescriptor(base64url_to_bytes(each)) for each in known],
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=_VERIFIED
        ),
    )
    return Question(options_to_json(options), bytes_to_base64url(options.challenge))


def make_passkey(*, by: Account, name: str, answer: str, challenge: str, site: Site) -> Passkey:
    """Return the new passkey of a browser's answer; raises `Malformed`, `Illegal` and PermissionDenied."""
    by.require_person()
    try:
        made = webauthn.verify_registration_response(
            credential=answer[:_LONGEST],
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=site.host,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError):
        raise Illegal(_WRONG) from None
    passkey = Passkey(
        account=by,
        name=name.strip(),
        credential=bytes_to_base64url(made.credential_id),
        public_key=made.credential_public_key,
        uses=made.sign_count,
    )
    check(passkey, against_others=False)
    try:
        with transaction.atomic():
            passkey.save(force_insert=True)
    except IntegrityError:
        raise Illegal("This passkey is known already.") from None
    return passkey


def ask_to_log_in(*, site: Site) -> Question:
    """Return the question by which a browser proves that it has one of its passkeys for the site."""
    options = webauthn.generate_authentication_options(rp_id=site.host, user_verification=_VERIFIED)
    return Question(options_to_json(options), bytes_to_base64url(options.challenge))


@transaction.atomic
def use_passkey(*, answer: str, challenge: str, asked_at: datetime, site: Site) -> Account:
    """Return the account whose passkey a browser has proved to have; raises `Illegal`.

    A passkey answers each question once: none that was asked before its last use.
    """
    try:
        given = parse_authentication_credential_json(answer[:_LONGEST])
        passkey = (
            Passkey.objects.select_for_update(of=("self",))
            .select_related("account")
            .get(credential=bytes_to_base64url(given.raw_id), account__is_active=True)
        )
        used = webauthn.verify_authentication_response(
            credential=given,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=bytes(passkey.public_key),
            credential_current_sign_count=passkey.uses,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError):
        raise Illegal(_WRONG) from None
    except Passkey.DoesNotExist:
        raise Illegal("This passkey is not known here, or was removed. Use your password.") from None
    if passkey.last_used_at and passkey.last_used_at > asked_at:
        raise Illegal(_WRONG)
    passkey.uses, passkey.last_used_at = used.new_sign_count, database_time.now()
    passkey.save(update_fields=["uses", "last_used_at"])
    return passkey.account


def remove_passkey(*, by: Account, passkey: Passkey) -> None:
    """Remove a passkey of the account; a second time changes nothing. Raises PermissionDenied."""
    by.require_person()
    if passkey.account_id != by.pk:
        raise PermissionDenied
    Passkey.objects.filter(pk=passkey.pk).delete()


def remove_all_passkeys(*, by: Account) -> None:
    """Remove all passkeys of the account; raises PermissionDenied."""
    by.require_person()
    Passkey.objects.filter(account=by).delete()


# ---- Sessions ------------------------------------------------------------------------------------


class SessionStore(db.SessionStore):
    """Django's rows of the database, read and written by threads alone."""

    def _get_session_from_db(self) -> AbstractBaseSession | None:
        live = self.model.objects.filter(expire_date__gt=database_time.now())
        found: AbstractBaseSession | None = live.filter(session_key=self.session_key).first()
        if found is None:
            self._session_key = None
        return found

    def get_expiry_date(self, **given: Any) -> datetime:
        ends: datetime = super().get_expiry_date(**{"modification": database_time.now(), **given})
        return ends

    @transaction.atomic
    def cycle_key(self) -> None:
        """Give the session another key; rows that go with it, such as what its device is told, stay."""
        of_session: list[Any] = [
            each
            for each in Session._meta.get_fields(include_hidden=True)
            if each.one_to_one or each.one_to_many
        ]
        kept = [
            row
            for each in of_session
            for row in each.related_model._base_manager.filter(session=self.session_key)
        ]
        super().cycle_key()
        for row in kept:
            row.session_id = self.session_key
            row.save(force_insert=True)

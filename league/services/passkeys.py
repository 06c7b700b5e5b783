"""Passkeys (WebAuthn, https://www.w3.org/TR/webauthn-3/): made, used to log in, and removed.

The device keeps the secret key and asks its owner before each use; here is only the public one.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

import webauthn
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
from games.engine.messages import text
from games.engine.refusals import Illegal
from league.models import Account, Passkey
from league.queries import permissions
from league.services.checking import check

MOST: Final = 20
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
    permissions.require_person(by)
    known = list(Passkey.objects.filter(account=by).values_list("credential", flat=True))
    if len(known) >= MOST:
        raise Illegal(text("You have %(most)d passkeys: remove one first.", most=MOST))
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
    permissions.require_person(by)
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
        raise Illegal(text("This passkey is known already.")) from None
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
        raise Illegal(text("This passkey is not known here, or was removed. Use your password.")) from None
    if passkey.last_used_at and passkey.last_used_at > asked_at:
        raise Illegal(_WRONG)
    passkey.uses, passkey.last_used_at = used.new_sign_count, database_time.now()
    passkey.save(update_fields=["uses", "last_used_at"])
    return passkey.account


def remove_passkey(*, by: Account, passkey: Passkey) -> None:
    """Remove a passkey of the account; a second time changes nothing. Raises PermissionDenied."""
    permissions.require_person(by)
    if passkey.account_id != by.pk:
        raise PermissionDenied
    Passkey.objects.filter(pk=passkey.pk).delete()


def remove_all_passkeys(*, by: Account) -> None:
    """Remove all passkeys of the account; raises PermissionDenied."""
    permissions.require_person(by)
    Passkey.objects.filter(account=by).delete()

"""Programs of third parties: registered by their developers, connected and disconnected by everybody."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from django.core.cache import cache
from django.db import transaction
from oauth2_provider.generators import generate_client_secret
from oauth2_provider.models import AccessToken, DeviceGrant, Grant, RefreshToken, clear_expired

from games import database_time
from games.engine.refusals import Illegal
from league.apps.programs.models import Program, ProgramKind
from league.apps.programs.queries import connections_of, programs_of
from league.models import Account
from league.services.checking import check

MOST: Final = 20
_WRONG_CODES: Final = 10
_WRONG_SECONDS: Final = int(timedelta(hours=1).total_seconds())


# ---- Developers ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class NewProgram:
    """A program, and the secret of one that keeps a secret, which is shown this once."""

    program: Program
    secret: str = field(repr=False)


@transaction.atomic
def create_program(*, by: Account, name: str, kind: str, redirect_uris: str) -> NewProgram:
    """Return a new program of the account; ``redirect_uris`` are separated by blanks.

    Raises `Malformed`, `Illegal`, and PermissionDenied where the account calls by a token.
    """
    by.require_person()
    # The account's row is the lock: two at once can't both be the last that there may be.
    Account.objects.select_for_update(no_key=True).get(pk=by.pk)
    if Program.objects.filter(user=by).count() >= MOST:
        raise Illegal("You have %(most)s programs already.", most=MOST)
    program = Program(user=by, name=name.strip(), redirect_uris=" ".join(redirect_uris.split()))
    program.kind = ProgramKind(kind)
    secret = program.client_secret
    check(program)
    program.save(force_insert=True)
    return NewProgram(program, secret if program.kind == ProgramKind.SERVER else "")


@transaction.atomic
def change_program(*, by: Account, program: Program, name: str, redirect_uris: str) -> Program:
    """Return the program with another name and other addresses; raises `Malformed` and PermissionDenied."""
    changed = _own(by, program)
    changed.name, changed.redirect_uris = name.strip(), " ".join(redirect_uris.split())
    check(changed)
    changed.save(update_fields=["name", "redirect_uris", "updated"])
    return changed


@transaction.atomic
def renew_program_secret(*, by: Account, program: Program) -> NewProgram:
    """Give a program that keeps a secret another one; from now on only that one is good."""
    changed = _own(by, program)
    if changed.kind != ProgramKind.SERVER:
        raise Illegal("This program has no secret.")
    changed.client_secret = secret = generate_client_secret()
    changed.save(update_fields=["client_secret", "updated"])
    return NewProgram(changed, secret)


@transaction.atomic
def remove_program(*, by: Account, program: Program) -> None:
    """Remove a program, and disconnect it from everybody."""
    removed = _own(by, program)
    DeviceGrant.objects.filter(client_id=removed.client_id).delete()
    removed.delete()


def remove_programs(account: Account) -> None:
    """Remove the programs of an account that ends, and disconnect it from all others."""
    for program in programs_of(account):
        remove_program(by=account, program=program)
    disconnect_all(account)


def _own(by: Account, program: Program) -> Program:
    by.require_person()
    return Program.objects.select_for_update().get(pk=program.pk, user=by)


# ---- Those who connect them ----------------------------------------------------------------------


@transaction.atomic
def disconnect_all(account: Account) -> None:
    """End all that any program may do for the account, which calls itself."""
    for connection in connections_of(account):
        disconnect(by=account, program=connection.program)
    for model in (Grant, RefreshToken, AccessToken, DeviceGrant):
        model.objects.filter(user=account).delete()


@transaction.atomic
def disconnect(*, by: Account, program: Program) -> None:
    """End all that a program may do for the account; a second time changes nothing."""
    by.require_person()
    theirs = {"user": by, "application": program}
    # Whoever renews a token meanwhile has it done before, or finds it gone.
    list(RefreshToken.objects.select_for_update().filter(**theirs))
    for model in (Grant, RefreshToken, AccessToken):
        model.objects.filter(**theirs).delete()
    DeviceGrant.objects.filter(user=by, client_id=program.client_id).delete()


def begin_device(*, client_id: str, said: Mapping[str, Any]) -> DeviceGrant:
    """Return a new device of a program, which waits for somebody to type its code."""
    return DeviceGrant.objects.create(
        client_id=client_id,
        device_code=said["device_code"],
        user_code=said["user_code"],
        scope=said["scope"],
        interval=said["interval"],
        expires=database_time.now() + timedelta(seconds=said["expires_in"]),
    )


def waiting_device(*, by: Account, code: str) -> DeviceGrant:
    """Return the device that waits for the answer to a code that the account's person typed.

    Raises `Illegal` for a code that no device waits for, and after too many of them.
    """
    by.require_person()
    tries = f"device-codes:{by.pk}"
    if cache.get(tries, 0) >= _WRONG_CODES:
        raise Illegal("There were too many wrong codes. Try again in an hour.")
    letters = "".join(filter(str.isalnum, code.upper()))
    typed = f"{letters[:4]}-{letters[4:]}"
    waiting = DeviceGrant.objects.filter(
        status=DeviceGrant.AUTHORIZATION_PENDING, expires__gt=database_time.now()
    )
    device = waiting.filter(user_code=typed).first()
    if device is None:
        cache.set(tries, cache.get(tries, 0) + 1, _WRONG_SECONDS)
        raise Illegal(
            "No device waits for this code. Look at the device again: a code is good for 30 minutes."
        )
    return device


@transaction.atomic
def answer_device(*, by: Account, code: str, allow: bool) -> None:
    """Connect the device that waits for a code, or refuse it; raises `Illegal` as `waiting_device`."""
    device = DeviceGrant.objects.select_for_update().get(pk=waiting_device(by=by, code=code).pk)
    if device.status != DeviceGrant.AUTHORIZATION_PENDING:
        raise Illegal("This code has been used meanwhile.")
    device.user = by
    device.status = DeviceGrant.AUTHORIZED if allow else DeviceGrant.DENIED
    device.save(update_fields=["user", "status"])


def forget_program_tokens() -> None:
    """Remove codes and tokens that are no good any more, but for those that tell of a stolen one."""
    clear_expired()
    DeviceGrant.objects.filter(expires__lt=database_time.now()).delete()

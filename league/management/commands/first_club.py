"""`manage.py first_club`: make a club and an organiser if there is no account yet."""

import secrets
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from league.models import Account
from league.ops import secret
from league.services.accounts import create_account
from league.services.clubs import create_club

USERNAME: Final = "organiser"
# Without letters and digits that look alike, because people type the password.
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"


class Command(BaseCommand):
    """Makes the first club, and prints its log-in until the first password is changed.

    Output may be kept, in a file or by a journal: it names the file with the password instead.
    """

    help = "Make a club and an organiser if there is no account yet, and print the log-in."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--terminal",
            action="store_true",
            help="print the password: somebody reads it, nothing keeps it",
        )

    def handle(self, *, terminal: bool, **_: Any) -> None:
        kept = password_file()
        if not Account.objects.exists():
            _make(secret.kept_in(kept, _password))
        if kept.exists():
            self._print_login(kept, terminal=terminal)

    def _print_login(self, kept: Path, *, terminal: bool) -> None:
        password = secret.held_in(kept, str.strip)
        account = Account.objects.filter(username=USERNAME).first()
        if account is None or not account.check_password(password):
            kept.unlink()
            return
        given = password if terminal else f"in the file {kept}"
        self.stdout.write(f"Log in as {USERNAME} with the password {given} until you have changed it.")


def password_file() -> Path:
    """Return the file, readable only for its owner, with the first password until it is changed."""
    return Path(settings.DATA_DIR) / "first_password"


def _password() -> str:
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(5)) for _ in range(4))


@transaction.atomic
def _make(password: str) -> None:
    account = create_account(username=USERNAME, password=password)
    create_club(by=account, name="First club", slug="first-club")

"""`manage.py first_club`: a club and an organiser to begin with, where there is no account yet."""

import secrets
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction

from league import services
from league.house import secret
from league.models import Account

USERNAME: Final = "organiser"
# Without letters and digits that look alike: somebody will type it off a screen.
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"


class Command(BaseCommand):
    """Makes the first club, and tells how to log in for as long as its first password stands."""

    help = "Make a club and an organiser where there is no account yet, and tell how to log in."

    def handle(self, **_: Any) -> None:
        """Print the log-in, or nothing once the password has been changed."""
        kept = password_file()
        if not Account.objects.exists():
            _make(secret.kept_in(kept, _password))
        if kept.exists():
            self._tell(kept)

    def _tell(self, kept: Path) -> None:
        password = kept.read_text().strip()
        account = Account.objects.filter(username=USERNAME).first()
        if account is None or not account.check_password(password):
            kept.unlink()
            return
        self.stdout.write(f"Log in as {USERNAME} with the password {password} until you have changed it.")


def password_file() -> Path:
    """Return the file, readable by its owner alone, that keeps the first password until it is changed."""
    return Path(settings.DATA_DIR) / "first_password"


def _password() -> str:
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(5)) for _ in range(4))


@transaction.atomic
def _make(password: str) -> None:
    account = services.create_account(username=USERNAME, password=password)
    services.create_club(by=account, name="First club", slug="first-club")

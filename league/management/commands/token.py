"""`manage.py token`: make a token for a program and print it."""

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management import CommandError
from django.core.management.base import BaseCommand

from games.engine.refusals import Malformed
from league.models import Account, Token
from league.services.accounts import YEAR, create_token


class Command(BaseCommand):
    """Makes a token for an account and prints it; it cannot be shown again."""

    help = "Make a token for an account and print it, and nothing else."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument(
            "--scope",
            action="extend",
            nargs="+",
            required=True,
            choices=Token.Scope.values,
            help="what the token allows; several are possible",
        )
        parser.add_argument(
            "--days", type=int, default=YEAR, help="after so many days it expires; 0: never (default: 365)"
        )
        parser.add_argument("--name", default="command line", help="the token's name on the account page")

    def handle(self, *, username: str, scope: Sequence[str], days: int, name: str, **_: Any) -> None:
        account = Account.objects.filter(username=username).first()
        if account is None:
            raise CommandError(f"There is no account named {username}.")
        try:
            made = create_token(by=account, name=name, scopes=scope, days=days or None)
        except Malformed as refusal:
            raise CommandError(refusal.sentence) from None
        self.stdout.write(made.secret)
